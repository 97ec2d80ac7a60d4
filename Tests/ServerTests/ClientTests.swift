import Cairn
import CairnServer
import Foundation
import Rows
import Testing

/// What a client that others wrote relies on.
@Suite struct ClientTests {
  private func server() throws -> TestServer {
    try TestServer { _ in
    } filledBy: { store in
      var events: [Event] = []
      for number in 0..<25 {
        let item = "item \(number)"
        events.append(
          Event(kind: .index, item: item, attributes: ["title": .string("word \(item)")]))
        events += (0...number).map {
          Event(kind: .view, item: item, time: Timestamp(seconds: 1_700_000_000 + Int64($0)))
        }
      }
      try store.appendBlocking(events)
    }
  }

  @Test func `the most used come page by page`() throws {
    let server = try server()
    for by in RankingOrder.allCases {
      var pages = 0
      let rows = try server.rows(from: "/api/v1/top?by=\(by.rawValue)&limit=10") { _, _ in
        pages += 1
        // Nothing that comes in between changes a list.
        try server.server.store.appendBlocking(Event(kind: .view, item: "item 0"))
      }
      let items = rows.compactMap { $0["item"] as? String }
      #expect(pages == 3)
      #expect(Set(items).count == 25 && items.count == 25)
    }
    let suggestions = try server.object(try server.ask("GET", "/api/v1/suggest?q=w&limit=1"))
    #expect(suggestions["next"] is NSNull)
  }

  @Test func `the most used of a span are those that the store gives`() throws {
    let server = try server()
    let span = Timestamp(seconds: 1_700_000_020)...Timestamp(seconds: 1_700_000_021)
    let expected = try server.server.store.at().top(by: .count, within: span)
    #expect(expected.map(\.viewCount) == [2, 2, 2, 2, 1])
    let query = "since=1700000020&until=1700000021"
    let rows = try server.rows(from: "/api/v1/top?\(query)&limit=2")
    #expect(rows.compactMap { $0["item"] as? String } == expected.map(\.item))
    #expect(rows.first?["views"] as? Int == 2)
    for refused in ["since=1700000021&until=1700000020", "\(query)&explain=true"] {
      #expect(try server.ask("GET", "/api/v1/top?\(refused)").status == 400)
    }
  }

  @Test func `an item and an explained hit say who told of them, as the command does`() throws {
    let server = try server()
    let moment = try server.server.store.at()
    let item = try #require(try moment.item("item 3"))
    let life = try ItemLife("item 3", moment)
    let sources = try moment.sources(of: "item 3")
    let row = JSONLine.value { line in
      line.fields(of: item, life)
      line.field("sources", sources)
    }
    let answer = try server.ask("GET", "/api/v1/item?id=item%203")
    #expect(answer.body.dropLast() == row[...])
    let hits = try server.ask("GET", "/api/v1/search?q=item&explain=true&limit=3")
    let rows = try #require(try server.object(hits)["rows"] as? [[String: Any]])
    #expect(rows.count == 3 && rows.allSatisfy { ($0["sources"] as? [Any])?.count == 1 })
    let plain = try server.ask("GET", "/api/v1/search?q=item&limit=3")
    #expect(!plain.text.contains("sources"))
  }

  @Test func `of two hits whose names are spellings of one letter each has its own sources`() throws
  {
    let names = ["\u{E9}", "e\u{301}"]
    let server = try TestServer(filledBy: { store in
      let events = names.map { Event(kind: .index, item: $0, attributes: ["title": "tide"]) }
      try store.appendBlocking(events)
    })
    let rows = try server.rows(from: "/api/v1/search?q=tide&explain=true")
    let sources = rows.compactMap { ($0["sources"] as? [[String: Any]])?.first }
    #expect(Set(sources.compactMap { $0["sequence"] as? Int }) == [1, 2])
  }

  @Test(arguments: [
    ("application/x-ndjson", true), ("application/x-ndjson;q=0", false), ("*/*", false),
    ("application/json, application/x-ndjson;q=0.5", false),
    ("application/x-ndjson;q=0.1, */*", false),
    ("application/json;q=0.2,application/x-ndjson", true),
    ("Application/X-NDJSON, text/html;q=0.3", true),
  ])
  func `lines are sent to who wants them most`(accept: String, isLines: Bool) throws {
    let server = try server()
    let answer = try server.ask("GET", "/api/v1/items?limit=2", headers: ["Accept": accept])
    #expect((answer["Content-Type"] == "application/x-ndjson") == isLines)
    // Of rows that are on their way nobody knows whether they will be the same.
    #expect((answer["ETag"] == nil) == isLines)
  }

