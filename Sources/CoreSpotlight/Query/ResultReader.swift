import Cairn

/// Turns what a store finds into what an application may see.
///
/// Each thing comes once: an activity that belongs to an item that is there is that item.
struct ResultReader {
  private let moment: Moment
  private let wanted: Set<String>?
  /// Raw values of the classes that can be read now.
  private let readable: Set<String>
  private var given: Set<StoredName> = []

  init(
    _ moment: Moment, fetchAttributes: [String], protectionClasses: [FileProtectionType],
    lock: CSDeviceLockState
  ) {
    self.moment = moment
    wanted = fetchAttributes.isEmpty ? nil : Set(fetchAttributes.map(FilterSyntax.attributeName))
    readable = Set((protectionClasses + [.none]).filter { lock.canRead($0) }.map(\.rawValue))
  }

  /// The result that a stored item is; nil when it is none, or was given before.
  mutating func result(_ item: Cairn.Item, rank: Int? = nil) throws(CairnError) -> CSSearchableItem?
  {
    guard Reserved.isReserved(item.id) else {
      guard canRead(item), given.insert(StoredName(item.id)).inserted else { return nil }
      return make(item, item.id, rank)
    }
    guard item.id.hasPrefix(Reserved.activityPrefix) else { return nil }
    let strong = item.text(of: "relatedUniqueIdentifier")
    if let related = strong ?? item.text(of: "weakRelatedUniqueIdentifier") {
      // A name like our own is none of the application's, and may be that of this activity.
      if !Reserved.isReserved(related), let target = try moment.item(related) {
        return try result(target, rank: rank)
      }
      if strong != nil { return nil }
    }
    guard canRead(item), given.insert(StoredName(item.id)).inserted else { return nil }
    return make(item, Self.name(of: item), rank)
  }

  /// Whether what is known of a stored item may be told, and passes a test: of an activity that
  /// belongs to an item, what is known of that one.
  func mayTell(
    of item: Cairn.Item, passing test: ((Cairn.Item) throws(CairnError) -> Bool)?
  ) throws(CairnError) -> Bool {
    guard canRead(item) else { return false }
    guard Reserved.isReserved(item.id) else { return try test?(item) ?? true }
    guard item.id.hasPrefix(Reserved.activityPrefix) else { return false }
    let related =
      item.text(of: "relatedUniqueIdentifier") ?? item.text(of: "weakRelatedUniqueIdentifier")
    guard let related, let target = try moment.item(related) else {
      return try test?(item) ?? true
    }
    guard canRead(target) else { return false }
    return try test?(target) ?? true
  }

  private func canRead(_ item: Cairn.Item) -> Bool {
    readable.contains(
      item.text(of: Reserved.protection)
        ?? FileProtectionType.completeUntilFirstUserAuthentication.rawValue)
  }

  /// What an activity on its own is called: by what its application called it, if it did.
  private static func name(of item: Cairn.Item) -> String {
    ActivityRecord(item.attributes)?.persistentIdentifier ?? item.text(
      of: "weakRelatedUniqueIdentifier") ?? String(item.id.dropFirst())
  }

  private func make(_ item: Cairn.Item, _ identifier: String, _ rank: Int?) -> CSSearchableItem {
    CSSearchableItem(
      CSSearchableItem.State(
        identifier: identifier, domain: item.domain.map { .value($0) } ?? .absent,
        attributeSet: CSSearchableItemAttributeSet(AttributeStorage(of: item, wanted: wanted)),
        expiration: item.expires.map { Date($0) }, created: Date(moment.clock), rank: rank,
        record: identifier == item.id ? nil : item.id))
  }
}

/// Several filters that all must pass, as one.
enum CombinedFilter {
  /// - Throws: `badQuery` naming the place in the first part that cannot be read.
  static func text(of parts: [String]) throws(CairnError) -> String? {
    for part in parts { try FilterSyntax.check(part) }
    guard parts.count > 1 else { return parts.first }
    return parts.map { "(\($0))" }.joined(separator: " && ")
  }
}
