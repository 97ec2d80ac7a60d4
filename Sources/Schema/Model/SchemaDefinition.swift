public import Events

/// What an application says of its items' attributes, domain by domain, and how older events
/// become of that shape.
///
/// A value without a store; ``Store/schema`` has the one in force.
public struct SchemaDefinition: Sendable {
  /// What is said of each domain and everything below it; the empty name is above all others.
  public let domains: KeyOrdered<DomainDeclaration>
  /// The steps of every change so far, oldest first.
  public let upcasters: [UpcasterStep]
  /// The file as JSON, members in canonical order.
  public let document: JSONValue
  /// The definition in one form for all that say the same.
  let canonical: [UInt8]

  /// The definition of a store without a schema.
  public static let none = SchemaDefinition(
    domains: [:], upcasters: [],
    document: .object(["cairnSchema": .number("1"), "domains": .object([:])]))

  init(domains: KeyOrdered<DomainDeclaration>, upcasters: [UpcasterStep], document: JSONValue) {
    self.domains = domains
    self.upcasters = upcasters
    self.document = document
    canonical = Self.canonical(domains, upcasters)
  }

  /// What is said of a domain, inheritance done.
  /// - Parameter domain: Its name; empty for items without one.
  /// - Returns: What is declared for it and above, the deepest declaration of each.
  /// - Complexity: O(attributes declared for it and above).
  public func effective(_ domain: String) -> EffectiveSchema {
    var effective = EffectiveSchema()
    for name in DomainPath.lineage(of: domain) {
      if let declaration = domains[name] { effective.merge(declaration) }
    }
    effective.finish()
    return effective
  }

  /// The declarations of a key, wherever it is declared, by domain in byte order.
  public func declarations(of key: String) -> [(domain: String, attribute: AttributeDeclaration)] {
    domains.sorted { DomainPath.precedes($0.key, $1.key) }.compactMap { domain in
      domain.value.attributes[key].map { (domain.key, $0) }
    }
  }

  /// The keys that a declaration of theirs fulfils a condition for, each once, in byte order.
  /// - Complexity: O(declared attributes), and sorting them.
  package func keys(where condition: (String, AttributeDeclaration) -> Bool) -> [String] {
    var keys: Set<String> = []
    for domain in domains {
      for attribute in domain.value.attributes where condition(attribute.key, attribute.value) {
        keys.insert(attribute.key)
      }
    }
    return keys.sorted(by: DomainPath.precedes)
  }

  /// The languages that searched texts are declared to be in, in a domain and below it.
  /// - Complexity: O(declared attributes).
  package func searchLanguages(within domain: String) -> [DeclaredLanguage] {
    var found: Set<DeclaredLanguage> = []
    let below = domains.filter { DomainPath.covers(domain, $0.key) }.map(\.value.attributes)
    for attributes in [effective(domain).attributes] + below {
      for attribute in attributes where attribute.value.isSearched(as: attribute.key) {
        found.insert(attribute.value.language)
      }
    }
    found.remove(.off)
    return found.sorted { $0.word.precedesCanonically($1.word) }
  }

  /// The attribute that a name means somewhere: itself, or the one it is an alias of.
  /// - Complexity: O(declared attributes).
  public func attribute(meantBy name: String) -> String {
    if domains.contains(where: { $0.value.attributes[name] != nil }) { return name }
    for domain in domains {
      for attribute in domain.value.attributes
      where attribute.value.aliases.contains(where: { $0.hasBytes(of: name) }) {
        return attribute.key
      }
    }
    return name
  }
}

extension SchemaDefinition: Hashable {
  /// Equal when they say the same: an option at its default is as good as none.
  public static func == (one: SchemaDefinition, other: SchemaDefinition) -> Bool {
    one.canonical == other.canonical
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(canonical) }
}
