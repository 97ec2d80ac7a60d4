import Cairn
import Rows

extension Service {
  static let descriptionRoutes = [
    Route("GET", "/api/v1/openapi.json", .read, "This description (OpenAPI 3.1)") {
      (call) throws(Refusal) in
      .json(InterfaceDescription(call.service).bytes)
    }
  ]
}

/// The interface in the words of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0).
struct InterfaceDescription {
  let bytes: [UInt8]

  init(_ service: Service) {
    var document = JSONLine()
    document.field("openapi", "3.1.0")
    document.object("info") { info in
      info.field("title", "Cairn")
      info.field("version", service.options.version)
    }
    let shown = service.router.routes.filter { $0.part == .interface || $0.part == .operation }
    var paths: [UInt8] = [UInt8(ascii: "{")]
    for pattern in Set(shown.map(\.pattern)).sorted() {
      if paths.count > 1 { paths.append(UInt8(ascii: ",")) }
      JSONText.append(pattern.replacing("*}", with: "}"), to: &paths)
      paths.append(UInt8(ascii: ":"))
      paths += Self.path(shown.filter { $0.pattern == pattern })
    }
    paths.append(UInt8(ascii: "}"))
    document.field("paths", json: paths)
    document.field(
      "components",
      json: """
        {"securitySchemes":{"token":{"type":"http","scheme":"bearer"}},"schemas":{"Error":\
        {"type":"object","required":["error"],"properties":{"error":{"type":"object",\
        "required":["code","message"],"properties":{"code":{"type":"string"},"message":\
        {"type":"string"},"place":{"type":"string"}}}}},"List":{"type":"object","required":\
        ["rows","sequence","next"],"properties":{"rows":{"type":"array"},"sequence":\
        {"type":"integer"},"next":{"type":["string","null"]}}}}}
        """.utf8)
    document.finish()
    bytes = document.bytes
  }

  private static func path(_ routes: [Route]) -> [UInt8] {
    JSONLine.value { line in
      for route in routes {
        switch route.method {
        case "GET": line.object("get") { operation(route, &$0) }
        case "POST": line.object("post") { operation(route, &$0) }
        case "PUT": line.object("put") { operation(route, &$0) }
        default: line.object("delete") { operation(route, &$0) }
        }
      }
    }
  }

  private static func operation(_ route: Route, _ line: inout JSONLine) {
    line.field("summary", route.summary)
    if route.scope != nil { line.field("security", json: "[{\"token\":[]}]".utf8) }
    let inPath = route.pattern.split(separator: "/").filter { $0.hasPrefix("{") }
    var parameters = inPath.map { part in
      JSONLine.value { parameter in
        parameter.field("name", String(part.dropFirst().dropLast().filter { $0 != "*" }))
        parameter.field("in", "path")
        parameter.field("required", true)
        parameter.field("schema", json: "{\"type\":\"string\"}".utf8)
      }
    }
    parameters += route.parameters.map { known in
      JSONLine.value { parameter in
        parameter.field("name", known.name)
        parameter.field("in", "query")
        if known.isRequired { parameter.field("required", true) }
        parameter.field("schema", json: schema(known))
      }
    }
    if !parameters.isEmpty {
      line.field(
        "parameters",
        json: [UInt8(ascii: "[")] + parameters.joined(separator: [UInt8(ascii: ",")]) + [
          UInt8(ascii: "]")
        ])
    }
    if let types = route.body.types {
      line.object("requestBody") { body in
        body.object("content") { content in
          for type in types { content.field(text: type, json: "{\"schema\":{}}".utf8) }
        }
      }
    }
    line.object("responses") { responses in
      responses.field("2XX", json: "{\"description\":\"done\"}".utf8)
      for status in route.ownStatuses {
        responses.field(text: String(status), json: "{\"description\":\"what became of it\"}".utf8)
      }
      responses.field("304", json: "{\"description\":\"not changed\"}".utf8)
      responses.field(
        "default",
        json: """
          {"description":"why not","content":{"application/json":{"schema":\
          {"$ref":"#/components/schemas/Error"}}}}
          """.utf8)
    }
  }

  private static func schema(_ parameter: Parameter) -> [UInt8] {
    let inner = JSONLine.value { schema in
      switch parameter.kind {
      case .text, .point, .time: schema.field("type", "string")
      case .count(let max):
        schema.field("type", "integer")
        schema.field("minimum", 0)
        schema.field("maximum", max)
      case .sequence:
        schema.field("type", "integer")
        schema.field("minimum", 0)
      case .flag: schema.field("type", "boolean")
      case .choice(let words):
        schema.field("type", "string")
        var list: [UInt8] = []
        for word in words {
          list.append(list.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
          JSONText.append(word, to: &list)
        }
        schema.field("enum", json: list + [UInt8(ascii: "]")])
      }
    }
    guard parameter.repeats else { return inner }
    return JSONLine.value { schema in
      schema.field("type", "array")
      schema.field("items", json: inner)
    }
  }
}

extension Route.Body {
  /// What a request may bring.
  fileprivate var types: [String]? {
    switch self {
    case .none: nil
    case .json: [MediaType.json]
    case .events: [MediaType.json, MediaType.ndjson]
    case .file: ["application/octet-stream"]
    case .form: [MediaType.form]
    }
  }
}
