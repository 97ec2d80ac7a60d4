import Cairn
import CairnServer
import Foundation
import Testing

/// What may be recorded, by whom, and in which form.
@Suite struct RecordingRightTests {
  private static let lines = "application/x-ndjson"

  private func event(_ item: String, _ attributes: String = #"{"title":"T"}"#) -> String {
    #"{"kind":"index","item":"\#(item)","domain":"a.b","attributes":\#(attributes)}"#
  }

  @Test func `a token of scope ingest takes nothing away and tells no schema`() throws {
    let server = try TestServer()
    let tokens = TokenFile(directory: server.directory)
    let (ingest, write) = (try tokens.add("i", .ingest), try tokens.add("w", .write))
    server.server.service.tokens.forget()
    func post(_ token: String, _ body: String, _ type: String = "application/json") throws
      -> HTTPClient.Answer
    {
      try server.ask(
        "POST", "/api/v1/events", body: body, type: type,
        headers: ["Authorization": "Bearer \(token)"])
    }
    #expect(try post(ingest, event("a")).status == 200)
    let schema = #"{"kind":"schema","definition":{"attributes":{}}}"#
    let purge = #"{"kind":"purge","purge":{"events":1}}"#
    let taking = [
      #"{"kind":"delete","all":true}"#, #"{"kind":"delete","domain":"a"}"#,
      #"{"kind":"delete","item":"a"}"#,
    ]
    for body in taking + [schema, purge] {
      let refused = try post(ingest, body)
      #expect(refused.status == 403)
      #expect(try server.code(refused) == "scope")
      #expect(refused.text.contains("ingest"))
      #expect(try post(ingest, #"{"events":[\#(event("b")),\#(body)]}"#).status == 403)
    }
    #expect(try server.server.store.at().items().map(\.id) == ["a"])
    let stopped = try post(ingest, event("c") + "\n" + taking[0], Self.lines)
    #expect(stopped.status == 403 && stopped.text.contains("\"place\":\"line 2\""))
    #expect(try server.server.store.at().item("a") != nil)
    for body in [schema, purge] { #expect(try post(write, body).status == 403) }
    #expect(try post(write, taking[2]).status == 200)
    #expect(try server.server.store.at().item("a") == nil)
  }

  @Test func `a key that comes twice is refused in every body`() throws {
    let server = try TestServer()
    for (method, path, body) in [
      ("POST", "snapshots", #"{"name":"a","name":"b"}"#),
      ("POST", "pause", #"{"until":null,"until":false}"#),
      ("PUT", "consumers/c", #"{"after":0,"after":0}"#),
      ("PUT", "rules", #"{"rules":[],"rules":[]}"#),
      ("POST", "retention", #"{"days":1,"days":2}"#),
      ("POST", "search", #"{"queries":[{"query":"a","query":"b"}]}"#),
      ("POST", "events", #"{"kind":"view","item":"a","item":"b"}"#),
      ("POST", "events", #"{"kind":"view","item":"a","\u0069tem":"b"}"#),
      ("POST", "events", event("a", #"{"title":"x","title":"y"}"#)),
      ("POST", "events", #"{"events":[\#(event("a", #"{"x":"","x":""}"#))]}"#),
    ] {
      let answer = try server.ask(method, "/api/v1/\(path)", body: body)
      #expect(answer.status == 400, "\(path) \(body)")
      #expect(answer.text.contains("comes twice") && answer.text.contains("byte"))
    }
    let bad = [
      #"{"kind":"view","item":"a","item":"b"}"#, #"{"kind":"view","item":"a","x":1,"x":2}"#,
      event("a", #"{"title":"x","title":"y"}"#),
    ]
    let lines = ([event("good")] + bad).joined(separator: "\n")
    let answer = try server.ask("POST", "/api/v1/events", body: lines, type: Self.lines)
    let rejects = try #require(try server.object(answer)["rejects"] as? [[String: Any]])
    #expect(rejects.map { $0["line"] as? Int } == [2, 3, 4])
    #expect(try server.server.store.at().items().map(\.id) == ["good"])
  }

  @Test func `a rule of old versions is none of events where its flag is mistyped`() throws {
    let server = try TestServer()
    for flag in [#""true""#, "1"] {
      let answer = try server.ask(
        "POST", "/api/v1/retention", body: #"{"days":20,"versions":\#(flag)}"#)
      #expect(answer.status == 400)
    }
    #expect(try server.server.store.retentionRules().isEmpty)
  }

  @Test func `a rule for url is for every way in which events name one`() throws {
    let server = try TestServer()
    let url = "https://bank.example/x"
    let events =
      [event(url), #"{"kind":"impression","shown":["a","\#(url)"]}"#]
      + [
        "url", "URL", "contentURL", "relatedUniqueIdentifier", "weakRelatedUniqueIdentifier",
      ].map { event("i-\($0)", #"{"title":"T","\#($0)":"\#(url)"}"#) }
      + [
        event("k", #"{"URL":["https://a.example","\#(url)"]}"#),
        #"{"kind":"view","item":"e","attributes":{"\u0055RL":"https:\/\/bank.example"}}"#,
        #"{"kind":"view","item":"https:\/\/bank.example\/y"}"#,
      ]
    func send() throws -> UInt64 {
      for event in events {
        #expect(try server.ask("POST", "/api/v1/events", body: event).status == 200)
      }
      return try server.server.store.at().sequence
    }
    let rule = #"{"rules":[{"field":"url","match":"bank","action":"drop"}]}"#
    #expect(try server.ask("PUT", "/api/v1/rules", body: rule).status == 200)
    #expect(try send() == 0)
    #expect(
      try server.ask("POST", "/api/v1/events", body: event("https://a.example/bank")).status == 200)
    #expect(
      try server.ask("POST", "/api/v1/events", body: event("window:bank/a")).status == 200)
    #expect(try server.server.store.at().items().map(\.id) == ["window:bank/a"])
    #expect(try server.ask("PUT", "/api/v1/rules", body: #"{"rules":[]}"#).status == 200)
    #expect(try send() == UInt64(events.count) + 1)
    let preview = try server.object(
      try server.ask("POST", "/api/v1/rules/preview", body: rule))
    #expect(preview["events"] as? Int == events.count)
    let redaction =
      #"{"rules":[{"field":"url","match":"bank","action":"redact","with":"https://x.example"}]}"#
    #expect(try server.ask("PUT", "/api/v1/rules", body: redaction).status == 200)
    let before = try server.server.store.at().sequence
    let head = try send()
    try server.server.store.forEachEvent { recorded in
      #expect(recorded.sequence <= before || !"\(recorded.event)".contains("bank"))
      return true
    }
    #expect(head == before + UInt64(events.count))
  }

  @Test func `a pause has an end to come or none, and stops what watchers send`() throws {
    let server = try TestServer()
    func pause(_ body: String) throws -> HTTPClient.Answer {
      try server.ask("POST", "/api/v1/pause", body: body)
    }
    #expect(try pause("{}").status == 400)
    #expect(try pause(#"{"until":"2020-01-01T00:00:00Z"}"#).status == 400)
    #expect(try pause(#"{"until":true}"#).status == 400)
    #expect(try server.object(try server.ask("GET", "/api/v1/info"))["paused"] is NSNull)
    let end = "2090-01-01T00:00:00Z"
    let until = try server.object(try pause(#"{"until":"\#(end)"}"#))
    #expect((until["paused"] as? String)?.hasPrefix("2090-01-01T00:00:00") == true)
    #expect(
      try server.object(try pause(#"{"until":null}"#))["paused"] as? String
        == "9999-12-31T23:59:59Z")
    let token = try TokenFile(directory: server.directory).add("watcher", .ingest)
    server.server.service.tokens.forget()
    let unheard = try server.ask(
      "POST", "/api/v1/events", body: event("a"), headers: ["Authorization": "Bearer \(token)"])
    #expect(unheard.status == 200 && unheard.text.contains("\"accepted\":1"))
    #expect(try server.server.store.at().sequence == 0)
    #expect(try server.ask("POST", "/api/v1/events", body: event("b")).status == 200)
    #expect(try server.server.store.at().sequence == 1)
    #expect(try server.object(try pause(#"{"until":false}"#))["paused"] is NSNull)
  }
}
