import Cairn
import CairnServer
import Foundation
import Rows
import Testing

/// Reading routes.
@Suite struct ReadingTests {
  private static func fill(_ store: Store) throws {
    var events: [Event] = []
    for number in 0..<250 {
      var event = Event(kind: .index)
      event.item = "item-\(String(number + 1_000))"
      event.domain = .value("com.example.\(number % 7 == 0 ? "mail" : "notes")")
      event.attributes["title"] = .string("harbour survey \(number)")
      events.append(event)
      if number % 3 == 0 {
        var view = Event(kind: .view)
        view.item = event.item
        events.append(view)
      }
    }
    try store.appendBlocking(events)
  }

  private func server() throws -> TestServer { try TestServer(filledBy: Self.fill) }

  @Test func `pages of a list agree whatever is appended meanwhile`() throws {
    let server = try server()
    let store = server.server.store
    let expected = try store.at().items().map(\.id)
    let sequence = try store.at().sequence
    let found = try server.rows(from: "/api/v1/items?limit=40") { answer, _ in
      #expect(answer.status == 200)
      #expect(answer["Cairn-Sequence"] == String(sequence))
      try store.appendBlocking([Event(kind: .index, item: "item-1100-later-\(UUID())")])
    }
    #expect(found.compactMap { $0["item"] as? String } == expected)
  }

  @Test(arguments: ["/api/v1/items?limit=1", "/api/v1/diff?from=0&limit=1"])
  func `a list goes on behind any identifier`(list: String) throws {
    let names = ["a\u{0}b", "a\u{1}b", "a&b=c", "a+b %20", "\u{202E}\u{1F600}"]
    let server = try TestServer(filledBy: { store in
      try store.appendBlocking(names.map { Event(kind: .index, item: $0) })
    })
    let found = try server.rows(from: list).compactMap { $0["item"] as? String }
    #expect(Set(found) == Set(names))
    #expect(try server.ask("GET", "/api/v1/item?id=a%00b").status == 200)
    #expect(try server.ask("GET", "/api/v1/snapshots/a%00b").status == 400)
  }

  @Test(arguments: [
    "/items?limit=40", "/search?q=harbour&limit=5&now=2030-01-01", "/top?limit=5&now=2030-01-01",
    "/events?limit=5",
  ]) func `the same page has the same tag, though the next one is pinned to another moment`(
    path: String
  ) throws {
    let server = try server()
    let first = try server.ask("GET", "/api/v1" + path)
    #expect(first.text.contains("\"next\":\"/api/v1/"))
    let tag = try #require(first["ETag"])
    let again = try server.ask("GET", "/api/v1" + path, headers: ["If-None-Match": tag])
    #expect(again.status == 304)
  }

  @Test(arguments: ["/rules", "/openapi.json", "/checkpoint/key", "/jobs", "/info"])
  func `answers that are of no point tell where the log ends`(path: String) throws {
    let server = try server()
    let head = try server.server.store.at().sequence
    #expect(try server.ask("GET", "/api/v1" + path)["Cairn-Sequence"] == String(head))
  }

  @Test func `lines are the rows alone, and all of them`() throws {
    let server = try server()
    let lines = try server.ask(
      "GET", "/api/v1/items", headers: ["Accept": "application/x-ndjson"])
    var expected: [UInt8] = []
    for item in try server.server.store.at().items() {
      expected += JSONLine.line { $0.fields(of: item) }
    }
    #expect(lines["Content-Type"] == "application/x-ndjson")
    #expect(lines.body == expected)
    #expect(try server.ask("GET", "/api/v1/items?limit=0").status == 400)
  }

  @Test func `events come page by page, backwards too`() throws {
    let server = try server()
    let head = try server.server.store.at().sequence
    for (query, expected) in [
      ("limit=30", Array(1...head)), ("limit=30&reverse=true", Array((1...head).reversed())),
      ("limit=7&kind=view&from=100", []),
    ] {
      let found = try server.rows(from: "/api/v1/events?\(query)")
        .compactMap { ($0["sequence"] as? NSNumber)?.uint64Value }
      var asked = EventQuery()
      (asked.kind, asked.from) = (.view, 100)
      let wanted =
        expected.isEmpty ? try server.server.store.events(asked).map(\.sequence) : expected
      #expect(found == wanted)
    }
  }

  @Test(arguments: ["limit=30", "limit=30&reverse=true", "limit=30&wait=1"])
  func `pages of events are of the point of the first`(query: String) throws {
    let server = try server()
    let head = try server.server.store.at().sequence
    let found = try server.rows(from: "/api/v1/events?\(query)") { answer, page in
      #expect(answer["Cairn-Sequence"] == String(head))
      #expect((page["sequence"] as? NSNumber)?.uint64Value == head)
      try server.server.store.appendBlocking([Event(kind: .view, item: "item-1001")])
    }
    #expect(found.count == Int(head))
  }

