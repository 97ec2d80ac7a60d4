import ActivityWatch
import Cairn
import CairnServer
import Foundation
import Testing

/// ActivityWatch's interface.
@Suite struct WatchTests {
  private func server(_ mode: WatchMode = .open) throws -> TestServer {
    try TestServer { $0.service.watchMode = mode }
  }

  private func make(_ server: TestServer, _ bucket: String, type: String = "currentwindow") throws
    -> Int
  {
    try server.ask(
      "POST", "/api/0/buckets/\(bucket)",
      body: #"{"client":"test","type":"\#(type)","hostname":"here"}"#
    ).status
  }

  private func beat(
    _ server: TestServer, _ bucket: String, at second: Double, _ data: String,
    duration: Double = 0, pulsetime: String = "5"
  ) throws -> [String: Any] {
    let time = ActivityTime(microseconds: 1_700_000_000_000_000 + Int64(second * 1e6)).isoformat
    let answer = try server.ask(
      "POST", "/api/0/buckets/\(bucket)/heartbeat?pulsetime=\(pulsetime)",
      body: #"{"timestamp":"\#(time)","duration":\#(duration),"data":\#(data)}"#)
    #expect(answer.status == 200)
    return try server.object(answer)
  }

  private func beat(_ server: TestServer, pulsetime: String) throws -> HTTPClient.Answer {
    try server.ask(
      "POST", "/api/0/buckets/w/heartbeat?pulsetime=\(pulsetime)",
      body: #"{"timestamp":"2023-11-14T22:00:00Z","data":{"app":"A"}}"#)
  }

  private func events(_ server: TestServer, _ bucket: String, _ query: String = "") throws
    -> [[String: Any]]
  {
    let answer = try server.ask("GET", "/api/0/buckets/\(bucket)/events\(query)")
    #expect(answer.status == 200)
    return try server.list(answer)
  }

  @Test func `buckets are made once, shown, changed and removed`() throws {
    let server = try server()
    #expect(try make(server, "w") == 200)
    #expect(try make(server, "w") == 304)
    #expect(try server.ask("POST", "/api/0/buckets/x", body: #"{"client":"c"}"#).status == 400)
    for path in ["/api/0/buckets", "/api/0/buckets/"] {
      let all = try server.object(try server.ask("GET", path))
      #expect((all["w"] as? [String: Any])?["type"] as? String == "currentwindow")
    }
    #expect(try server.ask("PUT", "/api/0/buckets/w", body: #"{"client":"d"}"#).status == 200)
    let bucket = try server.object(try server.ask("GET", "/api/0/buckets/w"))
    #expect(bucket["client"] as? String == "d")
    #expect(bucket["last_updated"] == nil)
    #expect(try server.ask("DELETE", "/api/0/buckets/w").status == 401)
    _ = try beat(server, "w", at: 0, #"{"app":"A","title":"secret words"}"#)
    #expect(try server.server.store.at().search("secret").count == 1)
    #expect(try server.ask("DELETE", "/api/0/buckets/w?force=1").status == 200)
    #expect(try server.ask("GET", "/api/0/buckets/w").status == 404)
    #expect(try server.server.store.at().search("secret").isEmpty)
  }

  @Test func `a bucket keeps what its maker says of it`() throws {
    let server = try server()
    let made = try server.ask(
      "POST", "/api/0/buckets/w",
      body: #"""
        {"id":"w","type":"t","client":"aw-sync","hostname":"!local","created":null,"events":null,
        "data":{"$aw.sync.origin":"laptop"},"metadata":{"start":null,"end":null}}
        """#)
    #expect(made.status == 200)
    let bucket = try server.object(try server.ask("GET", "/api/0/buckets/w"))
    let data = try #require(bucket["data"] as? [String: Any])
    #expect(data["$aw.sync.origin"] as? String == "laptop")
    #expect(data["device_id"] is String)
  }

  @Test func `heartbeats merge as aw-core merges them`() throws {
    let server = try server()
    _ = try make(server, "w")
    var generator = SystemRandomNumberGenerator()
    var expected: [WatchedEvent] = []
    var second = 0.0
    for _ in 0..<200 {
      second += Double(Int.random(in: -2...8, using: &generator))
      let app = Int.random(in: 0...1, using: &generator)
      let length = Double(Int.random(in: 0...3, using: &generator))
      let data: JSONObject = {
        var data = JSONObject()
        data["app"] = .string("A\(app)")
        data["title"] = .string("T")
        return data
      }()
      let seen = WatchedEvent(
        start: 1_700_000_000_000_000 + Int64(second * 1e6), duration: Int64(length * 1e6),
        data: data)
      if let merged = expected.last?.merged(with: seen, pulsetime: 5_000_000) {
        expected[expected.count - 1] = merged
      } else {
        expected.append(seen)
      }
      _ = try beat(
        server, "w", at: second, #"{"app":"A\#(app)","title":"T"}"#, duration: length)
    }
    let found = try events(server, "w")
    #expect(found.count == expected.count)
    let lengths = found.sorted { ($0["id"] as? Int ?? 0) < ($1["id"] as? Int ?? 0) }
      .compactMap { $0["duration"] as? Double }
    #expect(lengths == expected.map { Double($0.duration) / 1e6 })
    #expect(try server.server.store.verify().isSound)
  }

  @Test func `a run that was answered is as long after the process was killed`() throws {
    let server = try server()
    _ = try make(server, "w")
    for second in 0..<10 { _ = try beat(server, "w", at: Double(second), #"{"app":"A"}"#) }
    // Another reader of the same files is what a process finds that starts after a crash.
    let found = try WatchStore(server.server.store)
    let again = try found.allEvents(of: "w")
    #expect(again.map(\.duration) == [9_000_000])
    let log = try server.server.store.at().sequence
    #expect(log == 1)
    try server.server.service.watches?.settle()
    #expect(try server.server.store.at().sequence == 2)
    let settled = try WatchStore(server.server.store).allEvents(of: "w")
    #expect(settled.map(\.duration) == [9_000_000])
    _ = try beat(server, "w", at: 11, #"{"app":"A"}"#)
    #expect(try events(server, "w").compactMap { $0["duration"] as? Double } == [11])
  }

  @Test func `a line that was cut off spoils none that comes after it`() throws {
    let server = try server()
    _ = try make(server, "w")
    for second in 0..<3 { _ = try beat(server, "w", at: Double(second), #"{"app":"A"}"#) }
    let journal = try #require(
      FileHandle(forWritingAtPath: server.server.store.directory + "/serve.runs"))
    try journal.seekToEnd()
    // What a full disk leaves of a line.
    try journal.write(contentsOf: Data("1 40".utf8))
    try journal.close()
    _ = try beat(server, "w", at: 3, #"{"app":"A"}"#)
    let again = try WatchStore(server.server.store).allEvents(of: "w")
    #expect(again.map(\.duration) == [3_000_000])
  }

  @Test func `what watchers see is searchable under the names importers give`() throws {
    let server = try server()
    _ = try make(server, "web", type: "web.tab.current")
    _ = try make(server, "afk", type: "afkstatus")
    _ = try beat(
      server, "web", at: 0,
      #"{"url":"https://www.example.org/a","title":"Harbour","incognito":false}"#)
    _ = try beat(server, "afk", at: 0, #"{"status":"afk"}"#)
    let hits = try server.server.store.at().search("harbour")
    #expect(hits.map(\.item) == ["https://www.example.org/a"])
    #expect(hits.first?.domain == "web.org.example.www")
    #expect(try server.server.store.at().items().count == 1)
  }

  @Test func `what is too long for an item's name stays in its domain, and is never refused`()
    throws
  {
    let server = try server()
    let (long, folder) = (String(repeating: "a", count: 5_000), String(repeating: "d", count: 200))
    let path = "/home/" + Array(repeating: folder, count: 30).joined(separator: "/")
    let cases = [
      ("web.tab.current", #"{"url":"https://www.example.org/\#(long)","title":"Harbour"}"#),
      ("web.tab.current", #"{"url":"https://\#(long).example.org/"}"#),
      ("currentwindow", #"{"app":"\#(long)","title":"Harbour"}"#),
      ("app.editor.activity", #"{"file":"\#(path)/f.txt"}"#),
    ]
    let domains = ["web.org.example.www", "web.org.example", "apps.here", "files.home.\(folder)."]
    for (number, (type, data)) in cases.enumerated() {
      _ = try make(server, "b\(number)", type: type)
      _ = try beat(server, "b\(number)", at: Double(number), data)
      let event = try #require(try server.server.store.event(at: UInt64(number + 1))).event
      #expect((event.item ?? "").utf8.count == 4_096)
      let domain: String? = if case .value(let name) = event.domain { name } else { nil }
      #expect(number == 3 ? domain?.hasPrefix(domains[3]) == true : domain == domains[number])
    }
    #expect(try server.server.store.at().search("harbour").count == 2)
  }

  @Test func `events are inserted, cut to a span, counted, replaced and purged`() throws {
    let server = try server()
    _ = try make(server, "w")
    let body = (0..<5).map { number in
      #"{"timestamp":"2023-11-14T22:0\#(number):00Z","duration":30,"data":{"app":"A\#(number)"}}"#
    }
    let inserted = try server.ask(
      "POST", "/api/0/buckets/w/events/", body: "[\(body.joined(separator: ","))]")
    #expect(inserted.status == 200)
    #expect(try events(server, "w").count == 5)
    #expect(try events(server, "w", "?limit=0").isEmpty)
    #expect(try events(server, "w", "?limit=-1").count == 5)
    #expect(try events(server, "w", "?limit=2").count == 2)
    let cut = try events(
      server, "w", "?start=2023-11-14T22:01:10Z&end=2023-11-14T22:02:10Z")
    #expect(cut.compactMap { $0["duration"] as? Double } == [10, 20])
    #expect(try server.ask("GET", "/api/0/buckets/w/events?limit=x").status == 400)
    #expect(try server.ask("GET", "/api/0/buckets/w/events?start=x").status == 400)
    #expect(try server.ask("GET", "/api/0/buckets/w/events/count").text == "5")
    let id = try #require(try events(server, "w").first?["id"] as? Int)
    let replaced = try server.ask(
      "POST", "/api/0/buckets/w/events",
      body: #"{"id":\#(id),"timestamp":"2023-11-14T22:04:00Z","duration":1,"data":{"app":"B"}}"#)
    #expect(try server.object(replaced)["id"] as? Int == id)
    #expect(try events(server, "w").count == 5)
    let one = try server.object(try server.ask("GET", "/api/0/buckets/w/events/\(id)"))
    #expect((one["data"] as? [String: Any])?["app"] as? String == "B")
    let deleted = try server.ask("DELETE", "/api/0/buckets/w/events/\(id)")
    #expect(try server.object(deleted)["success"] as? Bool == true)
    #expect(try server.ask("GET", "/api/0/buckets/w/events/\(id)").status == 404)
  }

  @Test func `an event that is refused takes nobody's place`() throws {
    let schema =
      #"{"cairnSchema":1,"domains":{"":{"attributes":{"title":{"type":"text","maxLength":9}}}}}"#
    let server = try TestServer(
      { $0.service.watchMode = .open },
      filledBy: { store in
        _ = try store.setSchema(try store.readSchema(Array(schema.utf8)))
      })
    _ = try make(server, "w")
    let kept = try beat(server, "w", at: 0, #"{"app":"A"}"#)
    let id = try #require(kept["id"] as? Int)
    let app = String(repeating: "a", count: 10)
    let time = "2023-11-14T22:04:00Z"
    let refused = try server.ask(
      "POST", "/api/0/buckets/w/events",
      body: #"[{"id":\#(id),"timestamp":"\#(time)","duration":1,"data":{"app":"\#(app)"}}]"#)
    #expect(refused.status == 422)
    let one = try server.object(try server.ask("GET", "/api/0/buckets/w/events/\(id)"))
    #expect((one["data"] as? [String: Any])?["app"] as? String == "A")
  }

  @Test func `no two events have one id, whatever ids are sent`() throws {
    let server = try server()
    _ = try make(server, "w")
    func insert(_ ids: [Int?]) throws {
      let body = ids.map { id in
        let name = id.map { "\"id\":\($0)," } ?? ""
        return #"{\#(name)"timestamp":"2023-11-14T22:04:00Z","duration":1,"data":{"app":"A"}}"#
      }
      let answer = try server.ask(
        "POST", "/api/0/buckets/w/events", body: "[\(body.joined(separator: ","))]")
      #expect(answer.status == 200)
    }
    func ids() throws -> [Int] { try events(server, "w").compactMap { $0["id"] as? Int } }
    // One that the log comes to later, and one that two events ask for.
    try insert([6, nil, nil])
    try insert([nil, nil, nil, nil])
    #expect(try ids().count == 7)
    #expect(try Set(ids()).count == 7)
    let known = try #require(try ids().first)
    try insert([known, known])
    #expect(try ids().count == 8)
    #expect(try Set(ids()).count == 8)
    #expect(try ids().contains(known))
  }

  @Test func `events that come in thousands are counted`() throws {
    let server = try server()
    _ = try make(server, "w")
    var known = 0
    for _ in 0..<3 {
      let events = (known..<known + 8_000).map { second in
        var event = Event(
          kind: .view, item: "i", time: Timestamp(seconds: 1_700_000_000 + Int64(second)))
        event.source = "activitywatch/w"
        event.extras["activitywatch"] = .object(["data": .object([:])])
        return event
      }
      try server.server.store.appendBlocking(events)
      known += events.count
      let count = try server.ask("GET", "/api/0/buckets/w/events/count").text
      #expect(count == String(known))
    }
  }

  @Test func `what aw-client sends along with a deletion is taken`() throws {
    let server = try server()
    _ = try make(server, "w")
    let id = try #require(try beat(server, "w", at: 0, #"{"app":"A"}"#)["id"] as? Int)
    _ = try server.ask("POST", "/api/0/settings/k", body: "1")
    for path in ["buckets/w/events/\(id)", "buckets/w?force=1", "settings/k"] {
      #expect(try server.ask("DELETE", "/api/0/\(path)", body: "{}").status == 200)
    }
    #expect(try server.ask("GET", "/api/0/buckets/w").status == 404)
  }

  @Test func `an export taken in elsewhere is exported alike`() throws {
    let (one, other) = (try server(), try server())
    _ = try make(one, "w")
    for second in 0..<5 { _ = try beat(one, "w", at: Double(second * 20), #"{"app":"A"}"#) }
    // Two at one time stay in their order.
    for app in ["B", "C"] { _ = try beat(one, "w", at: 200, "{\"app\":\"\(app)\"}") }
    let exported = try one.ask("GET", "/api/0/export")
    #expect(exported["Content-Disposition"]?.hasPrefix("attachment") == true)
    #expect(try other.ask("POST", "/api/0/import", body: exported.text).status == 200)
    #expect(try other.ask("POST", "/api/0/import", body: exported.text).status == 200)
    #expect(try other.ask("GET", "/api/0/export").text == exported.text)
  }

  @Test func `an import skips what is there, whatever wrote its numbers, and adds the rest`() throws
  {
    let server = try server()
    _ = try make(server, "w")
    func file(_ numbers: [String]) -> String {
      let events = numbers.flatMap { number in
        ["2", "1", "1"].map { second in
          #"{"timestamp":"2024-01-01T00:00:0\#(second)Z","duration":3,"data":{"n":\#(number)}}"#
        }
      }
      return #"{"buckets":{"w":{"events":[\#(events.joined(separator: ","))]}}}"#
    }
    // Twice in one file is twice.
    for (numbers, count) in [
      (["1e2", "1.10"], 6), (["100.0", "1.1"], 6), (["100", "1.10", "1.2"], 9), (["true"], 12),
    ] {
      #expect(try server.ask("POST", "/api/0/import", body: file(numbers)).status == 200)
      #expect(try events(server, "w").count == count)
    }
  }

  @Test(arguments: ["", #""created":"unknown","#, #""created":"2024-01-01T00:00:00.5","#])
  func `an imported bucket was made at a time that every client reads`(created: String) throws {
    let server = try server()
    let file = #"{"buckets":{"old":{\#(created)"type":"t","events":[]}}}"#
    #expect(try server.ask("POST", "/api/0/import", body: file).status == 200)
    let bucket = try server.object(try server.ask("GET", "/api/0/buckets/old"))
    let time = try #require(bucket["created"] as? String)
    #expect(Timestamp(rfc3339: time) != nil)
    #expect(!created.contains("2024") || time == "2024-01-01T00:00:00.500000+00:00")
  }

  @Test(arguments: ["", "a\\u0000b", String(repeating: "b", count: 4_097)])
  func `an import makes no bucket that no address can name`(id: String) throws {
    let server = try server()
    let file = #"{"buckets":{"fine":{"type":"t"},"\#(id)":{"type":"t","events":[]}}}"#
    #expect(try server.ask("POST", "/api/0/import", body: file).status == 400)
    #expect(try server.object(try server.ask("GET", "/api/0/buckets")).isEmpty)
  }

  @Test(arguments: [4_096, 4_097])
  func `a bucket is made only by a name that an import takes`(count: Int) throws {
    let server = try server()
    let name = String(repeating: "b", count: count)
    let made = try server.ask(
      "POST", "/api/0/buckets/\(name)", body: #"{"client":"t","type":"t","hostname":"h"}"#)
    #expect(made.status == (count == 4_096 ? 200 : 400))
    let exported = try server.ask("GET", "/api/0/export").text
    #expect(try server.ask("POST", "/api/0/import", body: exported).status == 200)
  }

  @Test func `a parameter that nobody knows costs no heartbeat`() throws {
    let server = try server()
    _ = try make(server, "w")
    let answer = try beat(server, pulsetime: "5&later=1")
    #expect(answer.status == 200)
    #expect(try events(server, "w").count == 1)
  }

  @Test(arguments: ["9007199254740991", "1e300"])
  func `a pulsetime longer than any event lasts is as good as for ever`(pulsetime: String) throws {
    let server = try server()
    _ = try make(server, "w")
    for _ in 0..<2 { #expect(try beat(server, pulsetime: pulsetime).status == 200) }
    #expect(try events(server, "w").count == 1)
  }

  @Test(arguments: ["", "x", "-1", "nan", "inf", "1s", "0x10"])
  func `a pulsetime that is no number of seconds is refused`(pulsetime: String) throws {
    let server = try server()
    _ = try make(server, "w")
    let answer = try beat(server, pulsetime: "\(pulsetime)")
    #expect(answer.status == 400)
    #expect(try events(server, "w").isEmpty)
  }

  @Test func `a title that was cut within a character costs no heartbeat`() throws {
    let server = try server()
    _ = try make(server, "w")
    for second in [0.0, 3] {
      _ = try beat(server, "w", at: second, #"{"app":"A","title":"a \ud83d\u0041\ude00"}"#)
    }
    let kept = try #require(try events(server, "w").first)
    #expect((kept["data"] as? [String: Any])?["title"] as? String == "a \u{fffd}A\u{fffd}")
    #expect(kept["duration"] as? Double == 3)
    let sent = #"[{"timestamp":"2024-01-01T00:00:00Z","data":{"app":"A","title":"\ud83d"}}]"#
    #expect(try server.ask("POST", "/api/0/buckets/w/events", body: sent).status == 200)
    // The history's own lines stay strict.
    let line = #"{"kind":"view","item":"\ud83d"}"#
    #expect(try server.ask("POST", "/api/v1/events", body: line).status == 400)
  }

  @Test func `a query finds the bucket that was made first, also after a restart`() throws {
    let server = try server()
    for bucket in ["z-window", "m-window", "a-window"] { #expect(try make(server, bucket) == 200) }
    let body =
      #"{"timeperiods":["2024-01-01/2024-01-02"],"query":["RETURN = find_bucket(\"win\");"]}"#
    func found(_ server: TestServer) throws -> String {
      try server.ask("POST", "/api/0/query", body: body).text
    }
    #expect(try found(server) == #"["z-window"]"#)
    #expect(try server.ask("DELETE", "/api/0/buckets/z-window?force=1").status == 200)
    #expect(try make(server, "z-window") == 200)
    #expect(try found(server) == #"["m-window"]"#)
    server.server.stop()
    let again = try TestServer(at: server.directory) { $0.service.watchMode = .open }
    #expect(try found(again) == #"["m-window"]"#)
  }

  @Test func `a watcher without a token may send and not read`() throws {
    let server = try server(.ingest)
    func status(_ method: String, _ path: String, _ body: String? = nil) throws -> Int {
      try server.ask(method, path, body: body, headers: ["Authorization": ""]).status
    }
    let event = #"{"timestamp":"2023-11-14T22:00:00Z","data":{"app":"A"}}"#
    #expect(try status("GET", "/api/0/info") == 200)
    #expect(
      try status("POST", "/api/0/buckets/w", #"{"client":"c","type":"t","hostname":"h"}"#) == 200)
    #expect(try status("POST", "/api/0/buckets/w/heartbeat?pulsetime=1", event) == 200)
    #expect(try status("POST", "/api/0/buckets/w/events", event) == 200)
    #expect(try status("GET", "/api/0/buckets/w/events") == 401)
    #expect(try status("GET", "/api/0/export") == 401)
    #expect(try status("DELETE", "/api/0/buckets/w?force=1") == 401)
    #expect(
      try self.server(.token).ask(
        "GET", "/api/0/buckets", headers: ["Authorization": ""]
      ).status == 401)
    #expect(try self.server(.off).ask("GET", "/api/0/info").status == 404)
  }

  @Test func `queries are answered, and what is wrong with one is told`() throws {
    let server = try server()
    _ = try make(server, "w")
    _ = try beat(server, "w", at: 0, #"{"app":"A"}"#)
    _ = try beat(server, "w", at: 3, #"{"app":"A"}"#)
    let good = try server.ask(
      "POST", "/api/0/query/",
      body:
        #"{"timeperiods":["2023-11-14/2023-11-16"],"query":["RETURN = sum_durations(query_bucket('w'));"]}"#
    )
    #expect(good.status == 200)
    let values = try JSONSerialization.jsonObject(with: Data(good.body)) as? [Double]
    #expect(values == [3])
    let bad = try server.ask(
      "POST", "/api/0/query/",
      body: #"{"timeperiods":["2023-11-14/2023-11-16"],"query":["x = 1;"]}"#)
    #expect(bad.status == 400)
    #expect(try server.object(bad)["type"] as? String == "QueryParseException")
  }

  @Test func `settings that are damaged are no fault of who asks`() throws {
    let server = try server()
    try Data("1".utf8).write(to: URL(filePath: server.directory + "/serve.settings"))
    #expect(try server.ask("GET", "/api/0/settings").status == 500)
  }

  @Test func `settings are kept by name`() throws {
    let server = try server()
    #expect(try server.ask("GET", "/api/0/settings/a").text == "null")
    #expect(try server.ask("POST", "/api/0/settings/a", body: "[1]").status == 201)
    #expect(try server.ask("GET", "/api/0/settings/a").text == "[1]")
    let long = String(repeating: "k", count: 128)
    #expect(try server.ask("GET", "/api/0/settings/\(long)").status == 400)
    #expect(try server.ask("DELETE", "/api/0/settings/a").status == 200)
    #expect(try server.ask("GET", "/api/0/settings").text == "{}")
  }
}
