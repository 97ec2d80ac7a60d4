import Cairn
import CairnServer
import Foundation
import Testing

/// ActivityWatch's interface.
@Suite struct ActivityTests {
  private func server(_ mode: WatchMode = .token) throws -> TestServer {
    try TestServer { $0.service.watchMode = mode }
  }

  private static let bucket = "/api/0/buckets/aw-watcher-window_h"

  private func make(_ server: TestServer, type: String = "currentwindow") throws {
    let about = #"{"client":"c","type":"\#(type)","hostname":"h"}"#
    #expect(try server.ask("POST", Self.bucket, body: about).status == 200)
    let again = try server.ask("POST", Self.bucket, body: about)
    #expect(again.status == 304 && again.body.isEmpty)
  }

  private func beat(_ server: TestServer, _ second: Int, _ title: String, pulse: String = "10")
    throws -> [String: Any]
  {
    let time = Timestamp(seconds: 1_700_000_000 + Int64(second)).rfc3339
    let body =
      #"{"timestamp":"\#(time)","duration":0,"data":{"app":"vim","title":"\#(title)"}}"#
    let answer = try server.ask("POST", "\(Self.bucket)/heartbeat?pulsetime=\(pulse)", body: body)
    #expect(answer.status == 200)
    return try server.object(answer)
  }

  @Test func `heartbeats become runs that are found at once`() throws {
    let server = try server()
    try make(server)
    #expect(try beat(server, 0, "lighthouse")["duration"] as? Double == 0)
    #expect(try beat(server, 5, "lighthouse")["duration"] as? Double == 5)
    #expect(try beat(server, 40, "lighthouse")["duration"] as? Double == 0)
    #expect(try beat(server, 45, "harbour")["duration"] as? Double == 0)
    let store = server.server.store
    let hits = try store.at().search("lighthouse")
    #expect(hits.map(\.item) == ["window:vim/lighthouse"])
    #expect(hits.first?.domain == "apps.h.vim")
    let events = try server.list(try server.ask("GET", "\(Self.bucket)/events"))
    let ids = events.compactMap { $0["id"] as? Int }
    #expect(ids == ids.sorted(by: >) && Set(ids).count == 3)
    #expect(events.map { $0["duration"] as? Double } == [0, 0, 5])
    // A run is one view; what lengthens it is no use of its own.
    #expect(try store.events().filter { $0.event.kind == .extend }.count == 1)
    #expect(try store.at().top().first { $0.item == "window:vim/lighthouse" }?.viewCount == 2)
    #expect(try store.verify(deep: true).isSound)
  }

