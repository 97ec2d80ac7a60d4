import Events
import Query
import Text

extension AttributeDeclaration {
  private static let keys: Set<String> = [
    "type", "multi", "searchable", "weight", "language", "sortable", "facet", "required", "default",
    "maxLength", "aliases", "note",
  ]

  /// Reads what a schema file says of the attribute with a name.
  init(_ name: String, _ json: SchemaJSON, at place: JSONPlace) throws(SchemaFault) {
    let cursor = try SchemaCursor(json, at: place, keys: Self.keys)
    self.init(type: try cursor.requiredWord("type"))
    isMulti = try cursor.flag("multi") ?? false
    searchable = try cursor.flag("searchable")
    isSortable = try cursor.flag("sortable") ?? false
    isFacet = try cursor.flag("facet") ?? false
    isRequired = try cursor.flag("required") ?? false
    note = try cursor.string("note")
    weight = try Self.weight(cursor) ?? 1
    language = try Self.language(cursor) ?? .off
    maxLength = try Self.maxLength(cursor)
    aliases = try Self.aliases(cursor, of: name)
    try checkOptions(cursor)
    try checkBuiltIn(name, place)
    defaultValue = try readDefault(cursor)
  }

  private static func weight(_ cursor: SchemaCursor) throws(SchemaFault) -> Double? {
    guard let weight = try cursor.number("weight") else { return nil }
    guard weight > 0, weight <= SchemaLimits.weight else {
      throw SchemaFault(cursor.place / "weight", .limit, "a weight is above 0 and at most 100")
    }
    return weight
  }

  private static func language(_ cursor: SchemaCursor) throws(SchemaFault) -> DeclaredLanguage? {
    switch try cursor.string("language") {
    case nil: return nil
    case "off": return .off
    case "auto": return .auto
    case let code?:
      guard StemLanguage(rawValue: code) != nil else {
        let codes = StemLanguage.allCases.map(\.rawValue).sorted().joined(separator: ", ")
        throw SchemaFault(
          cursor.place / "language", .type, "unknown language; give off, auto or one of \(codes)")
      }
      return .code(code)
    }
  }

  private static func maxLength(_ cursor: SchemaCursor) throws(SchemaFault) -> Int? {
    guard let number = try cursor.number("maxLength") else { return nil }
    guard number == number.rounded() else {
      throw SchemaFault(cursor.place / "maxLength", .type, "a whole number belongs here")
    }
    // No double is the greatest length.
    guard let length = cursor.wholeNumber("maxLength") ?? Int(exactly: number), length >= 1 else {
      throw SchemaFault(cursor.place / "maxLength", .limit, "a length is from 1 to 2⁶³ − 1")
    }
    return length
  }

  private static func aliases(_ cursor: SchemaCursor, of name: String) throws(SchemaFault)
    -> [String]
  {
    let aliases = try cursor.strings("aliases") ?? []
    let place = cursor.place / "aliases"
    guard aliases.count <= SchemaLimits.aliasCount else {
      throw SchemaFault(
        place, .limit, "an attribute has at most \(SchemaLimits.aliasCount) aliases")
    }
    for (index, alias) in aliases.enumerated() {
      if let fault = AttributeName.fault(alias) { throw SchemaFault(place / index, .name, fault) }
      guard !alias.hasBytes(of: name) else {
        throw SchemaFault(place / index, .alias, "an attribute is no alias of itself")
      }
    }
    return aliases
  }

  /// Options that only some types have.
  private func checkOptions(_ cursor: SchemaCursor) throws(SchemaFault) {
    func refuse(_ option: String, _ types: String) -> SchemaFault {
      SchemaFault(cursor.place / option, .conflict, "this is for \(types), not \(type.rawValue)")
    }
    if !type.isSearchable {
      if searchable == true { throw refuse("searchable", "text and keyword only") }
      if cursor["weight"] != nil { throw refuse("weight", "text and keyword only") }
      if maxLength != nil { throw refuse("maxLength", "text and keyword only") }
    }
    if type != .text, language != .off { throw refuse("language", "text only") }
    if isSortable, !type.isSortable { throw refuse("sortable", "every type but place") }
    if isFacet, !type.isFacetable { throw refuse("facet", "every type but text and place") }
  }

  /// A built-in attribute may be declared as what it is.
  private func checkBuiltIn(_ name: String, _ place: JSONPlace) throws(SchemaFault) {
    guard let builtIn = AttributeCatalogue.attribute(named: name) else { return }
    guard let types = builtIn.type.declaredTypes else {
      throw SchemaFault(place, .builtin, "this built-in attribute cannot be declared")
    }
    guard types.contains(type) else {
      let words = types.map(\.rawValue).joined(separator: " or ")
      throw SchemaFault(place / "type", .builtin, "the built-in attribute is \(words)")
    }
    guard isMulti == builtIn.type.isList else {
      throw SchemaFault(
        place / "multi", .builtin,
        builtIn.type.isList
          ? "the built-in attribute is an array" : "the built-in attribute has one value")
    }
  }

  private func readDefault(_ cursor: SchemaCursor) throws(SchemaFault) -> AttributeValue? {
    guard let json = cursor["default"] else { return nil }
    let place = cursor.place / "default"
    try json.checkDefaultSize(at: place)
    if case .object = json {
      throw SchemaFault(place, .default, "an object is no value of this type")
    }
    let value: AttributeValue
    do throws(SchemaFault) { value = try AttributeValue(json, at: place, allowsArray: true) } catch
      where error.rule == .type
    { throw SchemaFault(place, .default, "arrays hold scalars only") }
    if case .null = value { throw SchemaFault(place, .default, "null is no value") }
    if let rule = fault(of: value) {
      throw SchemaFault(place, .default, "the value breaks the declaration's own \(rule.rawValue)")
    }
    return value
  }
}

extension Attribute.ValueType {
  /// The types that an attribute of this kind may be declared with; nil for none.
  fileprivate var declaredTypes: [DeclaredType]? {
    switch self {
    case .string, .strings: [.text, .keyword]
    case .number: [.integer, .decimal]
    case .flag: [.boolean]
    case .date, .dates: [.time]
    case .url, .contentType: [.keyword]
    case .data, .persons, .headers: nil
    }
  }
}
