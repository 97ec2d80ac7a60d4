import Cairn
import CairnServer
import Foundation
import Testing

/// Rules and the pause.
@Suite struct WatchRuleTests {
  private func server() throws -> TestServer {
    let server = try TestServer { $0.service.watchMode = .open }
    _ = try server.ask(
      "POST", "/api/0/buckets/web",
      body: #"{"client":"c","type":"web.tab.current","hostname":"h"}"#)
    return server
  }

  private func beat(_ server: TestServer, _ data: String) throws -> Int {
    try server.ask(
      "POST", "/api/0/buckets/web/heartbeat?pulsetime=1",
      body: #"{"timestamp":"2023-11-14T22:00:00Z","data":\#(data)}"#
    ).status
  }

  private func head(_ server: TestServer) throws -> UInt64 { try server.server.store.at().sequence }

  @Test func `private windows are never written, until the rule is removed`() throws {
    let server = try server()
    let data = #"{"url":"https://a.example","title":"A","incognito":true}"#
    #expect(try beat(server, data) == 200)
    #expect(try head(server) == 0)
    #expect(try server.ask("PUT", "/api/v1/rules", body: #"{"rules":[]}"#).status == 200)
    #expect(try beat(server, data) == 200)
    #expect(try head(server) == 1)
  }

  @Test func `a rule drops or redacts what watchers and others send`() throws {
    let server = try server()
    let rules =
      #"{"rules":[{"field":"title","match":"secret","action":"drop"},{"field":"title","match":"[0-9]+","action":"redact","with":"number"}]}"#
    #expect(try server.ask("PUT", "/api/v1/rules", body: rules).status == 200)
    #expect(try beat(server, #"{"url":"https://a.example","title":"a secret"}"#) == 200)
    let event = { (title: String) in
      #"{"kind":"index","item":"x","attributes":{"title":"\#(title)"}}"#
    }
    #expect(try server.ask("POST", "/api/v1/events", body: event("my secret")).status == 200)
    #expect(try head(server) == 0)
    #expect(try server.ask("POST", "/api/v1/events", body: event("call 555")).status == 200)
    #expect(try server.server.store.at().items().map(\.title) == ["number"])
    let wrong = #"{"rules":[{"field":"title","match":"(","action":"drop"}]}"#
    #expect(try server.ask("PUT", "/api/v1/rules", body: wrong).status == 400)
  }

  @Test func `a rule is for what was seen wherever an event keeps it, also in its item`() throws {
    let server = try server()
    let rules =
      #"{"rules":[{"field":"incognito","match":"true","action":"drop"},{"field":"app","match":"Safe","action":"redact"},{"field":"title","match":"bank","action":"redact","with":"***"}]}"#
    #expect(try server.ask("PUT", "/api/v1/rules", body: rules).status == 200)
    func send(_ item: String, _ data: String) throws -> Int {
      let kept = #""activitywatch":{"bucket":"b","data":\#(data)}"#
      let body =
        #"{"kind":"view","item":"\#(item)","attributes":{"title":"my bank"},\#(kept)}"#
      return try server.ask("POST", "/api/v1/events", body: body).status
    }
    #expect(try send("https://a.example/", #"{"title":"a","incognito":true}"#) == 200)
    #expect(try send("window:Safe/a", #"{"app":"Safe","title":"a"}"#) == 200)
    #expect(try head(server) == 0)
    #expect(try send("window:A/my%20bank", #"{"app":"A","title":"my bank"}"#) == 200)
    let export =
      #"{"buckets":{"w":{"id":"w","type":"currentwindow","client":"c","hostname":"h","created":"2023-11-14T22:00:00Z","events":[{"timestamp":"2023-11-14T22:00:00Z","duration":3,"data":{"app":"A","title":"my bank"}}]}}}"#
    #expect(
      try server.ask(
        "POST", "/api/v1/import/activitywatch", body: export, type: "application/octet-stream"
      ).status == 200)
    #expect(try head(server) == 2)
    let answer = try server.ask("GET", "/api/v1/events")
    #expect(!answer.text.contains("bank"))
    #expect(answer.text.components(separatedBy: "window:A/%2A%2A%2A").count == 3)
    // Where an address ends in a title it is no part of it.
    #expect(try send("https://a.example/my%20bank", #"{"title":"a"}"#) == 200)
    #expect(try server.server.store.at().item("https://a.example/my%20bank") != nil)
  }

  @Test func `what a purge refuses is told as taken, and costs nothing beside it`() throws {
    let server = try server()
    let (kept, blocked) = ("https://a.example/", "https://b.example/")
    let seen = { (url: String, second: Int) in
      #"{"timestamp":"2023-11-14T22:00:0\#(second)Z","duration":1,"data":{"url":"\#(url)"}}"#
    }
    _ = try server.ask("POST", "/api/0/buckets/web/events", body: seen(kept, 0))
    let id = try #require(
      try server.list(try server.ask("GET", "/api/0/buckets/web/events")).first?["id"] as? Int)
    #expect(try beat(server, #"{"url":"\#(blocked)"}"#) == 200)
    _ = try server.server.store.purge(.domain("web.example.b"), blocking: true)
    #expect(try beat(server, #"{"url":"\#(blocked)"}"#) == 200)
    let both = "[\(seen(blocked, 1)),\(seen(kept, 2))]"
    let answer = try server.ask("POST", "/api/0/buckets/web/events", body: both)
    #expect(answer.status == 200)
    #expect(try server.list(answer).map { $0["id"] is Int } == [false, true])
    // It takes nobody's place.
    let other = seen(blocked, 3).replacing("{\"timestamp", with: "{\"id\":\(id),\"timestamp")
    #expect(try server.ask("POST", "/api/0/buckets/web/events", body: other).status == 200)
    #expect(try server.ask("GET", "/api/0/buckets/web/events/\(id)").status == 200)
    let bucket = #""type":"web.tab.current","client":"c","hostname":"h","created":"2023""#
    let file = ["x", "y"].map { name in
      #""\#(name)":{"id":"\#(name)",\#(bucket),"events":[\#(seen(blocked, 4)),\#(seen(kept, 5))]}"#
    }.joined(separator: ",")
    let taken = try server.ask("POST", "/api/0/import", body: #"{"buckets":{\#(file)}}"#)
    #expect(taken.status == 200)
    for (name, count) in [("web", 2), ("x", 1), ("y", 1)] {
      let events = try server.list(try server.ask("GET", "/api/0/buckets/\(name)/events"))
      #expect(events.count == count)
    }
  }