  @Test func `what was taken as deep as it may be is given back, and taken in elsewhere`() throws {
    let server = try server(.open)
    try make(server)
    func lists(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    let event = #"{"timestamp":"2023-11-14T22:00:00Z","duration":1,"data":{"deep":\#(lists(62))}}"#
    let beat = try server.ask("POST", "\(Self.bucket)/heartbeat?pulsetime=1", body: event)
    #expect(beat.status == 200)
    let path = "/api/0/settings/deep"
    #expect(try server.ask("POST", path, body: lists(64)).status == 201)
    #expect(try server.ask("POST", path, body: lists(65)).status == 400)
    let exported = try server.ask("GET", "/api/0/export").text
    let other = try TestServer { $0.service.watchMode = .open }
    #expect(try other.ask("POST", "/api/0/import", body: exported).status == 200)
    #expect(try other.ask("GET", "/api/0/export").text == exported)
    server.server.stop()
    let again = try TestServer(at: server.directory) { $0.service.watchMode = .open }
    #expect(try again.ask("GET", path).text == lists(64))
    #expect(try again.ask("DELETE", path).status == 200)
  }

  @Test func `a run goes on after the server ended`() throws {
    // The folder goes with the first of them.
    var servers: [TestServer] = []
    for round in 0..<3 {
      let server = try TestServer(at: servers.first?.directory) { $0.service.watchMode = .open }
      servers.append(server)
      let about = #"{"client":"c","type":"afkstatus","hostname":"h"}"#
      let made = try server.ask("POST", "/api/0/buckets/afk", body: about)
      #expect(made.status == (round == 0 ? 200 : 304))
      let time = Timestamp(seconds: 1_700_000_000 + Int64(round) * 5).rfc3339
      let event = try server.object(
        try server.ask(
          "POST", "/api/0/buckets/afk/heartbeat/?pulsetime=10",
          body: #"{"timestamp":"\#(time)","data":{"status":"afk"}}"#))
      #expect(event["duration"] as? Double == Double(round) * 5)
      // Whether somebody is there is nothing to be found.
      #expect(try server.server.store.at().items().isEmpty)
      server.server.stop()
    }
    withExtendedLifetime(servers) {}
  }

  @Test func `events are inserted, replaced and really deleted`() throws {
    let server = try server()
    try make(server, type: "web.tab.current")
    let one =
      #"{"timestamp":"2024-01-01T00:00:00Z","duration":60,"data":{"url":"https://www.example.org/secretplace","title":"Secret"}}"#
    let two =
      #"{"timestamp":"2024-01-01T01:00:00Z","duration":-1,"data":{"url":"https://example.org/b"}}"#
    let bad = #"{"timestamp":"yesterday","data":{}}"#
    let path = "\(Self.bucket)/events"
    #expect(try server.ask("POST", path, body: "[\(one),\(bad)]").status == 400)
    #expect(try server.ask("GET", "\(path)/count").body == Array("0".utf8))
    #expect(try server.ask("POST", path, body: "[\(one),\(two)]").status == 200)
    #expect(try server.ask("GET", "\(path)/count").body == Array("2".utf8))
    let store = server.server.store
    #expect(
      try store.at().item("https://www.example.org/secretplace")?.domain == "web.org.example.www")
    let replaced = one.replacing("\"duration\":60", with: "\"id\":1,\"duration\":70")
    #expect(
      try server.object(try server.ask("POST", path, body: replaced))["id"] as? Int == 1)
    #expect(try server.ask("GET", "\(path)/count").body == Array("2".utf8))
    #expect(try server.object(try server.ask("GET", "\(path)/1"))["duration"] as? Double == 70)
    let events = try server.list(try server.ask("GET", path))
    for number in events.compactMap({ $0["id"] as? Int }) {
      let gone = try server.object(try server.ask("DELETE", "\(path)/\(number)"))
      #expect(gone["success"] as? Bool == true)
    }
    #expect(try server.ask("GET", "\(path)/0").status == 404)
    #expect(try server.object(try server.ask("DELETE", "\(path)/0"))["success"] as? Bool == false)
    #expect(try store.at().item("https://www.example.org/secretplace") == nil)
    #expect(try server.ask("DELETE", Self.bucket).status == 401)
    #expect(try server.ask("DELETE", "\(Self.bucket)?force=1").status == 200)
    #expect(try server.ask("GET", Self.bucket).status == 404)
    store.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: server.directory) {
      let bytes = try Data(contentsOf: URL(filePath: "\(server.directory)/\(name)"))
      #expect(bytes.range(of: Data("secretplace".utf8)) == nil, "\(name)")
    }
  }

  @Test func `events are cut to the span that is asked for`() throws {
    let server = try server()
    try make(server)
    let event =
      #"{"timestamp":"2024-01-01T00:00:00Z","duration":60,"data":{"app":"a","title":"t"}}"#
    _ = try server.ask("POST", "\(Self.bucket)/events", body: event)
    let query = "start=2024-01-01T00:00:20Z&end=2024-01-01T00:00:30Z"
    let events = try server.list(try server.ask("GET", "\(Self.bucket)/events?\(query)"))
    #expect(events.first?["duration"] as? Double == 10)
    #expect(events.first?["timestamp"] as? String == "2024-01-01T00:00:20+00:00")
    let asked =
      #"{"timeperiods":["2024-01-01/2024-01-02"],"query":["RETURN = query_bucket(find_bucket(\"window\"));"]}"#
    #expect(try server.ask("POST", "/api/0/query/", body: asked).status == 200)
    let wrong = #"{"timeperiods":["2024-01-01/2024-01-02"],"query":["RETURN = nope();"]}"#
    let refused = try server.ask("POST", "/api/0/query", body: wrong)
    #expect(refused.status == 400)
    #expect(try server.object(refused)["type"] as? String == "QueryInterpretException")
  }

