import Events
import Query

/// Reads a schema file: first each part by itself, then what parts say of one another.
struct SchemaReader {
  private(set) var domains: KeyOrdered<DomainDeclaration> = [:]
  private(set) var upcasters: [UpcasterStep] = []
  private var attributeCount = 0

  /// Reads all of a file but how it follows on another one.
  ///
  /// What was recorded was found to agree with itself then.
  /// - Throws: The first rule that is broken.
  init(_ json: SchemaJSON, isRecorded: Bool = false) throws(SchemaFault) {
    let file = try SchemaCursor(json, at: .root, keys: ["cairnSchema", "domains", "upcasters"])
    guard case .number(let version) = try file.required("cairnSchema"), version == "1" else {
      throw SchemaFault(
        file.place / "cairnSchema", .type, "this program reads files of version 1 only")
    }
    let declared = try SchemaCursor(
      try file.required("domains"), at: file.place / "domains", keys: nil)
    guard declared.all.count <= SchemaLimits.domainCount else {
      throw SchemaFault(
        declared.place, .limit, "at most \(SchemaLimits.domainCount) domains can be declared")
    }
    for member in declared.all.sorted(by: { DomainPath.precedes($0.key, $1.key) }) {
      domains[member.key] = try domain(member.key, member.value, at: declared.place / member.key)
    }
    if !isRecorded { try checkDeclarations(declared) }
    if let steps = file["upcasters"] {
      upcasters = try Self.steps(steps, at: file.place / "upcasters")
    }
  }

  private mutating func domain(_ name: String, _ json: SchemaJSON, at place: JSONPlace)
    throws(SchemaFault) -> DomainDeclaration
  {
    if !name.isEmpty, let fault = CairnError(domain: name) {
      throw SchemaFault(place, .name, fault.message)
    }
    let cursor = try SchemaCursor(
      json, at: place, keys: ["unknown", "invalid", "attributes", "note"])
    var domain = DomainDeclaration()
    domain.unknown = try cursor.word("unknown")
    domain.invalid = try cursor.word("invalid")
    domain.note = try cursor.string("note")
    guard let attributes = cursor["attributes"] else { return domain }
    let declared = try SchemaCursor(attributes, at: place / "attributes", keys: nil)
    for member in declared.all {
      attributeCount += 1
      guard attributeCount <= SchemaLimits.attributeCount else {
        throw SchemaFault(
          declared.place, .limit,
          "at most \(SchemaLimits.attributeCount) attributes can be declared")
      }
      let place = declared.place / member.key
      if let fault = AttributeName.fault(member.key) { throw SchemaFault(place, .name, fault) }
      domain.attributes[member.key] = try AttributeDeclaration(member.key, member.value, at: place)
    }
    return domain
  }

  // MARK: What declarations say of one another

  /// Checks that a key is one thing everywhere, and that a name means one key.
  ///
  /// In order of domains, then as written, so that of two that clash the later is named.
  private func checkDeclarations(_ declared: SchemaCursor) throws(SchemaFault) {
    var names: Set<String> = []
    for domain in domains {
      for attribute in domain.value.attributes { names.insert(attribute.key) }
    }
    var first: [String: AttributeDeclaration] = [:]
    var meanings: [String: String] = [:]
    for member in declared.all.sorted(by: { DomainPath.precedes($0.key, $1.key) }) {
      guard case .object(let options) = member.value,
        case .object(let attributes)? = options.first(where: { $0.key == "attributes" })?.value
      else { continue }
      for attribute in attributes {
        guard let declaration = domains[member.key]?.attributes[attribute.key] else { continue }
        let place = declared.place / member.key / "attributes" / attribute.key
        if let earlier = first[attribute.key] {
          try Self.checkSame(declaration, earlier, at: place)
        } else {
          first[attribute.key] = declaration
        }
        for (index, alias) in declaration.aliases.enumerated() {
          let place = place / "aliases" / index
          guard !names.contains(alias), AttributeCatalogue.attribute(named: alias) == nil else {
            throw SchemaFault(place, .alias, "the alias is itself the name of an attribute")
          }
          guard meanings[alias, default: attribute.key] == attribute.key,
            !declaration.aliases[..<index].contains(alias)
          else { throw SchemaFault(place, .alias, "the alias stands for an attribute already") }
          meanings[alias] = attribute.key
        }
      }
    }
  }

  private static func checkSame(
    _ one: AttributeDeclaration, _ other: AttributeDeclaration, at place: JSONPlace
  ) throws(SchemaFault) {
    let option: String? =
      if one.type != other.type { "type" } else if one.isMulti != other.isMulti {
        "multi"
      } else if one.isSortable != other.isSortable {
        "sortable"
      } else if one.isFacet != other.isFacet { "facet" } else { nil }
    guard let option else { return }
    throw SchemaFault(
      place / option, .conflict, "another domain declares the key otherwise; make them the same")
  }
}
