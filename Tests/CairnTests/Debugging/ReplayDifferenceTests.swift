import Catalog
import LMDB
import Projections
import Testing

@testable import Cairn

/// Where projections, and logs, part.
@Suite struct ReplayDifferenceTests {
  private static func fill(_ store: Store) throws {
    try store.appendBlocking([
      index("a", title: "harbour", domain: "d"), view("a", at: 1_700_000_100),
      index("b", title: "lantern"), view("a", at: 1_700_000_200), index("a", title: "harbour two"),
    ])
  }

  private static func damage(
    _ store: Store, _ name: String,
    _ body: (Generation, inout WriteTransaction) throws(CairnError) -> Void
  ) throws {
    let generation = try #require(try store.generation())
    try generation.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      try body(generation, &txn)
      var checkpoint = try generation.checkpoint(in: txn.reader)
      checkpoint[ProjectionName(name)] = RowDigest(low: 1, high: 1)
      try generation.setCheckpoint(checkpoint, in: &txn)
    }
  }

  private static func first(_ store: Store, _ name: String) throws -> RowDifference? {
    let rows = try store.replayVerify()
    #expect(rows.filter { !$0.result.isEqual }.map(\.result.projection) == [name])
    return rows.first { $0.result.projection == name }?.first
  }

  @Test func `a version that was changed is named, with both rows`() async throws {
    try await withStore { store in
      try Self.fill(store)
      try Self.damage(store, "catalog") { (generation, txn) throws(CairnError) in
        // Item 1, event 3: ordinal and the complement of the sequence.
        var state = ItemState()
        state.wasEverPresent = true
        state.versionCount = 7
        var row: [UInt8] = []
        state.encode(into: &row)
        let key: [UInt8] = [0, 0, 0, 1, 255, 255, 255, 255, 255, 255, 255, 252]
        try txn.put(generation.environment["catalog"], key, row)
      }
      let first = try #require(try Self.first(store, "catalog"))
      #expect(first.sequence == 3 && first.key == "b")
      #expect(first.live?.hasPrefix("version 7, absent") == true)
      #expect(first.fresh?.hasPrefix("version 1, present") == true)
    }
  }

  @Test func `a use that is missing is named by its event`() async throws {
    try await withStore { store in
      try Self.fill(store)
      try Self.damage(store, "timeline") { (generation, txn) throws(CairnError) in
        try txn.delete(generation.environment[SharedRows.tableName], SharedRows.timelineKey)
      }
      let first = try #require(try Self.first(store, "timeline"))
      #expect(first.sequence == 1 && first.live == nil && first.fresh != nil)
    }
  }

  @Test(arguments: ["text", "ranking"])
  func `where all rows are alike the digest itself is named`(name: String) async throws {
    try await withStore { store in
      try Self.fill(store)
      try Self.damage(store, name) { (_, _) throws(CairnError) in }
      let first = try #require(try Self.first(store, name))
      #expect(first.sequence == 5 && first.key == "digest" && first.live != first.fresh)
    }
  }

  @Test func `logs part at the first event that one of them has otherwise`() async throws {
    try await withDirectory { directory in
      let one = try Store.open(at: directory + "/one")
      let other = try Store.open(at: directory + "/other")
      defer {
        one.close()
        other.close()
      }
      #expect(try one.firstDifference(from: other).isEqual)
      let shared = (0..<2_000).map { number in
        var event = index("item \(number % 90)", title: "t \(number)")
        event.id = EventID(high: 0x0123_4567_89ab_7000, low: 2 << 62 | UInt64(number))
        return event
      }
      try one.appendBlocking(shared)
      try other.appendBlocking(shared)
      let equal = try one.firstDifference(from: other)
      #expect(equal.isEqual && equal.sequence == 2_000)
      try one.appendBlocking(view("x", at: 1))
      let longer = try one.firstDifference(from: other)
      #expect(longer.sequence == 2_001 && longer.ours?.event.item == "x" && longer.theirs == nil)
      try other.appendBlocking(view("y", at: 1))
      let differs = try one.firstDifference(from: other)
      #expect(differs.sequence == 2_001 && differs.theirs?.event.item == "y")
    }
  }
}
