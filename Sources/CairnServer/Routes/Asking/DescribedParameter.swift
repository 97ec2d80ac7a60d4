import Cairn
import Rows

/// Parameters and bodies in the words of JSON Schema 2020-12, as OpenAPI 3.1 has them.
enum DescribedParameter {
  static func json(_ parameter: Parameter, in place: String) -> [UInt8] {
    JSONLine.value { line in
      line.field("name", parameter.name)
      line.field("in", place)
      line.field("description", parameter.summary)
      if parameter.isRequired { line.field("required", true) }
      let one = schema(parameter, from: place == "path" ? 1 : 0)
      line.field("schema", json: parameter.repeats ? list(of: one) : one)
    }
  }

  /// An object with members, and no others where it is closed.
  static func object(_ members: [Parameter], isClosed: Bool = false) -> [UInt8] {
    let required = members.filter(\.isRequired).map(\.name)
    return JSONLine.value { line in
      line.field("type", "object")
      line.object("properties") { properties in
        for member in members {
          properties.field(
            text: member.name, json: schema(member, says: member.summary, isMember: true))
        }
      }
      if !required.isEmpty { line.field("required", texts: required) }
      if isClosed { line.field("additionalProperties", false) }
    }
  }

  private static func schema(
    _ parameter: Parameter, says summary: String? = nil, from least: Int = 0, isMember: Bool = false
  ) -> [UInt8] {
    // In an object null is as good as nothing.
    let mayBeNull = isMember && !parameter.isRequired
    return JSONLine.value { line in
      if let summary { line.field("description", summary) }
      write(parameter.kind, from: least, orNull: mayBeNull, to: &line)
    }
  }

  private static func write(
    _ kind: Parameter.Kind, from least: Int, orNull mayBeNull: Bool, to line: inout JSONLine
  ) {
    func type(_ name: String) {
      if mayBeNull {
        line.field("type", texts: [name, "null"])
      } else {
        line.field("type", name)
      }
    }
    switch kind {
    case .text, .point, .time: type("string")
    case .count(let max):
      type("integer")
      line.field("minimum", 0)
      line.field("maximum", max)
    case .sequence:
      type("integer")
      line.field("minimum", least)
      line.field("maximum", UInt64.max)
    case .seconds:
      type("number")
      line.field("minimum", 0)
    case .values: type("object")
    case .flag: type("boolean")
    case .choice(let words):
      type("string")
      let known = words.map { JSONValue.string($0) } + (mayBeNull ? [.null] : [])
      line.field("enum", json: JSONValue.array(known).text)
    case .texts:
      line.field("type", texts: ["string", "array", "null"])
      line.field("items", json: "{\"type\":\"string\"}".utf8)
    case .sequences:
      type("array")
      line.field("minItems", 1)
      line.field("items", json: "{\"type\":\"integer\",\"minimum\":1}".utf8)
    case .objects(let members):
      type("array")
      line.field("items", json: object(members))
    case .end:
      line.field(
        "oneOf", json: "[{\"type\":\"string\"},{\"type\":\"null\"},{\"const\":false}]".utf8)
    }
  }

  private static func list(of items: [UInt8]) -> [UInt8] {
    JSONLine.value { line in
      line.field("type", "array")
      line.field("items", json: items)
    }
  }
}

extension Route.Body {
  /// Whether nothing is answered without one.
  var isNeeded: Bool {
    switch self {
    case .none: false
    // An empty one stands for an empty object.
    case .object(let members): members.contains(where: \.isRequired)
    case .json, .events, .file, .form: true
    }
  }

  /// What a request may bring, by type.
  var described: [(type: String, schema: [UInt8])] {
    let event = "{\"$ref\":\"#/components/schemas/Event\"}"
    return switch self {
    case .none: []
    case .json: [(MediaType.json, Array("{\"type\":\"object\"}".utf8))]
    case .object(let members):
      [(MediaType.json, DescribedParameter.object(members, isClosed: true))]
    case .events:
      [
        (
          MediaType.json,
          Array(
            """
            {"anyOf":[\(event),{"type":"object","required":["events"],"properties":{"events":\
            {"type":"array","items":\(event)}},"additionalProperties":false}]}
            """.utf8)
        ), (MediaType.ndjson, Array(event.utf8)),
      ]
    case .file:
      [(MediaType.bytes, Array("{\"type\":\"string\",\"format\":\"binary\"}".utf8))]
    case .form: [(MediaType.form, Array("{\"type\":\"object\"}".utf8))]
    }
  }
}

extension Route.Form {
  /// What an answer may be, by type; texts and files are of any form.
  var described: [(type: String, schema: [UInt8])] {
    let object = Array("{\"type\":\"object\"}".utf8)
    return switch self {
    case .nothing: []
    case .object: [(MediaType.json, object)]
    case .list:
      [
        (MediaType.json, Array("{\"$ref\":\"#/components/schemas/List\"}".utf8)),
        (MediaType.ndjson, object),
      ]
    case .file(let types):
      types.map { name in
        // Of a feed some read a schema as that of its text, others as that of each event.
        (type: String(name.prefix { $0 != ";" }), schema: Array("{}".utf8))
      }
    }
  }
}

/// An event as clients send it.
enum EventDescription {
  static let json = String(
    decoding: DescribedParameter.object([
      Parameter(
        "kind", .choice(EventKind.names), required: true,
        "What happened; a token of scope ingest takes nothing away and tells no schema"),
      Parameter("item", .text, "What it is about"),
      Parameter("domain", .text, "Where that belongs: names with dots between them"),
      Parameter("all", .flag), Parameter("time", .time, "When it happened; now if absent"),
      Parameter("id", .text, "A UUID; an event whose id is known is a duplicate"),
      Parameter("attributes", .values, "What is known of the item, by name"),
      Parameter("actor", .text), Parameter("source", .text, "Where the event comes from"),
      Parameter("session", .text, "The session that it happened in"),
      Parameter("expires", .time, "From when on the item is absent"),
      Parameter("query", .text, "What was looked for"),
      Parameter("position", .count(max: .max), "The place of what was chosen, from 1"),
      Parameter("dwell", .seconds, "How many seconds it lasted"),
      Parameter("latency", .seconds, "How many seconds until it was chosen"),
      Parameter("deliberate", .flag, "Whether somebody meant it"),
      Parameter("shown", .texts, "Items that were shown, in their order"),
    ]), as: UTF8.self)
}
