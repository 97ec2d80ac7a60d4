import LMDB
import Ranking
import Testing

@testable import Cairn

@Suite("Sums of all uses after a purge") struct PurgedTotalsTests {
  @Test func `are there`() throws {
    let scratch = try ScratchDirectory()
    defer { scratch.remove() }
    let store = try Store.open(at: scratch.path + "/store")
    defer { store.close() }
    try store.appendBlocking(
      (0..<1_000).map { number in
        Event(
          kind: .view, item: "item-\(number % 10)",
          time: Timestamp(seconds: 1_700_000_000 + Int64(number)))
      })
    #expect(try store.purge(.item("item-3"))?.isComplete == true)
    let generation = try #require(try store.generation())
    try generation.environment.read { (txn) throws(CairnError) in
      let newest = try generation.ranking.totals.newest(atOrBefore: .max, in: txn)
      #expect(newest.sequence >= 900)
      #expect(newest.total != Frecency())
    }
  }
}
