import ActivityWatch
import Cairn
import Foundation
import Testing

@testable import CairnServer

/// The file of open runs of a server: what it may hold, and for how long.
@Suite struct OpenRunTests {
  private let bucket = Bucket(
    id: "w", type: "currentwindow", client: "t", hostname: "h", created: "2026-01-01T00:00:00Z")

  private func beat(_ server: TestServer, _ app: String, at second: Int) throws -> Int {
    let time = ActivityTime(microseconds: 1_700_000_000_000_000 + Int64(second) * 1_000_000)
    return try server.ask(
      "POST", "/api/0/buckets/w/heartbeat?pulsetime=5",
      body: #"{"timestamp":"\#(time.isoformat)","duration":0,"data":{"app":"\#(app)"}}"#
    ).status
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
    #expect(try TestServer.events(of: watches, in: "w").map(\.duration) == [7_000_000])
    // Even where nobody has made the bucket again, the log is told.
    try watches.settle()
    #expect(try RunLines.lengths(store.runsPath) == [:])
    #expect(
      try TestServer.events(of: try WatchStore(store), in: "w").map(\.duration) == [7_000_000])
  }

  @Test func `the file stays small, and nothing that was answered is lost`() throws {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "runs-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let store = try Store.open(at: directory)
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
      let size = try FileManager.default.attributesOfItem(atPath: store.runsPath)[.size] as? Int
      #expect(try #require(size) < 300)
      if second % 50 == 0 {
        // What a process finds that starts after a crash.
        let found = try TestServer.events(of: try WatchStore(store), in: "w").map(\.duration)
        #expect(found.reversed() == expected)
      }
    }
    #expect(expected.count == 8)
  }
}