  @Test func `a bucket that is taken in is called as it calls itself`() throws {
    let server = try server()
    let renamed = #"{"buckets":{"a":{"id":"b","type":"t","events":[]},"c":{"type":"t"}}}"#
    #expect(try server.ask("POST", "/api/0/import", body: renamed).status == 200)
    #expect(try server.ask("GET", "/api/0/buckets/a").status == 404)
    #expect(try server.ask("GET", "/api/0/buckets/b").status == 200)
    #expect(try server.ask("GET", "/api/0/buckets/c").status == 200)
  }

  @Test func `who may do what`() throws {
    let about = #"{"client":"c","type":"t","hostname":"!local"}"#
    let none = ["Authorization": ""]
    for (mode, write, read, info) in [
      (WatchMode.off, 404, 404, 404), (.ingest, 200, 401, 200), (.open, 200, 200, 200),
      (.token, 401, 401, 200),
    ] {
      let server = try server(mode)
      #expect(try server.ask("GET", "/api/0/info", headers: none).status == info)
      #expect(try server.ask("POST", Self.bucket, body: about, headers: none).status == write)
      #expect(try server.ask("GET", "/api/0/buckets/", headers: none).status == read)
      if mode == .off { continue }
      for origin in [
        "moz-extension://0d2f", "chrome-extension://nglaklhklhcoonedhgnpgddginnjdadi",
      ] {
        #expect(try server.ask("GET", "/api/0/info", headers: ["Origin": origin]).status == 200)
        #expect(try server.ask("GET", "/api/v1/info", headers: ["Origin": origin]).status == 403)
      }
      let foreign = ["Origin": "chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]
      #expect(try server.ask("GET", "/api/0/info", headers: foreign).status == 403)
    }
  }

  @Test func `rules and the pause keep things away`() throws {
    let server = try server()
    try make(server, type: "web.tab.current")
    func send(_ data: String) throws -> Int {
      let body = #"{"timestamp":"2024-01-01T00:00:00Z","duration":1,"data":\#(data)}"#
      return try server.ask("POST", "\(Self.bucket)/events", body: body).status
    }
    let store = server.server.store
    #expect(try send(#"{"url":"https://a.example/","title":"x","incognito":true}"#) == 200)
    #expect(try store.at().sequence == 0)
    let rules =
      #"{"rules":[{"field":"title","match":"bank","action":"redact","with":"hidden"},{"bucket":"aw-watcher","field":"url","match":"^https://b\\.","action":"drop"}]}"#
    #expect(try server.ask("PUT", "/api/v1/rules", body: rules).status == 200)
    #expect(
      try server.ask(
        "PUT", "/api/v1/rules", body: #"{"rules":[{"field":"a","match":"(","action":"drop"}]}"#
      ).status == 400)
    // A name mistyped would make a rule for every bucket of one that is for a few.
    let mistyped = try server.ask(
      "PUT", "/api/v1/rules",
      body: #"{"rules":[{"buckets":"aw","field":"a","match":"b","action":"drop"}]}"#)
    #expect(mistyped.status == 400)
    #expect(try send(#"{"url":"https://b.example/","title":"x"}"#) == 200)
    #expect(try store.at().sequence == 0)
    #expect(try send(#"{"url":"https://c.example/","title":"my bank account"}"#) == 200)
    #expect(try store.at().item("https://c.example/")?.title == "hidden")
    #expect(try server.ask("POST", "/api/v1/pause", body: #"{"until":null}"#).status == 200)
    #expect(try send(#"{"url":"https://d.example/","title":"x"}"#) == 200)
    #expect(try store.at().item("https://d.example/") == nil)
    #expect(try server.ask("POST", "/api/v1/pause", body: #"{"until":false}"#).status == 200)
    let preview = try server.object(
      try server.ask(
        "POST", "/api/v1/rules/preview",
        body: #"{"rules":[{"field":"url","match":"c\\.example","action":"drop"}]}"#))
    #expect(preview["events"] as? Int == 1)
  }
}