  @Test func `errors name the parameter, and OPTIONS every method`() throws {
    let server = try server()
    #expect(try server.place(try server.ask("GET", "/api/v1/items?limits=3")) == "limits")
    #expect(try server.place(try server.ask("GET", "/api/v1/items?%22%3Cx=3")) == nil)
    #expect(
      try server.place(server.ask("POST", "/api/v1/snapshots", body: #"{"name":"a","as":1}"#))
        == "as")
    #expect(try server.place(try server.ask("POST", "/api/v1/snapshots", body: "{}")) == "name")
    let options = try server.ask("OPTIONS", "/api/v1/items")
    #expect(options["Allow"] == "GET, HEAD, OPTIONS")
    let whole = try server.ask("OPTIONS", "*")
    #expect(whole.status == 204)
    #expect(whole["Allow"] == "DELETE, GET, HEAD, OPTIONS, POST, PUT")
    let untyped = try server.ask(
      "POST", "/api/v1/import/ndjson", body: "{}", headers: ["Content-Type": ""])
    #expect(untyped.status == 415)
  }

  @Test func `a consumer keeps the filter that a change of its place does not name`() throws {
    let server = try server()
    func put(_ body: String) throws -> [String: Any] {
      try server.object(try server.ask("PUT", "/api/v1/consumers/c", body: body))
    }
    _ = try put(#"{"after":0,"kind":"view","domain":["a","b"]}"#)
    let moved = try put(#"{"after":2}"#)
    #expect(moved["domain"] as? [String] == ["a", "b"] && moved["kind"] as? [String] == ["view"])
    #expect(moved["through"] as? Int == 2)
    let wider = try put(#"{"domain":null}"#)
    #expect(wider["domain"] == nil && wider["kind"] as? [String] == ["view"])
  }

  @Test func `the description says what answers hold`() throws {
    let server = try server()
    let document = try server.object(try server.ask("GET", "/api/v1/openapi.json"))
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    func answers(_ path: String, _ method: String, _ status: String = "2XX") -> [String] {
      let responses = paths[path]?[method]?["responses"] as? [String: [String: Any]]
      return (responses?[status]?["content"] as? [String: Any])?.keys.sorted() ?? []
    }
    #expect(answers("/api/v1/events", "post", "422") == ["application/json"])
    #expect(answers("/api/v1/consumers/{consumer}", "delete") == [])
    #expect(answers("/api/v1/feed", "get") == ["text/event-stream"])
    let feed = paths["/api/v1/feed"]?["get"]?["responses"] as? [String: [String: Any]]
    let events = (feed?["2XX"]?["content"] as? [String: [String: [String: Any]]])?.values.first
    #expect(events?["schema"]?.isEmpty == true)
    for path in paths.keys.sorted() where paths[path]?["get"] != nil {
      let answer = try server.ask("GET", path == "/api/v1/feed" ? "\(path)?after=999" : path)
      guard answer.status == 200 else { continue }
      let type = try #require(answer["Content-Type"]?.split(separator: ";").first)
      let described = answers(path, "get")
      #expect(described.contains(String(type)), "\(path)")
      let isList = described == ["application/json", "application/x-ndjson"]
      var isPage = false
      if type == "application/json" { isPage = try server.object(answer)["rows"] != nil }
      #expect(isList == isPage, "\(path)")
    }
  }

  @Test func `the description says what each parameter and body is`() throws {
    let server = try server()
    let document = try server.object(try server.ask("GET", "/api/v1/openapi.json"))
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    for (path, methods) in paths {
      for (method, operation) in methods {
        for parameter in operation["parameters"] as? [[String: Any]] ?? [] {
          let text = parameter["description"] as? String ?? ""
          #expect(!text.isEmpty && text.utf8.count < 100, "\(path) \(parameter["name"] ?? "")")
        }
        let responses = try #require(operation["responses"] as? [String: Any])
        #expect((responses["304"] != nil) == (method == "get"), "\(method) \(path)")
        guard let body = operation["requestBody"] as? [String: Any] else { continue }
        for (type, content) in try #require(body["content"] as? [String: [String: Any]]) {
          let schema = try #require(content["schema"] as? [String: Any])
          #expect(!schema.isEmpty, "\(path) \(type)")
          for (name, property) in schema["properties"] as? [String: [String: Any]] ?? [:] {
            #expect((property["description"] as? String)?.isEmpty == false, "\(path) \(name)")
          }
        }
      }
    }
    func body(_ path: String, _ method: String = "post") -> [String: Any]? {
      let content = (paths[path]?[method]?["requestBody"] as? [String: Any])?["content"]
      return (content as? [String: [String: Any]])?["application/json"]?["schema"] as? [String: Any]
    }
    #expect(body("/api/v1/snapshots")?["required"] as? [String] == ["name"])
    #expect(body("/api/v1/pause")?["required"] as? [String] == ["until"])
    #expect(body("/api/v1/pause")?["additionalProperties"] as? Bool == false)
    #expect((body("/api/v1/purge")?["properties"] as? [String: Any])?.count == 9)
    // What may be left out may be null too.
    for (name, type) in [("confirm", "string"), ("block", "boolean"), ("events", "array")] {
      let member = (body("/api/v1/purge")?["properties"] as? [String: Any])?[name]
      #expect((member as? [String: Any])?["type"] as? [String] == [type, "null"])
    }
    func isNeeded(_ path: String) -> Bool? {
      (paths[path]?["post"]?["requestBody"] as? [String: Any])?["required"] as? Bool
    }
    #expect(isNeeded("/api/v1/events") == true && isNeeded("/api/v1/search") == true)
    #expect(isNeeded("/api/v1/rebuild") == nil)
    func schema(_ path: String, _ method: String) -> [String: Any]? {
      (paths[path]?[method]?["parameters"] as? [[String: Any]])?.first?["schema"] as? [String: Any]
    }
    #expect(schema("/api/v1/events/{sequence}", "get")?["type"] as? String == "integer")
    let formats = schema("/api/v1/import/{format}", "post")?["enum"] as? [String]
    #expect(formats?.contains("chromium") == true && formats?.contains("csv") == true)
    let components = document["components"] as? [String: [String: [String: Any]]]
    #expect(components?["schemas"]?["Event"]?["required"] as? [String] == ["kind"])
  }
}
