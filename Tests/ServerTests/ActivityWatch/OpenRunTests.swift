import ActivityWatch
import Cairn
import Foundation
import Synchronization
import Testing

@testable import CairnServer

/// The file of open runs of a server: what it may hold, and for how long.
@Suite struct OpenRunTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "runs-\(UUID().uuidString)")

  private let bucket = Bucket(
    id: "w", type: "currentwindow", client: "t", hostname: "h", created: "2026-01-01T00:00:00Z")

  private func beat(_ server: TestServer, _ app: String, at second: Int) throws -> Int {
    let time = ActivityTime(microseconds: 1_700_000_000_000_000 + Int64(second) * 1_000_000)
    return try server.ask(
      "POST", "/api/0/buckets/w/heartbeat?pulsetime=5",
      body: #"{"timestamp":"\#(time.isoformat)","duration":0,"data":{"app":"\#(app)"}}"#
    ).status
  }

  private func beat(
    _ watches: WatchStore, _ app: String, at second: some BinaryInteger, in other: Bucket? = nil
  ) throws {
    let seen = WatchedEvent(
      id: nil, start: 1_700_000_000_000_000 + Int64(second) * 1_000_000, duration: 0,
      data: ["app": .string(app)])
    _ = try watches.heartbeat(seen, pulsetime: 5_000_000, in: other ?? bucket)
  }

  private func server() throws -> TestServer {
    let server = try TestServer { $0.service.watchMode = .open }
    let made = try server.ask(
      "POST", "/api/0/buckets/w", body: #"{"client":"t","type":"currentwindow","hostname":"h"}"#)
    #expect(made.status == 200)
    return server
  }

  @Test func `a purge of another process leaves no line of a run, and none comes after`() throws {
    let server = try server()
    for second in 0..<5 { #expect(try beat(server, "A", at: second) == 200) }
    let path = server.server.store.runsPath
    #expect(try RunLines.lengths(path) == [1: 4_000_000])
    let other = try Store.open(at: server.directory)
    _ = try #require(try other.purge(.domain("apps")))
    other.close()
    #expect(try RunLines.lengths(path) == [:])
    let left = try String(contentsOfFile: path, encoding: .utf8)
    #expect(left.allSatisfy { " \n".contains($0) })
    // The run that went is not gone on with.
    for second in 5..<8 { #expect(try beat(server, "A", at: second) == 200) }
    #expect(try RunLines.lengths(path).keys.allSatisfy { $0 > 2 })
    #expect(try server.server.store.verify().problems == [])
  }

  @Test func `an event that is damaged refuses no watcher, and is not just left out`() throws {
    let server = try TestServer { plan in
      plan.service.watchMode = .open
      try damage("Needle", in: plan.directory)
    } filledBy: { store in
      let watches = try WatchStore(store)
      for id in ["w", "other"] {
        var made = bucket
        made.id = id
        _ = try watches.make(made)
        for second in 0..<30 {
          try beat(watches, second == 15 ? "Needle" : "A\(second)", at: second, in: made)
        }
      }
    }
    for (app, second) in [("A29", 30), ("B", 31), ("B", 32)] {
      #expect(try beat(server, app, at: second) == 200)
    }
    #expect(try server.ask("GET", "/api/0/buckets/other").status == 200)
    for path in ["events", "events?limit=1", "events/count", "events/16", "export"] {
      let told = try server.ask("GET", "/api/0/buckets/w/\(path)")
      #expect(told.status == 500, "\(path)")
    }
    let query = #"""
      {"timeperiods":["2026-01-01/2027-01-01"],"query":["RETURN = query_bucket('w');"]}
      """#
    #expect(try server.ask("POST", "/api/0/query", body: query).status == 500)
    #expect(try server.ask("GET", "/api/0/buckets/w/events/3").status == 200)
    let ready = try server.ask("GET", "/readyz")
    #expect(try (ready.status, server.code(ready)) == (503, "corrupt"))
  }

  /// Changes a byte of each event that has a text.
  private func damage(_ text: String, in directory: String) throws {
    let file = URL(filePath: directory + "/log.mdb")
    var data = try Data(contentsOf: file)
    var from = data.startIndex
    while let place = data.range(of: Data(text.utf8), in: from..<data.endIndex) {
      data[place.lowerBound] ^= 1
      from = place.upperBound
    }
    #expect(from > data.startIndex)
    try data.write(to: file)
  }

  @Test func `a restored backup knows how long open runs are`() throws {
    let server = try server()
    for second in 0..<8 { #expect(try beat(server, "A", at: second) == 200) }
    let backup = server.directory + "-backup"
    let restored = server.directory + "-restored"
    defer {
      for path in [backup, restored] { try? FileManager.default.removeItem(atPath: path) }
    }
    _ = try server.server.store.backUp(into: backup)
    _ = try Store.restore(backup, into: restored)
    let store = try Store.open(at: restored)
    defer { store.close() }
    let watches = try WatchStore(store)
    #expect(try watches.allEvents(of: "w").map(\.duration) == [7_000_000])
    // Even where nobody has made the bucket again, the log is told.
    try watches.settle()
    #expect(try RunLines.lengths(store.runsPath) == [:])
    #expect(
      try WatchStore(store).allEvents(of: "w").map(\.duration) == [7_000_000])
  }

  /// Fills a store as a server does that is killed while a run is open.
  private func leaveRun(in store: Store) throws {
    let watches = try WatchStore(store)
    _ = try watches.make(bucket)
    for second in 0..<4 { try beat(watches, "A", at: second) }
  }

  @Test func `what the log has of watchers is found before any of them asks`() throws {
    let server = try TestServer(
      at: folder.path, { $0.service.watchMode = .open }, filledBy: leaveRun(in:))
    while server.server.service.openCount > 0 { ShortPause.take() }
    server.server.stop()
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    #expect(try RunLines.lengths(store.runsPath) == [:])
    let told = try store.event(at: 2)
    #expect(told?.event.extended == 1)
    #expect(told?.event.dwell == 3)
  }

  @Test func `what a server that ends has not found of the log is found by whoever asks`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    try leaveRun(in: store)
    let watches = try WatchStore(store)
    // The newest first, and in the midst of them a purge.
    for second in stride(from: -10, to: -40, by: -10) { try beat(watches, "B", at: second) }
    var criteria = PurgeCriteria()
    criteria.sequences = [3...3]
    _ = try #require(try store.purge(.matching(criteria)))
    for second in stride(from: -50, to: -80, by: -10) { try beat(watches, "B", at: second) }
    let events = try watches.allEvents(of: "w")
    #expect(events.map(\.duration) == [3_000_000, 0, 0, 0, 0, 0])
    for count in 1...9 {
      let late = try WatchStore(store)
      var asked = 0
      try late.load {
        asked += 1
        return asked < count
      }
      #expect(asked == min(count, 8))
      #expect(try late.allEvents(of: "w") == events)
    }
  }

  @Test func `a server that only reads leaves open runs, and says nothing of them`() throws {
    let path = folder.path + ".log"
    try Data().write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let log = try FileHandle(forWritingTo: URL(filePath: path))
    let change = { (plan: inout Server.Plan) in
      plan.service.watchMode = .open
      plan.service.isReadOnly = true
      plan.service.logLevel = .info
      plan.service.logDescriptor = log.fileDescriptor
    }
    let server = try TestServer(at: folder.path, change, filledBy: leaveRun(in:))
    server.server.stop()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "")
    #expect(try RunLines.lengths("\(folder.path)/\(RunLines.name)") == [1: 3_000_000])
  }

  @Test func `with nothing aside the end waits for nobody who writes`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store)
    #expect(try watches.buckets().isEmpty)
    let other = try Store.open(at: folder.path)
    defer { other.close() }
    try other.withWriterLock { () throws(CairnError) in try watches.settle() }
  }

  @Test func `an earlier version's file is begun anew while no purge ends`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    try store.appendBlocking([Event(kind: .view, item: "a")])
    // Without one, or with one that has a count, a server waits for nobody who writes.
    for _ in 1...2 {
      let impatient = try Store.open(at: folder.path, patience: .zero)
      defer { impatient.close() }
      try store.withWriterLock { () throws(CairnError) in _ = try WatchStore(impatient) }
    }
    try Data("1 10\n".utf8).write(to: URL(filePath: store.runsPath))
    let other = try Store.open(at: folder.path, patience: .zero)
    defer { other.close() }
    try store.withWriterLock { () throws(CairnError) -> Void in
      #expect(throws: CairnError.self) { try WatchStore(other) }
    }
    #expect(try String(contentsOfFile: store.runsPath, encoding: .utf8) == "1 10\n")
    _ = try WatchStore(other)
    #expect(try RunLines.lengths(store.runsPath) == [1: 10])
  }

  @Test func `the file stays small, and nothing that was answered is lost`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store, runByteCount: 200)
    #expect(try watches.make(bucket))
    var expected: [Int64] = []
    for second in 0..<300 {
      let time = 1_700_000_000_000_000 + Int64(second) * 1_000_000
      let data: JSONObject = ["app": .string("A\(second / 40)")]
      let (_, isNew) = try watches.heartbeat(
        WatchedEvent(id: nil, start: time, duration: 0, data: data), pulsetime: 5_000_000,
        in: bucket)
      if isNew { expected.append(0) } else { expected[expected.count - 1] += 1_000_000 }
      let bytes = try RunLines.readAll(store.runsPath)
      #expect(RunLines.end(of: bytes).next < 300 && bytes.count < 20_000)
      if second % 50 == 0 {
        // What a process finds that starts after a crash.
        let found = try WatchStore(store).allEvents(of: "w").map(\.duration)
        #expect(found.reversed() == expected)
      }
    }
    #expect(expected.count == 8)
  }

  @Test(arguments: [200, 1 << 20])
  func `watchers at once each wait for their own line, and none for ever`(byteCount: Int) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store, runByteCount: byteCount)
    let (watcherCount, beatCount) = (12, 40)
    let ended = DispatchSemaphore(value: 0)
    let failures = Mutex<[String]>([])
    for number in 0..<watcherCount {
      var bucket = bucket
      bucket.id = "w\(number)"
      let own = bucket
      #expect(try watches.make(own))
      Thread.detachNewThread {
        for second in 0..<beatCount {
          let seen = WatchedEvent(
            id: nil, start: 1_700_000_000_000_000 + Int64(second) * 1_000_000, duration: 0,
            data: ["app": .string("A")])
          let length = try? watches.heartbeat(seen, pulsetime: 5_000_000, in: own).event.duration
          if length != Int64(second) * 1_000_000 {
            failures.withLock { $0.append("\(own.id) at \(second): \(length ?? -1)") }
          }
        }
        ended.signal()
      }
    }
    for _ in 0..<watcherCount { ended.wait() }
    #expect(failures.withLock { $0 } == [])
    // What a process finds that starts after a crash.
    let found = try WatchStore(store)
    for number in 0..<watcherCount {
      let events = try found.allEvents(of: "w\(number)")
      #expect(events.map(\.duration) == [Int64(beatCount - 1) * 1_000_000])
    }
  }

  @Test(arguments: [false, true])
  func `the end of a server waits for no other process that writes`(hasRequest: Bool) throws {
    let server = try TestServer { plan in
      plan.service.watchMode = .open
      plan.patience = .seconds(86_400)
      plan.drainTime = .milliseconds(100)
    }
    #expect(
      try server.ask(
        "POST", "/api/0/buckets/w", body: #"{"client":"t","type":"currentwindow","hostname":"h"}"#
      ).status == 200)
    for second in 0..<5 { #expect(try beat(server, "A", at: second) == 200) }
    let other = try Store.open(at: server.directory)
    defer { other.close() }
    let client = try server.client()
    let event = server.request("POST", "/api/v1/events", body: #"{"kind":"view","item":"a"}"#)
    try other.withWriterLock { () throws(CairnError) in
      if hasRequest {
        client.send(event)
        while server.server.service.openCount == 0 { usleep(1_000) }
      }
      server.server.stop()
    }
    #expect(try RunLines.lengths(server.directory + "/" + RunLines.name) == [1: 4_000_000])
  }

  @Test func `what is under way when a bucket is removed leaves nothing of it`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store)
    let own = bucket
    #expect(try watches.make(own))
    let ended = DispatchSemaphore(value: 0)
    for number in 0..<4 {
      Thread.detachNewThread {
        var second: Int64 = 0
        var isThere = true
        while isThere {
          // Each begins a run of its own.
          let seen = WatchedEvent(
            id: nil, start: 1_700_000_000_000_000 + second * 1_000_000, duration: 0,
            data: ["app": .string("\(number) \(second)")])
          isThere = (try? watches.heartbeat(seen, pulsetime: 0, in: own)) != nil
          second += 1
        }
        ended.signal()
      }
    }
    while try store.at().sequence < 20 { usleep(1_000) }
    #expect(try watches.remove("w"))
    for _ in 0..<4 { ended.wait() }
    var query = EventQuery()
    query.source = own.source
    #expect(try store.events(query).isEmpty)
    #expect(try watches.allEvents(of: "w").isEmpty)
  }

  @Test func `a heartbeat waits for no writer to have the file rewritten or the log told`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store, runByteCount: 100)
    #expect(try watches.make(bucket))
    func beat(_ minute: Int) throws -> Int64 {
      let seen = WatchedEvent(
        id: nil, start: 1_700_000_000_000_000 + Int64(minute) * 60_000_000, duration: 0,
        data: ["app": .string("A")])
      return try watches.heartbeat(seen, pulsetime: 90_000_000, in: bucket).event.duration
    }
    #expect(try beat(0) == 0)
    let other = try Store.open(at: folder.path)
    defer { other.close() }
    var failure: (any Error)?
    try other.withWriterLock { () throws(CairnError) in
      do {
        for minute in 1...130 { #expect(try beat(minute) == Int64(minute) * 60_000_000) }
      } catch { failure = error }
    }
    #expect(failure == nil)
    #expect(try store.at().sequence == 1)
    // The next one finds the writer free.
    #expect(try beat(131) == 131 * 60_000_000)
    #expect(try store.at().sequence == 2)
    #expect(RunLines.end(of: try RunLines.readAll(store.runsPath)).next < 100)
  }

  @Test func `a purge of what lengthened a run takes its length, and no restart brings it back`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store)
    #expect(try watches.make(bucket))
    func beat(_ app: String, at second: Int) throws { try self.beat(watches, app, at: second) }
    for second in 0..<5 { try beat("A", at: second) }
    // Another run begins: the log is told by its second event how long the first one became.
    try beat("B", at: 5)
    #expect(try watches.allEvents(of: "w").map(\.duration) == [0, 4_000_000])
    var criteria = PurgeCriteria()
    criteria.sequences = [2...2]
    _ = try #require(try store.purge(.matching(criteria)))
    #expect(try watches.allEvents(of: "w").map(\.duration) == [0, 0])
    #expect(try RunLines.lengths(store.runsPath) == [:])
    try watches.settle()
    #expect(try WatchStore(store).allEvents(of: "w").map(\.duration) == [0, 0])
  }

  /// A heartbeat that begins another run tells how long the last one became; the purge of that may
  /// come in between.
  @Test func `what tells how long a run became is not taken once a purge took the run`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    func length(of sequence: Int) -> Event {
      var event = Event(kind: .extend, item: "gone")
      event.dwell = 5
      event.extras["of"] = .number(String(sequence))
      return event
    }
    try store.appendBlocking([Event(kind: .view, item: "gone")])
    try store.appendBlocking([length(of: 1)])
    _ = try #require(try store.purge(.item("gone")))
    let next = Event(kind: .view, item: "next")
    let result = try store.appendBlocking(whole: [length(of: 1), next], expecting: nil)
    #expect(result.outcomes.last == AppendResult.Outcome.appended(4))
    #expect(try store.events().map(\.event.kind) == [.purge, .view])
    // One that was exported before is put back as any other event.
    var exported = length(of: 1)
    exported.id = EventID(high: 7, low: 7)
    #expect(try store.appendBlocking([exported]).outcomes == [AppendResult.Outcome.appended(5)])
  }

  @Test func `forgetting the last minutes cuts a run short that went on in them`() throws {
    let server = try server()
    let now = Timestamp.now().seconds
    func beat(minutesAgo minutes: Int64) throws -> Int {
      let time = Timestamp(seconds: now - minutes * 60).rfc3339
      let body = #"{"timestamp":"\#(time)","duration":0,"data":{"app":"A"}}"#
      return try server.ask("POST", "/api/0/buckets/w/heartbeat?pulsetime=90", body: body).status
    }
    for minutes in (0...40).reversed() { #expect(try beat(minutesAgo: Int64(minutes)) == 200) }
    #expect(try server.server.store.at().sequence == 1)
    let plan = try server.ask("GET", "/forget?minutes=15").text
    func hidden(_ name: String) throws -> String {
      let mark = try #require(plan.range(of: "name=\"\(name)\" value=\""))
      return String(plan[mark.upperBound...].prefix { $0 != "\"" })
    }
    let (since, digest) = (try hidden("since"), try hidden("digest"))
    let done = try server.post("since=\(since)&digest=\(digest)&name=forget", to: "/forget")
    #expect(done.status == 303)
    let place = try #require(done["location"])
    var page = ""
    for _ in 0..<600 where !page.contains("class=\"receipt\"") {
      page = try server.ask("GET", place).text
      usleep(20_000)
    }
    let end = try #require(Timestamp(rfc3339: since)).seconds
    let length = (end - now + 40 * 60) * 1_000_000
    // As it is, and as a process finds it that starts after a crash.
    let again = try WatchStore(server.server.store)
    for watches in [again, try #require(server.server.service.watches)] {
      #expect(try watches.allEvents(of: "w").map(\.duration) == [length])
    }
    #expect(try beat(minutesAgo: 0) == 200)
    #expect(
      try server.server.service.watches?.allEvents(of: "w").map(\.duration) == [0, length])
  }

  @Test func `a purge of another process since a time cuts a run short that went on then`() throws {
    let server = try server()
    for second in 0...20 { #expect(try beat(server, "A", at: second) == 200) }
    // What happened in the span, so that the log has a purge to tell of.
    let event = #"{"kind":"view","item":"a","time":"2023-11-14T22:13:35Z"}"#
    #expect(try server.ask("POST", "/api/v1/events", body: event).status == 200)
    let other = try Store.open(at: server.directory)
    var criteria = PurgeCriteria()
    criteria.since = Timestamp(seconds: 1_700_000_008)
    _ = try #require(try other.purge(.matching(criteria)))
    other.close()
    #expect(try RunLines.lengths(server.server.store.runsPath) == [1: 8_000_000])
    let text = try String(contentsOfFile: server.server.store.runsPath, encoding: .utf8)
    #expect(!text.contains("20000000"))
    // What goes on after a gap is another run.
    #expect(try beat(server, "A", at: 21) == 200)
    let watches = try #require(server.server.service.watches)
    #expect(try watches.allEvents(of: "w").map(\.duration) == [0, 8_000_000])
    #expect(try server.server.store.verify().problems == [])
  }

  @Test func `a purge of another process leaves runs and events as they were before its span`()
    throws
  {
    let server = try server()
    for second in 0...8 { #expect(try beat(server, "A", at: second) == 200) }
    // What comes next has the log told of the run.
    #expect(try beat(server, "B", at: 20) == 200)
    let time = ActivityTime(microseconds: 1_700_000_000_000_000).isoformat
    let inserted = try server.ask(
      "POST", "/api/0/buckets/w/events",
      body: #"[{"timestamp":"\#(time)","duration":60,"data":{"app":"C"}}]"#)
    #expect(inserted.status == 200)
    let watches = try #require(server.server.service.watches)
    let before = try watches.allEvents(of: "w")
    #expect(before.map(\.duration) == [0, 60_000_000, 8_000_000])
    let other = try Store.open(at: server.directory)
    defer { other.close() }
    var criteria = PurgeCriteria()
    criteria.since = Timestamp(seconds: 1_700_000_005)
    _ = try #require(try other.purge(.matching(criteria)))
    let after = try watches.allEvents(of: "w")
    #expect(after.map(\.duration) == [5_000_000, 5_000_000])
    #expect(Set(after.map(\.id)) == Set(before.dropFirst().map(\.id)))
    #expect(try WatchStore(other).allEvents(of: "w") == after)
    #expect(try other.purge(.matching(criteria))?.sequence == nil)
  }

  @Test func `a run is cut short also where nothing else is to be forgotten`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store)
    #expect(try watches.make(bucket))
    func beat(at second: Int64) throws { try self.beat(watches, "A", at: second) }
    for second in [0, 4, 8] as [Int64] { try beat(at: second) }
    let restarted = try WatchStore(store)
    #expect(try restarted.allEvents(of: "w").map(\.duration) == [8_000_000])
    let other = try Store.open(at: folder.path)
    defer { other.close() }
    // Also when no heartbeat came in between.
    for left in [5, 3] as [Int64] {
      var criteria = PurgeCriteria()
      criteria.since = Timestamp(seconds: 1_700_000_000 + left)
      // The log does not tell of it.
      #expect(try other.purge(.matching(criteria))?.sequence == nil)
      for found in [watches, restarted, try WatchStore(store)] {
        #expect(try found.allEvents(of: "w").map(\.duration) == [left * 1_000_000])
      }
    }
    try beat(at: 9)
    #expect(try watches.allEvents(of: "w").map(\.duration) == [0, 3_000_000])
  }

  @Test func `a cut is seen whichever line it was made in`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store)
    var late = bucket
    late.id = "late"
    // What a watcher held back comes last and is of long before.
    for (bucket, seconds) in [(bucket, 0...8), (late, -100 ... -96)] {
      #expect(try watches.make(bucket))
      for second in seconds { try beat(watches, "A", at: second, in: bucket) }
    }
    let other = try Store.open(at: folder.path)
    defer { other.close() }
    for left in [6, 3] as [Int64] {
      var criteria = PurgeCriteria()
      criteria.since = Timestamp(seconds: 1_700_000_000 + left)
      _ = try other.purge(.matching(criteria))
      #expect(try watches.allEvents(of: "w").map(\.duration) == [left * 1_000_000])
    }
    #expect(try watches.allEvents(of: "late").map(\.duration) == [4_000_000])
  }

  @Test(arguments: [false, true])
  func `a span that has an end cuts short what reaches into it`(isLogged: Bool) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store)
    #expect(try watches.make(bucket))
    for second in 0...20 { try beat(watches, "A", at: second) }
    if isLogged { try watches.settle() }
    var criteria = PurgeCriteria()
    criteria.since = Timestamp(seconds: 1_700_000_008)
    criteria.until = Timestamp(seconds: 1_700_000_012)
    // What the log was told of the run goes, and it is told anew how long it was before.
    #expect(try store.planPurge(.matching(criteria)).eventCount == (isLogged ? 1 : 0))
    _ = try store.purge(.matching(criteria))
    for found in [watches, try WatchStore(store)] {
      #expect(try found.allEvents(of: "w").map(\.duration) == [8_000_000])
    }
  }

  @Test func `what a heartbeat that waited for a purge told the log is taken back`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store)
    #expect(try watches.make(bucket))
    for second in 0...20 { try beat(watches, "A", at: second) }
    let run = try #require(try watches.entries(of: "w").first)
    var criteria = PurgeCriteria()
    criteria.since = Timestamp(seconds: 1_700_000_008)
    criteria.until = Timestamp(seconds: 1_700_000_012)
    let lengths = try watches.lengths(at: Timestamp(seconds: 1_700_000_008))
    _ = try store.purge(.matching(criteria))
    let item = try store.event(at: run.sequence)?.event.item
    try store.appendBlocking([
      StoredActivity.lengthening(run, item: item, source: bucket.source)
    ])
    try watches.shorten(lengths)
    for found in [watches, try WatchStore(store)] {
      #expect(try found.allEvents(of: "w").map(\.duration) == [8_000_000])
    }
  }

  @Test func `a purge of another process leaves what was before it, whatever comes meanwhile`()
    throws
  {
    defer { try? FileManager.default.removeItem(at: folder) }
    // Two stores of one process share the thread that writes: while one waits on it for the lock
    // that the other holds, both wait. So the wait is short, and a heartbeat may be refused.
    let store = try Store.open(at: folder.path, patience: .milliseconds(5))
    let other = try Store.open(at: folder.path)
    defer {
      other.close()
      store.close()
    }
    let watches = try WatchStore(store)
    #expect(try watches.make(bucket))
    func beat(at second: Int64, _ app: Int64) throws {
      let seen = WatchedEvent(
        id: nil, start: (1_700_000_000 + second) * 1_000_000, duration: 0,
        data: ["app": .string("A\(app)")])
      do { _ = try watches.heartbeat(seen, pulsetime: 2_000_000, in: bucket) } catch {
        guard error.code == .busy else { throw error }
      }
    }
    for run in 0..<40 as Range<Int64> {
      let first = run * 1_000
      for second in first...first + 9 { try beat(at: second, run) }
      var criteria = PurgeCriteria()
      criteria.since = Timestamp(seconds: 1_700_000_005 + first)
      criteria.until = Timestamp(seconds: 1_700_000_007 + first)
      let span = criteria
      let isPurged = Mutex(false)
      let ended = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        _ = try? other.purge(.matching(span))
        isPurged.withLock { $0 = true }
        ended.signal()
      }
      var second = first + 9
      while !isPurged.withLock({ $0 }), second < first + 900 {
        second += 1
        // Half of them begin another run, which tells the log of this one.
        try beat(at: second, run.isMultiple(of: 2) || second < first + 12 ? run : -1)
      }
      ended.wait()
      let start = (1_700_000_000 + first) * 1_000_000
      let cut = try watches.allEvents(of: "w").first { $0.start == start }
      #expect(cut.map { $0.duration >= 5_000_000 } == true, "run \(run)")
    }
  }

  @Test func `a run goes on where a purge cut an older event short`() throws {
    let server = try server()
    let inserted = try server.ask(
      "POST", "/api/0/buckets/w/events",
      body: #"[{"timestamp":"2023-11-14T22:00:00Z","duration":60,"data":{"app":"O"}}]"#)
    #expect(inserted.status == 200)
    for second in 0...2 { #expect(try beat(server, "A", at: second) == 200) }
    var criteria = PurgeCriteria()
    criteria.since = Timestamp(rfc3339: "2023-11-14T22:00:30Z")
    criteria.until = Timestamp(rfc3339: "2023-11-14T22:00:40Z")
    _ = try #require(try server.server.store.purge(.matching(criteria)))
    #expect(try beat(server, "A", at: 3) == 200)
    let watches = try #require(server.server.service.watches)
    #expect(try watches.allEvents(of: "w").map(\.duration) == [3_000_000, 30_000_000])
    // And so finds it a server that starts: the last one of the bucket is not what was told last.
    let again = try WatchStore(server.server.store)
    let seen = WatchedEvent(
      start: 1_700_000_004_000_000, duration: 0, data: ["app": .string("A")])
    #expect(try !again.heartbeat(seen, pulsetime: 5_000_000, in: bucket).isNew)
  }

  @Test func `what says how long a run became goes with the run`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store.open(at: folder.path)
    defer { store.close() }
    let watches = try WatchStore(store)
    #expect(try watches.make(bucket))
    for (app, second) in [("A", 0), ("A", 4), ("B", 5)] as [(String, Int64)] {
      try beat(watches, app, at: second)
    }
    // The first event began in the span; the second one, of now, names the same item.
    var criteria = PurgeCriteria()
    criteria.until = Timestamp(seconds: 1_700_000_002)
    let plan = try store.planPurge(.matching(criteria))
    #expect(plan.eventCount == 2)
    _ = try #require(try store.purge(.matching(criteria)))
    #expect(try store.event(at: 1) == nil)
    #expect(try store.event(at: 2) == nil)
    #expect(try store.event(at: 3) != nil)
  }

  @Test func `a backup keeps what a server was told, and no token`() throws {
    let server = try server()
    let rules =
      #"{"rules":[{"field":"title","match":"bank","action":"drop"}]}"#
    #expect(try server.ask("PUT", "/api/v1/rules", body: rules).status == 200)
    #expect(try server.ask("POST", "/api/0/settings/theme", body: #""dark""#).status == 201)
    #expect(try server.ask("PUT", "/api/v1/consumers/c", body: #"{"after":0}"#).status == 201)
    let backup = server.directory + "-backup"
    let restored = server.directory + "-restored"
    defer {
      for path in [backup, restored] { try? FileManager.default.removeItem(atPath: path) }
    }
    _ = try server.server.store.backUp(into: backup)
    _ = try Store.restore(backup, into: restored)
    let names = try FileManager.default.contentsOfDirectory(atPath: restored)
      .filter { $0.hasPrefix("serve.") }.sorted()
    #expect(names == ["serve.buckets", "serve.consumers", "serve.rules", "serve.settings"])
    for name in names {
      #expect(
        FileManager.default.contents(atPath: "\(restored)/\(name)")
          == FileManager.default.contents(atPath: "\(server.directory)/\(name)"))
    }
  }
}
