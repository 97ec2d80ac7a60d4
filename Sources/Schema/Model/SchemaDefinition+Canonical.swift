import Cryptography
package import Events

extension SchemaDefinition {
  /// The SHA-256 of the definition, 64 hexadecimal digits: equal for definitions that say the same.
  public var digest: String { Hexadecimal.text(SHA256.hash(canonical).bytes) }

  static func canonical(
    _ domains: KeyOrdered<DomainDeclaration>, _ upcasters: [UpcasterStep]
  ) -> [UInt8] {
    let members: JSONObject = JSONObject(domains.map { ($0.key, $0.value.json) })
    let schema: JSONValue = .object([
      "cairnSchema": .number("1"), "domains": .object(members),
      "upcasters": .array(upcasters.map(\.json)),
    ])
    return schema.text
  }
}

extension UpcasterStep {
  /// The step in one form for all that do the same.
  var canonical: [UInt8] { json.text }
}

extension DomainDeclaration {
  /// As a schema file says it, without options at their defaults.
  package var json: JSONValue {
    var members: JSONObject = [:]
    members["unknown"] = unknown.map { .string($0.rawValue) }
    members["invalid"] = invalid.map { .string($0.rawValue) }
    members["note"] = note.map { .string($0) }
    if !attributes.isEmpty {
      members["attributes"] = .object(JSONObject(attributes.map { ($0.key, $0.value.json) }))
    }
    return .object(members)
  }
}

extension EffectiveSchema {
  /// As `schema show --domain` gives it.
  package var json: JSONValue {
    .object([
      "unknown": .string(unknown.rawValue), "invalid": .string(invalid.rawValue),
      "attributes": .object(JSONObject(attributes.map { ($0.key, $0.value.json) })),
    ])
  }
}

extension AttributeDeclaration {
  /// As a schema file says it, without options at their defaults.
  package var json: JSONValue {
    .object(JSONObject(options.compactMap { option in option.value.map { (option.key, $0) } }))
  }

  /// Every option in the order of the documentation; nil where it is at its default.
  var options: [(key: String, value: JSONValue?)] {
    [
      ("type", .string(type.rawValue)),
      ("multi", isMulti ? .bool(true) : nil),
      ("searchable", searchable.map { .bool($0) }),
      ("weight", weight == 1 ? nil : .number(JSONText.plainText(weight))),
      ("language", language == .off ? nil : .string(language.word)),
      ("sortable", isSortable ? .bool(true) : nil),
      ("facet", isFacet ? .bool(true) : nil),
      ("required", isRequired ? .bool(true) : nil),
      ("default", defaultValue.map { JSONValue($0) }),
      ("maxLength", maxLength.map { .number(String($0)) }),
      ("aliases", aliases.isEmpty ? nil : .array(aliases.map { .string($0) })),
      ("note", note.map { .string($0) }),
    ]
  }
}

extension UpcasterStep {
  /// As a schema file says it.
  package var json: JSONValue {
    var members: JSONObject = ["domain": .string(domain)]
    members["note"] = note.map { .string($0) }
    func set(_ operation: String, _ pairs: [(String, JSONValue?)]) {
      members["op"] = .string(operation)
      for (key, value) in pairs { members[key] = value }
    }
    func list(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
    switch operation {
    case .rename(let from, let to): set("rename", [("from", .string(from)), ("to", .string(to))])
    case .split(let from, let to, let at):
      set("split", [("from", .string(from)), ("to", list(to)), ("at", .string(at))])
    case .splitIntoArray(let from, let to, let at):
      set("split", [("from", .string(from)), ("to", .string(to)), ("at", .string(at))])
    case .join(let from, let to, let with):
      set("join", [("from", list(from)), ("to", .string(to)), ("with", .string(with))])
    case .joinArray(let from, let to, let with):
      set("join", [("from", .string(from)), ("to", .string(to)), ("with", .string(with))])
    case .map(let key, let values, let otherwise):
      let table = JSONObject(values.map { ($0.key, JSONValue($0.value)) })
      set(
        "map",
        [
          ("key", .string(key)), ("values", .object(table)),
          ("else", otherwise.map { JSONValue($0) }),
        ])
    case .convert(let key, let type):
      set("convert", [("key", .string(key)), ("to", .string(type.rawValue))])
    case .default(let key, let value):
      set("default", [("key", .string(key)), ("value", JSONValue(value))])
    case .drop(let key): set("drop", [("key", .string(key))])
    case .move(let to): set("move", [("to", .string(to))])
    }
    return .object(members)
  }
}

extension JSONValue {
  /// The value of an attribute as JSON; whole numbers without point.
  package init(_ value: AttributeValue) {
    switch value {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .number(String(value))
    case .double(let value): self = .number(JSONText.text(value))
    case .string(let value): self = .string(value)
    case .data(let bytes): self = .object(["base64": .string(Base64.encode(bytes))])
    case .array(let elements): self = .array(elements.map { JSONValue($0) })
    }
  }
}
