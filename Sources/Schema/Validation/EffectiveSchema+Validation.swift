public import Events

/// A rule that an attribute breaks.
public struct AttributeFault: Sendable, Hashable {
  /// The attribute's declared name, or the key that nothing declares.
  public var key: String
  /// The rule.
  public var rule: AttributeRule

  /// `KEY: RULE: words`; control characters of the key become question marks.
  public var line: String {
    let name = String(String.UnicodeScalarView(key.unicodeScalars.map { $0.value < 32 ? "?" : $0 }))
    return "\(name): \(rule.rawValue): \(rule.words)"
  }
}

extension EffectiveSchema {
  /// What an event is to the item it is about, as far as rules differ.
  public enum EventRole: Sendable, Hashable {
    /// It makes the item, or makes it anew: all rules.
    case makes
    /// It changes the item: the rules of the keys it carries, none of which may take away what is
    /// required.
    case changes
    /// It changes nothing: the rules of the keys it carries, but none is required.
    case looks
  }

  /// The attributes with older names replaced; where both are there, the name itself stands.
  public func withoutAliases(_ attributes: Attributes) -> Attributes {
    guard !names.isEmpty else { return attributes }
    var result = attributes
    for member in attributes {
      guard let name = names[member.key] else { continue }
      if result[name] == nil { result[name] = member.value }
      result[member.key] = nil
    }
    return result
  }

  /// The first rule that an event's attributes break, by key in canonical order; nil for none.
  /// - Parameters:
  ///   - attributes: As the event carries them.
  ///   - role: What the event is to its item.
  /// - Returns: The attribute and the rule.
  /// - Complexity: O(attributes · log declared), and O(declared) for one that makes its item.
  public func fault(of attributes: Attributes, _ role: EventRole) -> AttributeFault? {
    let attributes = withoutAliases(attributes)
    for member in attributes {
      if let rule = rule(member.key, member.value, role) {
        return AttributeFault(key: member.key, rule: rule)
      }
    }
    guard role == .makes else { return nil }
    for declared in requiredKeys where attributes.isMissing(declared) {
      return AttributeFault(key: declared, rule: .required)
    }
    return nil
  }

  private func rule(_ key: String, _ value: AttributeValue, _ role: EventRole) -> AttributeRule? {
    guard let declaration = attributes[key] else {
      // What is there though no one declares it may be removed.
      let isRemoved = role == .changes && value == .null
      return unknown == .refuse && !isRemoved && !isKnown(key) ? .unknown : nil
    }
    if case .null = value {
      let isNeeded = declaration.isRequired && declaration.defaultValue == nil
      return role == .changes && isNeeded ? .required : nil
    }
    return declaration.fault(of: value)
  }

  /// Keys that must be there and have no default.
  private var requiredKeys: [String] {
    attributes.compactMap { member in
      member.value.isRequired && member.value.defaultValue == nil ? member.key : nil
    }
  }

  /// Every rule that an item's shown attributes break, by key in byte order.
  public func faults(ofShown shown: Attributes) -> [AttributeFault] {
    var faults: [AttributeFault] = []
    for member in shown {
      if let rule = rule(member.key, member.value, .looks) {
        faults.append(AttributeFault(key: member.key, rule: rule))
      }
    }
    for declared in requiredKeys where shown.isMissing(declared) {
      faults.append(AttributeFault(key: declared, rule: .required))
    }
    return faults.sorted { DomainPath.precedes($0.key, $1.key) }
  }
}

extension Attributes {
  fileprivate func isMissing(_ key: String) -> Bool {
    switch self[key] {
    case nil, .null?: true
    default: false
    }
  }
}