  @Test func `an import comes as JSON or as files of a form, and heeds the rules`() throws {
    let server = try server()
    func file(_ bucket: String, _ title: String) -> String {
      let event = { (data: String) in
        #"{"timestamp":"2023-11-14T22:00:00Z","duration":3,"data":\#(data)}"#
      }
      let events = [
        event(#"{"url":"https://\#(title).example","title":"\#(title)"}"#),
        event(#"{"url":"https://b.example","title":"b","incognito":true}"#),
      ]
      return
        #"{"buckets":{"\#(bucket)":{"type":"web.tab.current","client":"c","hostname":"h","created":"2023-11-14T22:00:00Z","events":[\#(events.joined(separator: ","))]}}}"#
    }
    let line = "-----------------------------9051914041544843365972754266"
    func form(_ parts: [String]) -> String {
      parts.map {
        "--\(line)\r\nContent-Disposition: form-data; name=\"buckets.json\"; filename=\"x.json\"\r\n"
          + "Content-Type: application/json\r\n\r\n\($0)\r\n"
      }.joined() + "--\(line)--\r\n"
    }
    let type = "multipart/form-data; boundary=\(line)"
    func status(_ body: String, _ type: String) throws -> Int {
      try server.ask("POST", "/api/0/import", body: body, type: type).status
    }
    #expect(try status(file("one", "harbour"), "application/json") == 200)
    #expect(try head(server) == 1)
    #expect(try status(form([file("two", "lighthouse"), file("three", "pier")]), type) == 200)
    #expect(try status(form([file("two", "lighthouse")]), type) == 200)
    #expect(try head(server) == 3)
    #expect(try server.server.store.at().search("lighthouse").count == 1)
    let whole = form([file("four", "mole")])
    for cut in [0, 40, 200, whole.utf8.count - 70] {
      let text = String(decoding: Array(whole.utf8)[..<cut], as: UTF8.self)
      #expect(try status(text, type) == 400)
    }
    #expect(try status(whole, "multipart/form-data") == 400)
    #expect(try status(form(["[]"]), type) == 400)
    #expect(try status(file("five", "quay"), "text/plain") == 415)
    #expect(try head(server) == 3)
  }

  @Test func `a preview names what a rule would have taken`() throws {
    let server = try server()
    #expect(try beat(server, #"{"url":"https://a.example","title":"a secret"}"#) == 200)
    #expect(try beat(server, #"{"url":"https://b.example","title":"nothing"}"#) == 200)
    let rules = #"{"rules":[{"bucket":"we","field":"title","match":"secret","action":"drop"}]}"#
    let answer = try server.object(
      try server.ask("POST", "/api/v1/rules/preview", body: rules))
    #expect(answer["events"] as? Int == 1)
    let purge = try #require(answer["purge"] as? [String: Any])
    let body = try JSONSerialization.data(withJSONObject: purge)
    let plan = try server.object(
      try server.ask("POST", "/api/v1/purge", body: String(decoding: body, as: UTF8.self)))
    #expect(plan["events"] as? Int == 1)
  }

  @Test func `while it pauses nothing is stored and everything is told as taken`() throws {
    let server = try server()
    let paused = try server.object(
      try server.ask("POST", "/api/v1/pause", body: #"{"until":null}"#))
    #expect(paused["paused"] as? String == "9999-12-31T23:59:59Z")
    #expect(try beat(server, #"{"url":"https://a.example","title":"A"}"#) == 200)
    let event = #"{"timestamp":"2023-11-14T22:00:00Z","data":{"url":"https://a.example"}}"#
    let path = "/api/0/buckets/web/events"
    for body in [event, "[\(event)]"] {
      let answer = try server.ask("POST", path, body: body)
      #expect(answer.status == 200 && answer.text.contains("a.example"))
    }
    let file =
      #"{"buckets":{"late":{"type":"t","client":"c","hostname":"h","events":[\#(event)]}}}"#
    let refused = try server.ask("POST", "/api/0/import", body: file)
    #expect(refused.status == 409 && refused.text.contains("paused"))
    #expect(try server.ask("GET", "/api/0/buckets/late").status == 404)
    #expect(try head(server) == 0)
    let resumed = try server.object(
      try server.ask("POST", "/api/v1/pause", body: #"{"until":false}"#))
    #expect(resumed["paused"] is NSNull)
    #expect(try beat(server, #"{"url":"https://a.example","title":"A"}"#) == 200)
    #expect(try head(server) == 1)
  }
}
