import Foundation
import TestSupport
import Testing

/// Projections are functions of the log, whichever way the log came to be.
@Suite(.enabled(if: SharedData.has("git-streams"), "needs ../shared/data/git-streams and zstd"))
struct `One log, many ways to the same answers` {
  static let now = "2026-09-01T00:00:00Z"

  /// Everything a reader can ask for, as bytes.
  private static func answers(_ store: Store, asOf point: String? = nil) throws -> [String] {
    let asOf = point.map { ["--as-of", $0] } ?? []
    return try [
      ["items"], ["top", "--limit", "0", "--now", now], ["top", "--by", "count", "--limit", "50"],
      ["search", "src", "--limit", "0", "--now", now],
      ["search", "main import", "--match", "any", "--limit", "0", "--now", now],
    ].map { command in
      let result = try store.run(command + asOf + ["--json"])
      try #require(result.status == 0, "\(command): \(result.errors)")
      return result.text
    }
  }

  /// The log without what differs by design: each append salts its leaves anew.
  private static func log(_ store: Store) throws -> [NSDictionary] {
    try store.run("log", "--json").objects().map { event in
      var event = event
      event["hash"] = nil
      return event as NSDictionary
    }
  }

  @Test func `replay into append gives a store that answers alike`() throws {
    let original = try GitStream(name: "zoxide").store()
    let copy = Store("copy")
    let replay = try original.run("replay")
    try #require(replay.status == 0)
    let result = try copy.append(replay.output)
    #expect(result.accepted == (try original.stats().head))
    #expect(try Self.answers(copy) == Self.answers(original))
    #expect(try Self.log(copy) == Self.log(original))
    #expect(try copy.digests() == original.digests())
  }

  @Test(arguments: [1, 139, 1000, 2100])
  func `a snapshot, the point it names and a store replayed to it are the same`(sequence: Int)
    throws
  {
    let original = try GitStream(name: "zoxide").store()
    let name = "at-\(sequence)-\(UUID().uuidString.prefix(8).lowercased())"
    try #require(original.run("snapshot", "create", name, "--as-of", "\(sequence)").status == 0)
    let replayed = Store("replayed")
    try #require(
      try Store.runPlain("replay", "--to", "\(sequence)", "--into", replayed.path, store: original)
        .status == 0)
    // The clock of a point is its own time; a replayed store needs to be told.
    let asOf = try Self.answers(original, asOf: "\(sequence)")
    #expect(try Self.answers(original, asOf: name) == asOf)
    #expect(try Self.answers(replayed, asOf: "\(sequence)") == asOf)
    #expect(try replayed.stats().head == sequence)
    #expect(try original.run("snapshot", "delete", name).status == 0)
  }

  @Test func `a rebuild ends with the digests it began with`() throws {
    struct Rebuilt: Decodable {
      var projection: String
      var digestBefore: String
      var digestAfter: String
      var equal: Bool
    }
    let copy = Store("rebuilt")
    try copy.append(try GitStream(name: "zoxide").lines())
    let before = try copy.digests()
    let rows = try copy.json(["rebuild"], as: Rebuilt.self)
    #expect(!rows.isEmpty && rows.allSatisfy { $0.equal && $0.digestBefore == $0.digestAfter })
    #expect(try copy.digests() == before)
    let verified = try copy.run("replay", "--verify")
    #expect(verified.status == 0, "\(verified.errors)")
  }

  @Test func `the same stream twice is counted as duplicates when its events have ids`() throws {
    let copy = Store("twice")
    let replay = try GitStream(name: "zoxide").store().run("replay", "--to", "500")
    let first = try copy.append(replay.output)
    let second = try copy.append(replay.output)
    #expect(first.accepted == 500 && first.duplicates == 0)
    #expect(second.accepted == 0 && second.duplicates == 500)
    #expect(try copy.stats().head == 500)
  }
}

extension Store {
  static func runPlain(_ arguments: String..., store: Store) throws -> ProcessResult {
    try store.run(arguments)
  }
}
