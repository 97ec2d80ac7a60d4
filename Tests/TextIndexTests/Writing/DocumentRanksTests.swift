import TestSupport
import Testing

@testable import TextIndex

@Suite struct DocumentRanksTests {
  @Test(arguments: [0, 1, 63, 64, 65, 1_000]) func `ranks are the numbers they were made of`(
    count: Int
  ) {
    var random = SeededGenerator(seed: UInt64(count) &* 7_919)
    for share in [0, 1, 50, 99, 100] {
      var next: UInt32 = 0
      let numbers = (0..<count).map { _ -> UInt32 in
        guard Int.random(in: 0..<100, using: &random) < share else { return 0 }
        next += 1
        return next
      }
      let ranks = DocumentRanks(numbers)
      #expect(ranks.count == count)
      #expect((0..<UInt32(count)).map { ranks[$0] } == numbers)
    }
  }
}