  @Test func `a plus sign of a time need not be escaped`() throws {
    let server = try server()
    let zone = "T00:00:00+02:00"
    let old = try server.object(try server.ask("GET", "/api/v1/items?asOf=2001-01-01\(zone)"))
    #expect(old["sequence"] as? Int == 0)
    for (query, count) in [("until", 0), ("since", 1)] {
      let target = "/api/v1/events?limit=1&\(query)=2001-01-01\(zone)"
      let page = try server.object(try server.ask("GET", target))
      #expect((page["rows"] as? [Any])?.count == count, "\(query)")
    }
  }

  @Test func `an answer is known again by its tag until something changes`() throws {
    let server = try server()
    for target in ["/api/v1/items", "/api/v1/search?q=harbour", "/api/v1/stats"] {
      let first = try server.ask("GET", target + (target.contains("?") ? "&" : "?") + "asOf=100")
      let tag = try #require(first["ETag"])
      let again = try server.ask(
        "GET", target + (target.contains("?") ? "&" : "?") + "asOf=100",
        headers: ["If-None-Match": tag])
      #expect(again.status == 304)
      #expect(again.body.isEmpty)
      // Blanks stand on either side of a comma (RFC 9110 §5.6.1).
      let among = try server.ask(
        "GET", target + (target.contains("?") ? "&" : "?") + "asOf=100",
        headers: ["If-None-Match": "\"a\" ,\t\(tag) , \"b\""])
      #expect(among.status == 304)
    }
  }

  @Test func `events are those of a source, and a span that is none is refused as in the log`()
    throws
  {
    let server = try TestServer(filledBy: { store in
      for (item, source) in [("a", "one"), ("b", "two"), ("c", "one")] {
        var event = Event(kind: .view, item: item)
        event.source = source
        try store.appendBlocking([event])
      }
    })
    let found = try server.rows(from: "/api/v1/events?source=one&limit=1")
    #expect(found.compactMap { $0["item"] as? String } == ["a", "c"])
    for (span, status) in [("from=3&to=2", 400), ("from=3&to=3", 200), ("to=0", 200)] {
      #expect(try server.ask("GET", "/api/v1/events?\(span)").status == status, "\(span)")
    }
  }

  @Test func `an export is known again by its tag`() throws {
    let server = try server()
    let target = "/api/v1/export?asOf=100"
    let tag = try #require(try server.ask("GET", target)["ETag"])
    let again = try server.ask("GET", target, headers: ["If-None-Match": tag])
    #expect(again.status == 304)
    #expect(again["ETag"] == tag)
    #expect(again["Cairn-Sequence"] == "100")
    _ = try server.server.store.purge(.item("item-1001"))
    #expect(try server.ask("GET", target, headers: ["If-None-Match": tag]).status == 200)
  }

  @Test func `HEAD tells no length of what comes in pieces`() throws {
    let server = try server()
    let client = try server.client()
    let lines = ["Accept": "application/x-ndjson"]
    for target in ["/api/v1/export", "/api/v1/items"] {
      client.send(server.request("HEAD", target, headers: lines))
      let head = try client.head()
      #expect(head.status == 200)
      #expect(head["Content-Length"] == nil)
    }
    // Nothing came between the heads and this answer.
    client.send(server.request("GET", "/healthz"))
    #expect(try client.answer().status == 200)
  }

  @Test func `a span that ends before it begins is refused`() throws {
    let server = try TestServer()
    let span = "since=2026-01-02&until=2026-01-01"
    #expect(try server.ask("GET", "/api/v1/events?\(span)").status == 400)
    #expect(try server.ask("GET", "/api/v1/events?since=2026-01-01&until=2026-01-01").status == 200)
    let purge = #"{"since":"2026-01-02","until":"2026-01-01"}"#
    #expect(try server.ask("POST", "/api/v1/purge", body: purge).status == 400)
  }

  @Test func `points that are not there are told apart`() throws {
    let server = try server()
    for target in ["items", "search?q=a", "stats", "top", "timeline", "domains"] {
      let mark = target.contains("?") ? "&" : "?"
      let beyond = try server.ask("GET", "/api/v1/\(target)\(mark)asOf=99999")
      #expect(beyond.status == 404)
      #expect(try server.code(beyond) == "noSuchPoint")
      #expect(try server.place(beyond) == "asOf")
      #expect(try server.ask("GET", "/api/v1/\(target)\(mark)asOf=0").status == 200)
    }
    for sequence in ["99999", "18446744073709551615", "99999999999999999999"] {
      #expect(try server.ask("GET", "/api/v1/events/\(sequence)").status == 404)
    }
    for sequence in ["0", "-1", "seven", "7a"] {
      #expect(try server.ask("GET", "/api/v1/events/\(sequence)").status == 400)
    }
    #expect(try server.ask("GET", "/api/v1/item?id=nothing").status == 404)
    #expect(try server.ask("GET", "/api/v1/search?q=a&filter=((").status == 400)
  }

