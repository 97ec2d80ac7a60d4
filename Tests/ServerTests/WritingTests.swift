import Cairn
import CairnServer
import Foundation
import Testing

/// Writing routes.
@Suite struct WritingTests {
  private func event(_ item: String) -> String {
    #"{"kind":"index","item":"\#(item)","domain":"a.b","attributes":{"title":"T, [x] {y}"}}"#
  }

  @Test func `one event, a list and lines are appended alike`() throws {
    let server = try TestServer()
    let list = #"{"events": [ \#(event("b")), \#(event("c")) ]}"#
    let lines = (0..<1_000).map { event("n\($0)") }.joined(separator: "\n")
    let one = try server.object(try server.ask("POST", "/api/v1/events", body: event("a")))
    #expect(one["accepted"] as? Int == 1)
    #expect(one["lastSequence"] as? Int == 1)
    let two = try server.object(try server.ask("POST", "/api/v1/events", body: list))
    #expect(two["accepted"] as? Int == 2)
    let many = try server.ask(
      "POST", "/api/v1/events", body: lines, type: "application/x-ndjson")
    #expect(many.status == 200)
    #expect(try server.object(many)["accepted"] as? Int == 1_000)
    #expect(try server.server.store.at().items().count == 1_003)
  }

  @Test func `a bad event takes no neighbour along`() throws {
    let server = try TestServer()
    let body = [event("a"), "{\"kind\":\"nothing\"}", event("b"), "", "junk"]
      .joined(separator: "\n")
    let answer = try server.ask("POST", "/api/v1/events", body: body, type: "application/x-ndjson")
    let object = try server.object(answer)
    #expect(answer.status == 200)
    #expect(object["accepted"] as? Int == 2)
    let rejects = try #require(object["rejects"] as? [[String: Any]])
    #expect(rejects.map { $0["line"] as? Int } == [2, 5])
    let none = try server.ask("POST", "/api/v1/events", body: #"{"kind":"nothing"}"#)
    #expect(none.status == 422)
    let noList = try server.ask("POST", "/api/v1/events", body: #"{"events":\#(event("c"))}"#)
    #expect(noList.status == 400)
    #expect(try server.code(noList) == "malformed")
  }

  @Test(arguments: ["application/json", "application/x-ndjson"])
  func `an event nests no deeper than a body may, however it comes`(type: String) throws {
    let server = try TestServer()
    func status(_ depth: Int) throws -> Int {
      let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let body = #"{"kind":"view","item":"a","mine":\#(list)}"#
      return try server.ask("POST", "/api/v1/events", body: body, type: type).status
    }
    #expect(try status(63) == 200)
    #expect(try status(64) == (type.hasSuffix("/json") ? 400 : 422))
    #expect(try server.server.store.at().sequence == 1)
  }

  @Test func `null in a body is as good as nothing`() throws {
    let server = try TestServer()
    func ask(_ path: String, _ body: String) throws -> HTTPClient.Answer {
      try server.ask("POST", "/api/v1" + path, body: body)
    }
    #expect(try ask("/events", event("a")).status == 200)
    let purge = try server.object(
      try ask("/purge", #"{"item":"a","domain":null,"since":null,"events":null,"confirm":null}"#))
    #expect(purge["events"] as? Int == 1)
    #expect(try ask("/purge", #"{"since":null,"until":"2001-01-01"}"#).status == 200)
    #expect(try ask("/purge", #"{"since":null,"until":null}"#).status == 400)
    let keys = [
      "match", "exact", "stem", "domain", "filter", "since", "until", "sort", "facet", "groupBy",
      "limit", "offset", "now", "scales", "fields", "explain", "actor", "session", "device",
      "after", "byHour", "asOf",
    ].map { #""\#($0)":null"# }.joined(separator: ",")
    let found = try ask("/search", #"{"queries":[{"query":"T",\#(keys)}]}"#)
    #expect(found.status == 200 && found.text.contains(#""item":"a""#))
    #expect(try ask("/search", #"{"queries":[{"query":null}]}"#).status == 400)
    #expect(try ask("/search", #"{"queries":[{"query":"T","other":null}]}"#).status == 400)
  }

  @Test func `a line too long is refused, whether its end came with it or not`() throws {
    let server = try TestServer()
    let long = String(repeating: " ", count: (4 << 20) - event("a").utf8.count) + event("a")
    func post(_ body: String) throws -> HTTPClient.Answer {
      try server.ask("POST", "/api/v1/events", body: body, type: "application/x-ndjson")
    }
    #expect(try post(long + "\n" + event("b")).status == 200)
    for body in [" \(long)", " \(long)\n", "\(event("b"))\n \(long)\n\(event("c"))\n"] {
      let answer = try post(body)
      #expect(answer.status == 413)
      #expect(try server.code(answer) == "tooLarge")
    }
  }

  @Test func `a request may be repeated`() throws {
    let server = try TestServer()
    let body =
      #"{"kind":"view","item":"a","id":"01a208b9-0dd7-7000-8000-0000007b609e","time":"2026-01-01T00:00:00Z"}"#
    #expect(
      try server.object(try server.ask("POST", "/api/v1/events", body: body))["accepted"] as? Int
        == 1)
    let again = try server.object(try server.ask("POST", "/api/v1/events", body: body))
    #expect(again["duplicates"] as? Int == 1)
  }

  @Test func `If-Match holds the log to where the client saw it`() throws {
    let server = try TestServer()
    func status(_ head: String) throws -> Int {
      try server.ask("POST", "/api/v1/events", body: event("a"), headers: ["If-Match": head]).status
    }
    #expect(try status("\"0\"") == 200)
    #expect(try status("\"0\"") == 412)
    #expect(try status("\"1\"") == 200)
    #expect(try status("x") == 400)
    // One that comes twice is no condition that was left out.
    let twice = ["If-Match": "\"2\"", "if-match": "\"7\""]
    let answer = try server.ask("POST", "/api/v1/events", body: event("a"), headers: twice)
    #expect(answer.status == 400)
    #expect(try server.server.store.at().sequence == 2)
  }

  @Test func `what was taken under If-Match may be sent again`() throws {
    let server = try TestServer()
    func body(_ item: String) -> String {
      #"{"kind":"view","item":"\#(item)","id":"01a208b9-0dd7-7000-8000-0000007b609e","time":"2026-01-01T00:00:00Z"}"#
    }
    func send(_ body: String) throws -> HTTPClient.Answer {
      try server.ask("POST", "/api/v1/events", body: body, headers: ["If-Match": "\"0\""])
    }
    #expect(try send(body("a")).status == 200)
    let again = try send(body("a"))
    #expect(again.status == 200)
    #expect(try server.object(again)["duplicates"] as? Int == 1)
    #expect(try send(body("b")).status == 412)
    #expect(try send("{\"events\":[\(body("a")),\(event("b"))]}").status == 412)
  }

  @Test func `lines are committed while the client goes on sending`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(
      server.request(
        "POST", "/api/v1/events",
        headers: ["Content-Type": "application/x-ndjson", "Transfer-Encoding": "chunked"]))
    func send(_ text: String) {
      client.send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n")
    }
    send(event("a") + "\n")
    let waited = try server.ask("GET", "/api/v1/events?from=1&wait=60")
    #expect(try server.object(waited)["sequence"] as? Int == 1)
    send(event("b") + "\n")
    client.send("0\r\n\r\n")
    #expect(try server.object(try client.answer())["accepted"] as? Int == 2)
  }

  @Test func `a line too long ends the request, and what came before it stays`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(
      server.request(
        "POST", "/api/v1/events",
        headers: ["Content-Type": "application/x-ndjson", "Transfer-Encoding": "chunked"]))
    let first = event("a") + "\n"
    client.send("\(String(first.utf8.count, radix: 16))\r\n\(first)\r\n")
    let piece = String(repeating: "x", count: 0x100000)
    for _ in 0..<5 { client.send("100000\r\n\(piece)\r\n") }
    let answer = try client.answer()
    #expect(answer.status == 413)
    #expect(try server.object(answer)["accepted"] as? Int == 1)
  }

  @Test func `snapshots are made, shown and forgotten`() throws {
    let server = try TestServer()
    _ = try server.ask("POST", "/api/v1/events", body: event("a"))
    let body = #"{"name":"first"}"#
    #expect(try server.ask("POST", "/api/v1/snapshots", body: body).status == 201)
    let taken = try server.ask("POST", "/api/v1/snapshots", body: body)
    #expect(taken.status == 409)
    #expect(try server.code(taken) == "nameTaken")
    // A sequence as clients write it that keep every number as a double.
    let point = try server.ask("POST", "/api/v1/snapshots", body: #"{"name":"b","asOf":1.0}"#)
    #expect(point.status == 201)
    #expect(try server.ask("GET", "/api/v1/items?asOf=first").status == 200)
    for point in [#""9999""#, "9999", #""none such""#, #""2999-01-01""#, "0.5"] {
      let none = try server.ask(
        "POST", "/api/v1/snapshots", body: #"{"name":"c","asOf":\#(point)}"#)
      #expect(try server.place(none) == "asOf", "\(point)")
    }
    #expect(try server.ask("GET", "/api/v1/snapshots/first").status == 200)
    #expect(try server.ask("DELETE", "/api/v1/snapshots/first").status == 204)
    #expect(try server.ask("GET", "/api/v1/snapshots/first").status == 404)
  }

  /// What a job became.
  private func result(_ server: TestServer, _ answer: HTTPClient.Answer) throws -> [String: Any] {
    #expect(answer.status == 202)
    let location = try #require(answer["Location"])
    while true {
      let job = try server.object(try server.ask("GET", location))
      guard job["state"] as? String == "running" else { return job }
    }
  }

  @Test func `a purge takes what its plan showed, and nothing else`() throws {
    let server = try TestServer()
    for item in ["a", "b"] { _ = try server.ask("POST", "/api/v1/events", body: event(item)) }
    func purge(_ confirm: String?) throws -> HTTPClient.Answer {
      let end = confirm.map { #","confirm":"\#($0)"}"# } ?? "}"
      return try server.ask("POST", "/api/v1/purge", body: #"{"domain":"a""# + end)
    }
    let plan = try server.object(try purge(nil))
    #expect(plan["events"] as? Int == 2)
    let confirm = try #require(plan["confirm"] as? String)
    _ = try server.ask("POST", "/api/v1/events", body: event("c"))
    let stale = try purge(confirm)
    #expect(stale.status == 409)
    #expect(try server.code(stale) == "stale")
    let fresh = try #require(try server.object(stale)["plan"] as? [String: Any])
    #expect(fresh["events"] as? Int == 3)
    let job = try result(server, try purge(try #require(fresh["confirm"] as? String)))
    #expect(job["state"] as? String == "done")
    let receipt = try #require(job["result"] as? [String: Any])
    #expect(receipt["events"] as? Int == 3)
    #expect(receipt["residue"] as? Int == 0)
    let gone = try server.ask("GET", "/api/v1/events/1")
    #expect(gone.status == 410)
    #expect(try server.object(try purge(nil))["events"] as? Int == 0)
  }

  @Test func `purges take spans of time and single events too`() throws {
    let server = try TestServer()
    for item in ["a", "b", "c"] { _ = try server.ask("POST", "/api/v1/events", body: event(item)) }
    func plan(_ body: String) throws -> (Int, Int?) {
      let answer = try server.ask("POST", "/api/v1/purge", body: body)
      return (answer.status, try server.object(answer)["events"] as? Int)
    }
    #expect(try plan(#"{"events":[1,3]}"#) == (200, 2))
    #expect(
      try plan(#"{"since":"2026-01-01T00:00:00Z","until":"2999-01-01T00:00:00Z"}"#) == (200, 3))
    #expect(try plan(#"{"item":"a"}"#) == (200, 1))
    #expect(try plan("{}").0 == 400)
    #expect(try plan(#"{"item":"a","domain":"b"}"#).0 == 400)
    #expect(try plan(#"{"item":"a","colour":"b"}"#).0 == 400)
  }

  @Test func `rebuilding and verifying are jobs`() throws {
    let server = try TestServer()
    _ = try server.ask("POST", "/api/v1/events", body: event("a"))
    let rebuilt = try result(server, try server.ask("POST", "/api/v1/rebuild", body: "{}"))
    #expect(
      (rebuilt["result"] as? [[String: Any]])?.allSatisfy { $0["equal"] as? Bool == true } == true)
    let verified = try result(
      server, try server.ask("POST", "/api/v1/verify", body: #"{"deep":true}"#))
    #expect((verified["result"] as? [String: Any])?["ok"] as? Bool == true)
    #expect(try server.ask("GET", "/api/v1/jobs/none").status == 404)
  }

  @Test func `a server that may not write says so`() throws {
    let server = try TestServer({
      $0.service.isReadOnly = true
      $0.service.watchMode = .open
    }) { store in
      try store.appendBlocking(
        [Event(kind: .view)].map { event in
          var event = event
          event.item = "a"
          return event
        })
    }
    let refused = try server.ask("POST", "/api/v1/events", body: event("a"))
    #expect(refused.status == 403)
    #expect(try server.code(refused) == "readOnly")
    #expect(try server.ask("GET", "/api/v1/events").status == 200)
    let kept = try FileManager.default.contentsOfDirectory(atPath: server.directory).sorted()
    for (method, target) in [
      ("POST", "/api/0/settings/theme"), ("DELETE", "/api/0/settings/theme"),
      ("PUT", "/api/0/buckets/b"), ("DELETE", "/api/0/buckets/b?force=1"),
      ("DELETE", "/api/0/buckets/b/events/1"), ("POST", "/api/0/import"),
    ] {
      #expect(try server.ask(method, target, body: "{}").status == 403)
    }
    for (path, form) in [
      ("/settings/rules", "field=title&match=a&action=drop"), ("/settings/pause", "for=hour"),
      ("/forget", "item=a"),
    ] {
      #expect(try server.post(form, to: path).status == 403)
    }
    let plan = try server.ask("GET", "/forget?item=a")
    #expect(plan.status == 200 && plan.text.contains("This server only reads"))
    #expect(!plan.text.contains("action=\"/forget\""))
    let rules = try server.object(try server.ask("GET", "/api/v1/rules"))["rules"] as? [Any]
    #expect(rules?.count == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: server.directory).sorted() == kept)
    #expect(try server.ask("POST", "/api/v1/verify", body: "{}").status == 202)
    let preview = try server.ask("POST", "/api/v1/rules/preview", body: #"{"rules":[]}"#)
    #expect(preview.status == 200)
  }

  @Test func `a server that may not write gives the checkpoint that was signed last`() throws {
    var signed = ""
    let server = try TestServer({ $0.service.isReadOnly = true }) { store in
      try store.appendBlocking([Event(kind: .view, item: "a")])
      signed = try store.checkpoint().text
      try store.appendBlocking([Event(kind: .view, item: "b")])
    }
    for path in ["/api/v1/checkpoint", "/log/checkpoint"] {
      let answer = try server.ask("GET", path)
      #expect(answer.status == 200 && answer.text == signed)
      #expect(answer["Cairn-Sequence"] == "1")
    }
    let unsigned = try TestServer { $0.service.isReadOnly = true }
    let refused = try unsigned.ask("GET", "/api/v1/checkpoint")
    #expect(refused.status == 403)
    #expect(try unsigned.code(refused) == "readOnly")
  }
}
