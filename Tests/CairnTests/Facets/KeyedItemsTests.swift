import TestSupport
import Testing

@testable import Cairn

@Suite struct KeyedItemsTests {
  @Test(arguments: 1...20) func `the first few are those of all in order, ties as they are told`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let count = Int.random(in: 0...300, using: &random)
    let greatest = UInt64.random(in: 0...400, using: &random)
    let entries = (0..<UInt32(count)).map { item in
      (key: UInt64.random(in: 0...greatest, using: &random) &- 200, item: item)
    }.shuffled(using: &random)
    // Of one key the greater item comes first.
    let expected = entries.sorted { ($0.key, $1.item) < ($1.key, $0.item) }.map(\.item)
    for wanted in [0, 1, 2, 10, count / 5, count / 2, count, count + 7] {
      let found = try KeyedItems(entries).first(wanted) { (items, count) in
        Array(items.sorted(by: >).prefix(count))
      }
      #expect(found == Array(expected.prefix(wanted)), "seed \(seed), \(wanted) of \(count)")
    }
  }
}