  @Test(arguments: ["/api/v1/search?q=100%", "/api/v1/search?q=c#", "/api/v1/items?domain=%ff"])
  func `an address that cannot be read is told how to write it`(target: String) throws {
    let server = try TestServer()
    let answer = try server.ask("GET", target)
    #expect(answer.status == 400)
    #expect(answer.text.contains("write % as %25"))
  }

  @Test func `domains are counted level by level`() throws {
    let server = try server()
    let top = try server.object(try server.ask("GET", "/api/v1/domains"))
    let rows = try #require(top["rows"] as? [[String: Any]])
    #expect(rows.map { $0["domain"] as? String } == ["com"])
    #expect(rows[0]["items"] as? Int == 250)
    let below = try server.object(try server.ask("GET", "/api/v1/domains?parent=com.example"))
    let children = try #require(below["rows"] as? [[String: Any]])
    #expect(children.map { $0["domain"] as? String } == ["com.example.notes", "com.example.mail"])
    #expect(children.map { $0["children"] as? Int } == [0, 0])
  }

  @Test func `a wait ends with the event that is waited for`() throws {
    let server = try server()
    let head = try server.server.store.at().sequence
    let client = try server.client()
    client.send(server.request("GET", "/api/v1/events?from=\(head + 1)&wait=60"))
    // Another request goes through while the first one waits.
    #expect(try server.ask("GET", "/healthz").status == 200)
    _ = try server.ask("POST", "/api/v1/events", body: #"{"kind":"view","item":"late"}"#)
    let rows = try #require(try server.object(try client.answer())["rows"] as? [[String: Any]])
    #expect(rows.map { $0["item"] as? String } == ["late"])
  }

  @Test func `those who wait hold up nobody`() throws {
    let server = try server()
    let head = try server.server.store.at().sequence
    let waiting = try (0..<60).map { _ in
      let client = try server.client()
      client.send(server.request("GET", "/api/v1/events?from=\(head + 1)&wait=60"))
      return client
    }
    #expect(try server.ask("GET", "/api/v1/info").status == 200)
    _ = try server.ask("POST", "/api/v1/events", body: #"{"kind":"view","item":"late"}"#)
    for client in waiting { #expect(try client.answer().status == 200) }
  }

  @Test func `tiles and proofs are those of the log`() throws {
    let server = try server()
    let tile = try server.ask("GET", "/log/tile/0/000")
    #expect(tile.status == 200)
    #expect(tile.body.count == 8_192)
    #expect(try server.ask("GET", "/log/tile/0/001").status == 404)
    #expect(try server.ask("GET", "/log/tile/0/x").status == 404)
    let size = try server.server.store.at().sequence
    let partial = try server.ask("GET", "/log/tile/0/001.p/\(size - 256)")
    #expect(partial.body.count == Int(size - 256) * 32)
    #expect(try server.ask("GET", "/log/checkpoint").text.contains("\n\(size)\n"))
    #expect(try server.ask("GET", "/api/v1/proofs/inclusion?sequence=3").status == 200)
    #expect(try server.ask("GET", "/api/v1/proofs/inclusion?sequence=0").status == 404)
    let open = try server.ask("GET", "/log/tile/0/000", headers: ["Authorization": ""])
    #expect(open.status == 401)
  }

  @Test func `a path tells the methods of its own routes alone`() throws {
    let server = try server()
    #expect(try server.ask("GET", "/api/v1/retention/apply").status == 405)
    for method in ["OPTIONS", "PUT"] {
      let allowed = try server.ask(method, "/api/v1/retention/apply")["Allow"]
      #expect(allowed?.contains("POST") == true && allowed?.contains("DELETE") == false)
      let rule = try server.ask(method, "/api/v1/retention/7")["Allow"]
      #expect(rule?.contains("DELETE") == true && rule?.contains("POST") == false)
    }
  }

  @Test func `the description names every route`() throws {
    let server = try server()
    let answer = try server.ask("GET", "/api/v1/openapi.json")
    let paths = try #require(try server.object(answer)["paths"] as? [String: Any])
    #expect(paths["/api/v1/search"] != nil)
    let shown = server.server.service.router.routes.filter {
      $0.part == .interface || $0.part == .operation
    }
    #expect(paths.count == Set(shown.map(\.pattern)).count)
  }
}
