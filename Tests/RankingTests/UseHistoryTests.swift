import LMDB
import Projections
import TestSupport
import Testing

@testable import Ranking

/// Few items used often: chunks of uses fill, and lives of items end, in every part of one.
@Suite struct UseHistoryTests {
  private static let itemCount: UInt32 = 4

  /// Uses of a few items, some of them late, some at the beginning of a new life.
  private func batch(_ count: Int, after store: UseStore, _ random: inout SeededGenerator)
    -> [ResolvedEvent]
  {
    let last = store.events.last?.sequence ?? 0
    return (1...UInt64(count)).map { number in
      let sequence = last + number
      let item = UInt32.random(in: 0..<Self.itemCount, using: &random)
      let late = Int.random(in: 0..<8, using: &random) == 0 ? 40_000 : 0 as Int64
      return use(
        item, sequence: sequence, seconds: 1_700_000_000 + Int64(sequence) * 1_000 - late,
        weight: Int.random(in: 0..<20, using: &random) == 0 ? 0 : 1,
        isView: Bool.random(using: &random),
        // One item is seldom begun afresh, so that it has chunks with a state before them.
        startsAfresh: Int.random(in: 0..<(item == 0 ? 300 : 25), using: &random) == 0)
    }
  }

  /// Checks every item's state and latest uses as of every sequence against plain lists of events,
  /// and that no state is worth more than what is told of all.
  private func check(_ store: UseStore, _ comment: Comment) throws {
    let peaks = try store.environment.read { (txn) throws(CairnError) in
      var peaks: [UInt32: Double] = [:]
      try store.ranking.history.forEachPeak(in: txn) { peaks[$0] = max(peaks[$0] ?? 0, $1) }
      return peaks
    }
    for sequence in 0...(store.events.last?.sequence ?? 0) {
      let expected = store.states(through: sequence)
      for item in 0..<Self.itemCount {
        let (state, uses) = try store.environment.read { (txn) throws(CairnError) in
          (
            try store.ranking.history.state(of: item, asOf: sequence, in: txn),
            try store.ranking.history.latest(32, of: item, asOf: sequence, in: txn)
          )
        }
        #expect(state == expected[item] ?? UseState(), comment)
        let worth = state.frecency.score(atMicroseconds: state.frecency.referenceMicroseconds)
        #expect(state == UseState() || worth <= peaks[item] ?? -1, comment)
        let known = store.events.filter { $0.item == item && $0.sequence <= sequence }
        let life = known.lastIndex(where: \.startsAfresh).map { known[$0...] } ?? known[...]
        #expect(uses.map(\.sequence) == life.filter(\.isUse).map(\.sequence).suffix(32), comment)
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `chunks fill and lives end anywhere, and every past state stays`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    try withUseStore { store in
      for count in [1, 1, 40, 3, 1, 90, 1, 17, 16, 60] {
        try store.fold(batch(count, after: store, &random))
      }
      try check(store, "seed \(seed)")
    }
  }
}
