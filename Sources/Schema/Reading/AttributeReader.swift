import Events
import Query
import Text

struct AttributeReader {
  let declaration: AttributeDeclaration

  private static let keys: Set<String> = [
    "type", "multi", "searchable", "weight", "language", "sortable", "facet", "required", "default",
    "maxLength", "aliases", "note",
  ]

  init(_ name: String, _ json: SchemaJSON, at place: JSONPlace) throws(SchemaFault) {
    let cursor = try SchemaCursor(json, at: place, keys: Self.keys)
    _ = try cursor.required("type")
    guard let type: DeclaredType = try cursor.word("type") else {
      throw SchemaFault(place / "type", .key, "this key is missing")
    }
    var declaration = AttributeDeclaration(type: type)
    declaration.isMulti = try cursor.flag("multi") ?? false
    declaration.searchable = try cursor.flag("searchable")
    declaration.isSortable = try cursor.flag("sortable") ?? false
    declaration.isFacet = try cursor.flag("facet") ?? false
    declaration.isRequired = try cursor.flag("required") ?? false
    declaration.note = try cursor.string("note")
    declaration.weight = try Self.weight(cursor) ?? 1
    declaration.language = try Self.language(cursor) ?? .off
    declaration.maxLength = try Self.maxLength(cursor)
    declaration.aliases = try Self.aliases(cursor, of: name)
    try Self.checkOptions(declaration, cursor)
    try Self.checkBuiltIn(name, declaration, place)
    declaration.defaultValue = try Self.defaultValue(cursor, declaration)
    self.declaration = declaration
  }

  private static func weight(_ cursor: SchemaCursor) throws(SchemaFault) -> Double? {
    guard let weight = try cursor.number("weight") else { return nil }
    guard weight > 0, weight <= SchemaLimits.weight else {
      throw SchemaFault(
        cursor.place / "weight", .limit, "a weight is above 0 and at most 100")
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
    guard let length = Int(exactly: number), length >= 1 else {
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
      if let fault = AttributeName.fault(alias) {
        throw SchemaFault(place / index, .name, fault)
      }
      guard !alias.hasBytes(of: name) else {
        throw SchemaFault(place / index, .alias, "an attribute is no alias of itself")
      }
    }
    return aliases
  }

  /// Options that only some types have.
  private static func checkOptions(_ declaration: AttributeDeclaration, _ cursor: SchemaCursor)
    throws(SchemaFault)
  {
    let type = declaration.type
    func refuse(_ option: String, _ types: String) -> SchemaFault {
      SchemaFault(
        cursor.place / option, .conflict, "this is for \(types), not \(type.rawValue)")
    }
    if !type.isSearchable {
      if declaration.searchable == true { throw refuse("searchable", "text and keyword only") }
      if cursor["weight"] != nil { throw refuse("weight", "text and keyword only") }
      if declaration.maxLength != nil { throw refuse("maxLength", "text and keyword only") }
    }
    if type != .text, declaration.language != .off { throw refuse("language", "text only") }
    if declaration.isSortable, !type.isSortable { throw refuse("sortable", "every type but place") }
    if declaration.isFacet, !type.isFacetable {
      throw refuse("facet", "every type but text and place")
    }
  }

  /// A built-in attribute may be declared as what it is.
  private static func checkBuiltIn(
    _ name: String, _ declaration: AttributeDeclaration, _ place: JSONPlace
  ) throws(SchemaFault) {
    guard let builtIn = AttributeCatalogue.attribute(named: name) else { return }
    guard let types = builtIn.type.declaredTypes else {
      throw SchemaFault(place, .builtin, "this built-in attribute cannot be declared")
    }
    guard types.contains(declaration.type) else {
      let words = types.map(\.rawValue).joined(separator: " or ")
      throw SchemaFault(place / "type", .builtin, "the built-in attribute is \(words)")
    }
    guard declaration.isMulti == builtIn.type.isList else {
      throw SchemaFault(
        place / "multi", .builtin,
        builtIn.type.isList
          ? "the built-in attribute is an array" : "the built-in attribute has one value")
    }
  }

  private static func defaultValue(
    _ cursor: SchemaCursor, _ declaration: AttributeDeclaration
  ) throws(SchemaFault) -> AttributeValue? {
    guard let json = cursor["default"] else { return nil }
    let place = cursor.place / "default"
    let bytes = json.value.text
    guard bytes.count <= SchemaLimits.defaultByteCount else {
      throw SchemaFault(
        place, .limit, "a default has at most \(SchemaLimits.defaultByteCount) bytes")
    }
    if case .object = json {
      throw SchemaFault(place, .default, "an object is no value of this type")
    }
    let value: AttributeValue
    do throws(SchemaFault) { value = try AttributeValue(json, at: place, allowsArray: true) } catch
      where error.rule == .type
    { throw SchemaFault(place, .default, "arrays hold scalars only") }
    if case .null = value { throw SchemaFault(place, .default, "null is no value") }
    if let rule = declaration.fault(of: value) {
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
