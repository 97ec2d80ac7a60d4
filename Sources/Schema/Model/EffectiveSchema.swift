public import Events
import Query

/// What a schema says of one domain, inheritance done.
public struct EffectiveSchema: Sendable, Hashable {
  /// What becomes of undeclared attributes.
  public var unknown = UnknownAttributes.keep
  /// What becomes of events that break a rule.
  public var invalid = InvalidEvents.refuse
  /// The attributes that are declared here or above, by name.
  public var attributes: KeyOrdered<AttributeDeclaration> = [:]
  /// The attribute that an older name means.
  public private(set) var names: KeyOrdered<String> = [:]
  /// Attributes with a default, in canonical order.
  public private(set) var defaults: Attributes = [:]

  init() {}

  mutating func merge(_ domain: DomainDeclaration) {
    unknown = domain.unknown ?? unknown
    invalid = domain.invalid ?? invalid
    for member in domain.attributes { attributes[member.key] = member.value }
  }

  mutating func finish() {
    var aliases: [(name: String, key: String)] = []
    for member in attributes {
      for alias in member.value.aliases { aliases.append((alias, member.key)) }
      if let value = member.value.defaultValue { defaults[member.key] = value }
    }
    // In their own order each goes to the end.
    names = KeyOrdered(
      aliases.sorted { $0.name.precedesCanonically($1.name) }.map { ($0.name, $0.key) })
  }

  /// Whether something says what an attribute is: a declaration, an alias, or Core Spotlight.
  public func isKnown(_ key: String) -> Bool {
    attributes[key] != nil || names[key] != nil
      || AttributeCatalogue.attribute(named: key) != nil
      || EngineAttributes.contains(key) && !HiddenAttribute.isHidden(key)
  }
}

/// Attributes that Cairn itself writes for applications; names of declarations hold no dot.
enum EngineAttributes {
  static func contains(_ key: String) -> Bool { key.utf8.starts(with: "cairn.".utf8) }
}
