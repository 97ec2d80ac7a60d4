import Cairn

extension CSSearchableItem {
  /// The event that indexes the item as it is now.
  /// - Throws: `invalidItemError` for an identifier or a date of its end that cannot be stored.
  func indexed(by index: String?, _ protection: FileProtectionType?) throws -> Event {
    let state = state { $0 }
    try Self.check(state.identifier)
    let values = state.attributeSet.storage { $0.values }
    let kind: EventKind = state.isUpdate ? .update : .index
    var attributes = Self.attributes(values, for: kind)
    if !state.isUpdate {
      if let index { attributes[Reserved.index] = .string(index) }
      if let protection { attributes[Reserved.protection] = .string(protection.rawValue) }
    }
    return Event(
      kind: kind, item: state.identifier, domain: Self.domain(state.domain, values), source: index,
      attributes: attributes, expires: try Self.expiry(state))
  }

  static func check(_ identifier: String) throws {
    guard !identifier.isEmpty, identifier.utf8.count <= EventLimits.itemByteCount,
      !Reserved.isReserved(identifier)
    else {
      throw CSIndexError(
        .invalidItemError,
        reason: "a unique identifier has 1 to 4096 bytes and begins with no control character")
    }
  }

  /// The attributes to store: an insertion has no removals, an update does.
  static func attributes(_ values: Attributes, for kind: EventKind) -> Attributes {
    var attributes: Attributes = [:]
    for member in values {
      if member.key == "domainIdentifier" { continue }
      if member.value == .null, kind != .update { continue }
      attributes[member.key] = member.value
    }
    // The tree goes with the type, also with one that goes or that nobody declared.
    if let type = values["contentType"], values["contentTypeTree"] == nil {
      let tree = type.string.flatMap { TypeTree.of($0) }
      attributes["contentTypeTree"] = tree ?? (kind == .update ? AttributeValue.null : nil)
    }
    return attributes
  }

  /// The item's own domain, else that of its attributes.
  static func domain(_ own: Change<String>, _ values: Attributes) -> Change<String> {
    guard case .absent = own else { return own }
    switch values["domainIdentifier"] {
    case .string(let domain): return .value(domain)
    case .null: return .cleared
    default: return .absent
    }
  }

  /// An update renews nothing unless the application gave a date.
  private static func expiry(_ state: State) throws -> Change<Timestamp> {
    if let date = state.expiration {
      guard date.isMoment else {
        throw CSIndexError(.invalidItemError, reason: "an item ends at a date that is a moment")
      }
      return .value(Timestamp(date))
    }
    guard !state.isUpdate else { return .absent }
    return .value(Timestamp(IndexLocation.now().addingTimeInterval(defaultLifetime)))
  }
}

/// The types that content types conform to; those of public ones seen so far are kept.
private enum TypeTree {
  private static let known = Guarded<[String: AttributeValue]>([:])
  private static let countMax = 1_024

  static func of(_ type: String) -> AttributeValue? {
    known { known in
      if let tree = known[type] { return tree }
      guard let declared = UTType(type) else { return nil }
      let names = [type] + declared.supertypes.map(\.identifier).sorted()
      let tree = AttributeValue.array(names.map { .string($0) })
      // Of its own types a program may tell more later.
      if declared.isPublic, known.count < countMax { known[type] = tree }
      return tree
    }
  }
}
