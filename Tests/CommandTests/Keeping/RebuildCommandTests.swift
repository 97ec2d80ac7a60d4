import Foundation
import TestSupport
import Testing

/// `rebuild` from outside: its status, and being stopped by others.
@Suite struct RebuildCommandTests {
  private static let keys: Set<String> = [
    "running", "sequence", "head", "reason", "projections", "rate", "secondsLeft", "generations",
  ]

  private static func status(_ store: Store) throws -> [String: Any] {
    let result = try store.run("rebuild", "--status", "--json")
    #expect(result.status == 0, "\(result.errors)")
    let row = try #require(try result.objects().first)
    #expect(Set(row.keys) == keys)
    return row
  }

  private static func states(_ row: [String: Any]) -> [String] {
    (row["generations"] as? [[String: Any]] ?? []).compactMap { $0["state"] as? String }
  }

  @Test func `keep, roll back, and nothing to roll back`() throws {
    let store = Store("kept")
    try store.append(try MadeUpHistory(count: 400, seed: 3).data)
    #expect(try store.run("rebuild", "--rollback").status == 1)
    #expect(try store.run("rebuild", "--cancel").status == 1)
    let kept = try store.run("rebuild", "--keep", "--json").objects()
    #expect(!kept.isEmpty)
    var status = try Self.status(store)
    #expect(status["running"] as? Bool == false && Self.states(status) == ["kept", "serving"])
    try store.append(Data(#"{"kind":"view","item":"item-1"}"#.utf8))
    let rows = try store.run("rebuild", "--rollback", "--json").objects()
    #expect(rows.count == kept.count && rows.allSatisfy { $0["equal"] as? Bool == true })
    status = try Self.status(store)
    #expect(Self.states(status) == ["serving"])
    #expect(try store.run("rebuild", "--rollback").status == 1)
    #expect(try store.run("verify", "--deep").status == 0)
    #expect(try store.run("rebuild", "--only", "ranking,text", "--json").objects().count == 2)
    for bad in [
      ["--only", "x"], ["--only", ""], ["--status", "--cancel"], ["--rollback", "--keep"],
      ["text", "--only", "ranking"],
    ] {
      #expect(try store.run(["rebuild"] + bad).status == 64, "\(bad)")
    }
  }

  @Test func `one in another process is seen, cancelled, and ends with 130`() throws {
    let store = Store("cancelled")
    try store.append(try MadeUpHistory(count: 12_000, seed: 4).data)
    let digests = try store.digests()
    var seen = 0
    var cancelled = 0
    for _ in 0..<40 where cancelled == 0 {
      let rebuild = try store.start(["rebuild", "--memory", "64M"])
      // Until there is something to see, or it is over.
      for _ in 0..<500 {
        let status = try Self.status(store)
        guard status["running"] as? Bool == true else {
          if kill(rebuild.identifier, 0) != 0 { break }
          continue
        }
        seen += 1
        #expect(status["reason"] as? String == "manual")
        #expect(Self.states(status).last == "building")
        break
      }
      let answer = try store.run("rebuild", "--cancel")
      let ended = rebuild.finish()
      if answer.status == 0 {
        #expect(ended.status == 130, "\(ended.errors)")
        cancelled += 1
      } else {
        #expect(answer.status == 1 && ended.status == 0, "\(answer.errors) \(ended.errors)")
      }
      #expect(Self.states(try Self.status(store)) == ["serving"])
      #expect(try store.digests() == digests)
    }
    #expect(seen > 0 && cancelled > 0)
  }

  @Test func `interrupted it says how to go on`() throws {
    let store = Store("rebuild-interrupted")
    try store.append(try MadeUpHistory(count: 12_000, seed: 4).data)
    var notes = 0
    for _ in 0..<40 where notes == 0 {
      let rebuild = try store.start(["rebuild", "--memory", "64M"])
      for _ in 0..<500 {
        let isRunning = try Self.status(store)["running"] as? Bool == true
        if isRunning || kill(rebuild.identifier, 0) != 0 { break }
      }
      rebuild.kill(SIGINT)
      let ended = rebuild.finish()
      // Over before, or at its very end.
      guard ended.status == 130, !ended.errors.isEmpty else { continue }
      #expect(ended.errors.hasPrefix("cairn: interrupted: what was built is kept"))
      notes += 1
    }
    #expect(notes > 0)
    #expect(try store.run("rebuild").status == 0)
  }

  @Test func `killed again and again it still finishes, and others write meanwhile`() throws {
    var random = SeededGenerator(seed: 11)
    let store = Store("killed")
    try store.append(try MadeUpHistory(count: 6_000, seed: 5).data)
    for round in 0..<12 {
      let way = [["rebuild"], ["rebuild", "--keep"], ["rebuild", "--only", "ranking"]][round % 3]
      let rebuild = try store.start(way + ["--memory", "64M"])
      usleep(UInt32.random(in: 1_000...700_000, using: &random))
      let view = #"{"kind":"view","item":"item-\#(round)"}"#
      #expect(try store.append(Data(view.utf8)).accepted == 1)
      rebuild.kill(SIGKILL)
      _ = rebuild.finish()
      let status = try Self.status(store)
      #expect(status["running"] as? Bool == (Self.states(status).last == "building"))
      #expect(try store.run("replay", "--verify").status == 0, "round \(round)")
    }
    let last = try store.run("rebuild")
    #expect(last.status == 0, "\(last.text) \(last.errors)")
    #expect(try store.run("verify", "--deep").status == 0)
    for round in 0..<6 {
      #expect(try store.run("rebuild", "--keep").status == 0)
      let rollback = try store.start(["rebuild", "--rollback"])
      usleep(UInt32.random(in: 1_000...120_000, using: &random))
      rollback.kill(SIGKILL)
      _ = rollback.finish()
      #expect(try store.run("replay", "--verify").status == 0, "rollback \(round)")
    }
  }
}
