import Cairn
import LMDB
import Projections
import Testing

@Suite("Projections that another version folded") struct OldGenerationTests {
  /// Takes the shared rows out of the projections' file, as if they stood elsewhere.
  private static func forgetSharedRows(_ path: String) throws {
    let environment = try Environment.open(
      path, Environment.Configuration(durability: .deferred, tables: [SharedRows.tableName]))
    defer { environment.close() }
    try environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      for key in [SharedRows.checkpointKey, SharedRows.textStateKey, SharedRows.timelineKey] {
        try txn.delete(environment[SharedRows.tableName], key)
      }
    }
    try environment.sync()
  }

  @Test func `are folded anew, and not once more over what is there`() async throws {
    try await withDirectory { directory in
      let path = directory + "/store"
      let store = try Store.open(at: path)
      try store.appendBlocking([
        index("a", title: "harbour"), view("a", at: 1_700_000_100), index("b", title: "lantern"),
      ])
      let before = try store.at().statistics()
      store.close()
      try Self.forgetSharedRows(path + "/view-1.mdb")
      let again = try Store.open(at: path, access: .readOnly)
      defer { again.close() }
      let after = try again.at().statistics()
      #expect(after.projections == before.projections)
      #expect(try again.at().search("harbour").map(\.item) == ["a"])
      #expect(try again.at().top().map(\.viewCount) == [1])
      #expect(try again.verify(deep: true).isSound)
    }
  }
}
