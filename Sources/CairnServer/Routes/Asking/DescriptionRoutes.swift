import Rows

extension Service {
  static let descriptionRoutes = [
    Route("GET", "/api/v1/openapi.json", .read, "This description (OpenAPI 3.1)") {
      (call) throws(Refusal) in
      .object { InterfaceDescription.write(call.service, to: &$0) }
    }
  ]
}

/// The interface in the words of OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.0).
private enum InterfaceDescription {
  static func write(_ service: Service, to document: inout JSONLine) {
    document.field("openapi", "3.1.0")
    document.object("info") { info in
      info.field("title", "Cairn")
      info.field("version", service.options.version)
    }
    let shown = service.router.routes.filter { $0.part == .interface || $0.part == .operation }
    document.object("paths") { paths in
      for pattern in Set(shown.map(\.pattern)).sorted() {
        let name = pattern.replacing("*}", with: "}")
        paths.field(text: name, json: path(shown.filter { $0.pattern == pattern }))
      }
    }
    document.field(
      "components",
      json: """
        {"securitySchemes":{"token":{"type":"http","scheme":"bearer"}},"schemas":{"Error":\
        {"type":"object","required":["error"],"properties":{"error":{"type":"object",\
        "required":["code","message"],"properties":{"code":{"type":"string"},"message":\
        {"type":"string"},"place":{"type":"string"}}}}},"List":{"type":"object","required":\
        ["rows","sequence","next"],"properties":{"rows":{"type":"array","items":\
        {"type":"object"}},"sequence":{"type":"integer"},"next":{"type":["string","null"]}}},\
        "Event":\(EventDescription.json)}}
        """.utf8)
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

  /// What a body may be, by type.
  private static func write(
    _ contents: [(type: String, schema: [UInt8])], to line: inout JSONLine
  ) {
    for (type, schema) in contents {
      line.field(text: type, json: JSONLine.value { $0.field("schema", json: schema) })
    }
  }

  private static func operation(_ route: Route, _ line: inout JSONLine) {
    line.field("summary", route.summary)
    if route.scope != nil { line.field("security", json: "[{\"token\":[]}]".utf8) }
    let names = route.pattern.split(separator: "/").filter { $0.hasPrefix("{") }
      .map { String($0.dropFirst().dropLast().filter { $0 != "*" }) }
    let inPath = names.map { name in
      Parameter.inPaths.first { $0.name == name } ?? Parameter(name, .text, required: true)
    }
    let parameters =
      inPath.map { DescribedParameter.json($0, in: "path") }
      + route.parameters.map { DescribedParameter.json($0, in: "query") }
    if !parameters.isEmpty { line.field("parameters", json: JSONLine.array(json: parameters)) }
    let bodies = route.body.described
    if !bodies.isEmpty {
      line.object("requestBody") { body in
        if route.body.isNeeded { body.field("required", true) }
        body.object("content") { write(bodies, to: &$0) }
      }
    }
    line.object("responses") { responses in
      responses.object("2XX") { done in
        done.field("description", "done")
        let contents = route.form.described
        if !contents.isEmpty { done.object("content") { write(contents, to: &$0) } }
      }
      for status in route.ownStatuses {
        responses.field(
          text: String(status),
          json: JSONLine.value { own in
            own.field("description", "what became of it")
            own.object("content") { write(Route.Form.object.described, to: &$0) }
          })
      }
      if route.method == "GET" {
        responses.field("304", json: "{\"description\":\"not changed\"}".utf8)
      }
      responses.field(
        "default",
        json: """
          {"description":"why not","content":{"application/json":{"schema":\
          {"$ref":"#/components/schemas/Error"}}}}
          """.utf8)
    }
  }
}
