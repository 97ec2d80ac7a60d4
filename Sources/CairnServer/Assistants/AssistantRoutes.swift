import Assistant

extension Service {
  /// The Model Context Protocol over Streamable HTTP; only where it was asked for.
  static let assistantRoutes = [
    Route(
      "POST", "/mcp", .read, "Search and look back, as assistants do (Model Context Protocol)",
      // Errors come as JSON-RPC tells them.
      body: .json(limit: ServiceLimits.jsonByteCount), ownStatuses: [400, 404]
    ) { (call) throws(Refusal) in
      let message = try call.wholeBody()
      let headers = AssistantHeaders(
        version: call.request.value("mcp-protocol-version"),
        method: call.request.value("mcp-method"), name: call.request.value("mcp-name"))
      let reply = Assistant(call.store, version: call.service.options.version)
        .answer(message, headers: headers)
      var answer = Answer(reply.status, reply.body == nil ? nil : MediaType.json, reply.body ?? [])
      answer.called = reply.called
      return answer
    }
  ]
}
