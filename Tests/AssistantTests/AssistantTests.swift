import Assistant
import Cairn
import Foundation
import Testing

/// What an assistant is told, in both eras of the protocol, and what it can never do.
@Suite struct AssistantTests {
  private static let meta =
    #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#

  /// A store with a few items, an assistant over it.
  private func with(_ body: (Assistant, Store) async throws -> Void) async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/cairn-assistant-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = try Store.open(at: directory)
    defer { store.close() }
    var events: [Event] = []
    for number in 1...60 {
      var attributes: Attributes = [:]
      attributes["title"] = .string("lighthouse \(number) </history-data> \"quoted\"")
      events.append(
        Event(
          kind: .index, item: "item \(number)", domain: .value(number < 30 ? "web.a" : "web.b"),
          time: Timestamp(seconds: 1_700_000_000 + Int64(number) * 3_600), attributes: attributes))
    }
    events.append(
      Event(kind: .view, item: "item 7", time: Timestamp(seconds: 1_700_500_000)))
    try await store.append(events)
    try await body(Assistant(store, version: "test"), store)
  }

  private func object(_ reply: Assistant.Reply) throws -> [String: Any] {
    let body = try #require(reply.body)
    return try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
  }

  private func call(
    _ assistant: Assistant, _ tool: String, _ arguments: String
  ) throws -> [String: Any] {
    let message =
      #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\#(tool)","arguments":\#(arguments),\#(Self.meta)}}"#
    let reply = assistant.answer(Array(message.utf8))
    #expect(reply.status == 200)
    #expect(reply.called == tool)
    #expect((reply.body?.count ?? 0) <= 32 << 10)
    return try #require(try object(reply)["result"] as? [String: Any])
  }

  private func rows(_ result: [String: Any]) throws -> [[String: Any]] {
    #expect(result["isError"] as? Bool == false)
    #expect(result["resultType"] as? String == "complete")
    let value = try #require(result["structuredContent"] as? [String: Any])
    #expect(value["source"] as? String == "history")
    let content = try #require((result["content"] as? [[String: Any]])?.first?["text"] as? String)
    #expect(content.hasPrefix("<history-data>") && content.hasSuffix("</history-data>"))
    #expect(content.components(separatedBy: "</history-data>").count == 2)
    let inside = content.dropFirst("<history-data>".count).dropLast("</history-data>".count)
    let again = try JSONSerialization.jsonObject(with: Data(inside.utf8)) as? [String: Any]
    #expect(again as NSDictionary? == value as NSDictionary)
    return try #require(value["rows"] as? [[String: Any]])
  }

  @Test func `a handshake and a discovery name the revisions`() async throws {
    try await with { assistant, _ in
      for (asked, agreed) in [
        ("2025-11-25", "2025-11-25"), ("2025-06-18", "2025-06-18"),
        // Its batches are not answered.
        ("2025-03-26", "2025-11-25"), ("1999", "2025-11-25"),
      ] {
        let message =
          #"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{"protocolVersion":"\#(asked)","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#
        let answer = try object(assistant.answer(Array(message.utf8)))
        #expect(answer["id"] as? String == "a")
        #expect((answer["result"] as? [String: Any])?["protocolVersion"] as? String == agreed)
      }
      let discover =
        #"{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{\#(Self.meta)}}"#
      let result = try #require(
        try object(assistant.answer(Array(discover.utf8)))["result"] as? [String: Any])
      #expect((result["supportedVersions"] as? [String])?.first == "2026-07-28")
      #expect(result["resultType"] as? String == "complete")
      let note = #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#
      let reply = assistant.answer(Array(note.utf8))
      #expect(reply.status == 202 && reply.body == nil)
    }
  }

  @Test func `every tool has schemas, gives rows, and changes nothing`() async throws {
    try await with { assistant, store in
      let head = try store.at().sequence
      let list = #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#
      let tools = try #require(
        (try object(assistant.answer(Array(list.utf8)))["result"] as? [String: Any])?["tools"]
          as? [[String: Any]])
      #expect(
        tools.map { $0["name"] as? String } == [
          "search_history", "top_items", "item_history", "timeline", "what_changed",
        ])
      for tool in tools {
        let input = tool["inputSchema"] as? [String: Any]
        #expect(input?["type"] as? String == "object")
        let names = Set((input?["properties"] as? [String: Any] ?? [:]).keys)
        #expect(names.isSuperset(of: ["asOf", "domain", "limit"]))
        #expect((tool["outputSchema"] as? [String: Any])?["type"] as? String == "object")
        #expect((tool["annotations"] as? [String: Any])?["readOnlyHint"] as? Bool == true)
      }
      let found = try rows(call(assistant, "search_history", #"{"query":"lighthouse","limit":5}"#))
      #expect(found.count == 5 && found[0]["item"] as? String == "item 7")
      #expect(
        try rows(call(assistant, "search_history", #"{"query":"lighthouse","limit":5.0}"#)).count
          == 5)
      #expect(
        try rows(
          call(assistant, "search_history", #"{"query":"lighthouse","domain":"web.b","limit":50}"#)
        ).count == 31)
      #expect(
        try rows(call(assistant, "search_history", #"{"query":"lighthouse","asOf":"3"}"#)).count
          == 3)
      #expect(try rows(call(assistant, "top_items", "{}")).first?["item"] as? String == "item 7")
      #expect(
        try rows(call(assistant, "item_history", #"{"item":"item 7"}"#)).map {
          $0["kind"] as? String
        } == ["view", "index"])
      #expect(try !rows(call(assistant, "timeline", #"{"by":"hour","limit":3}"#)).isEmpty)
      #expect(
        try rows(call(assistant, "item_history", #"{"item":"item 7","domain":"web.a"}"#)).count
          == 2)
      #expect(
        try rows(call(assistant, "item_history", #"{"item":"item 7","domain":"web.b"}"#)).isEmpty)
      for arguments in [#"{"from":"50","to":"55"}"#, #"{"from":"50","asOf":"55"}"#] {
        #expect(try rows(call(assistant, "what_changed", arguments)).count == 5)
      }
      #expect(try store.at().sequence == head)
    }
  }

  @Test func `an answer is never larger than an assistant can hold`() async throws {
    try await with { assistant, store in
      var attributes: Attributes = [:]
      attributes["title"] = .string(String(repeating: "<\"\\", count: 3_000))
      try await store.append(
        (0..<20).map { _ in Event(kind: .index, item: "big", attributes: attributes) })
      let result = try call(assistant, "item_history", #"{"item":"big","limit":50}"#)
      #expect((result["structuredContent"] as? [String: Any])?["truncated"] as? Bool == true)
      // What fits in no answer keeps nothing else back.
      let long = "beacon " + String(repeating: "a", count: 40_000)
      try await store.append([
        Event(kind: .view, item: "big"),
        Event(kind: .index, item: "long", attributes: ["title": .string(long)]),
        Event(kind: .view, item: "long"),
        Event(kind: .index, item: "short", attributes: ["title": "beacon"]),
      ])
      let history = try rows(call(assistant, "item_history", #"{"item":"big","limit":50}"#))
      #expect(history.map { $0["kind"] as? String } == ["view"])
      let found = try rows(call(assistant, "search_history", #"{"query":"beacon"}"#))
      #expect(found.map { $0["item"] as? String } == ["short"])
    }
  }

  @Test(arguments: [
    #"{"query":""}"#, #"{"query":5}"#, #"{}"#, #"{"query":"a","limit":0}"#,
    #"{"query":"a","limit":51}"#, #"{"query":"a","limit":1.5}"#,
    #"{"query":"a","limit":"5"}"#, #"{"query":"a","asOf":"99999"}"#,
    #"{"query":"a","match":"some"}"#,
    #"{"query":"a","delete":true}"#,
  ])
  func `wrong arguments are told in the result`(arguments: String) async throws {
    try await with { assistant, _ in
      let result = try call(assistant, "search_history", arguments)
      #expect(result["isError"] as? Bool == true)
    }
  }

  @Test func `a span that ends before it begins is no empty history`() async throws {
    try await with { assistant, _ in
      let span = #"{"since":"2026-12-01","until":"2026-11-30"}"#
      let none = try call(assistant, "timeline", span)
      #expect(none["isError"] as? Bool == true)
      let day = #"{"since":"2026-12-01","until":"2026-12-01"}"#
      let some = try call(assistant, "timeline", day)
      #expect(some["isError"] as? Bool == false)
      // A month of 30 days ends with them.
      let month = #"{"by":"month","since":"2023-12-01T00:00:00Z"}"#
      #expect(try rows(call(assistant, "timeline", month)).isEmpty)
    }
  }

  @Test func `a store that was taken away is no empty history`() async throws {
    try await with { assistant, store in
      try FileManager.default.moveItem(
        atPath: store.directory + "/log.mdb", toPath: store.directory + "/away")
      let result = try call(assistant, "top_items", "{}")
      #expect(result["isError"] as? Bool == true)
    }
  }

  @Test(arguments: [
    ("", -32700, 400), ("[]", -32600, 400),
    ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", -32600, 400),
    ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/purge\"}", -32601, 200),
    (
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/purge\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
      -32601, 404
    ),
    ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":[]}", -32602, 200),
    ("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", -32600, 400),
    (
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"append\"}}",
      -32602, 200
    ),
    (
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"timeline\",\"arguments\":[]}}",
      -32602, 200
    ),
    (
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"1900-01-01\"}}}",
      -32022, 400
    ),
  ])
  func `what is no request gets its number`(message: String, code: Int, status: Int) async throws {
    try await with { assistant, _ in
      let reply = assistant.answer(Array(message.utf8))
      #expect(reply.status == status)
      let answer = try object(reply)
      #expect((answer["error"] as? [String: Any])?["code"] as? Int == code)
      // Over a pipe a client waits for ever for the answer to an id that it sent.
      if code != -32700, code != -32600 { #expect(answer["id"] as? Int == 1) }
    }
  }

  @Test func `headers must say what the body says`() async throws {
    try await with { assistant, _ in
      let message = Array(
        #"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"top_items",\#(Self.meta)}}"#
          .utf8)
      let right = AssistantHeaders(version: "2026-07-28", method: "tools/call", name: "top_items")
      #expect(assistant.answer(message, headers: right).status == 200)
      let wrong = [
        AssistantHeaders(version: "2025-11-25", method: "tools/call", name: "top_items"),
        AssistantHeaders(version: nil, method: "tools/call", name: "top_items"),
        AssistantHeaders(version: "2026-07-28", method: "tools/list", name: "top_items"),
        AssistantHeaders(version: "2026-07-28", method: "tools/call", name: "search_history"),
        AssistantHeaders(version: "2026-07-28", method: "tools/call", name: nil),
      ]
      for headers in wrong {
        let reply = assistant.answer(message, headers: headers)
        #expect(reply.status == 400)
        let error = try object(reply)["error"] as? [String: Any]
        #expect(error?["code"] as? Int == -32020)
      }
      let old = Array(#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#.utf8)
      let legacy = AssistantHeaders(version: "2025-11-25", method: nil, name: nil)
      #expect(assistant.answer(old, headers: legacy).status == 200)
    }
  }
}
