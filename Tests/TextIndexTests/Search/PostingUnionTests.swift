import TestSupport
import Testing

@testable import TextIndex

@Suite struct PostingUnionTests {
  /// Few and many, in numbers of documents of one digit and of three.
  @Test(arguments: [10, 2_048, 2_049, 30_000], [40, 5_000, 4_000_000_000 as UInt32])
  func `postings that were added up are those of a dictionary`(count: Int, last: UInt32) {
    var random = SeededGenerator(seed: UInt64(count) ^ UInt64(last))
    var union = PostingUnion(documentCount: .max, postingCount: UInt64(count), isCounted: true)
    var sums: [UInt32: (units: UInt32, place: UInt32, count: Int)] = [:]
    var postings: [UInt64] = []
    for _ in 0..<count {
      let document = UInt32.random(in: 1...last, using: &random)
      let (units, place) = (UInt32(random.next() % 900), UInt32(random.next() % 4))
      postings.append(UInt64(document) << 32 | UInt64(units << 2 | place))
      let known = sums[document] ?? (0, 0, 0)
      sums[document] = (known.units + units, max(known.place, place), known.count + 1)
    }
    union.add(postings)
    let (list, counts) = union.finish()
    #expect(list.documents == sums.keys.sorted())
    var total = 0
    for (index, document) in list.documents.enumerated() {
      guard let sum = sums[document] else { continue }
      #expect(list.impacts[index] == sum.units << 2 | sum.place)
      total += sum.count
    }
    #expect(total == count)
    if sums.values.allSatisfy({ $0.count < 255 }) {
      #expect(counts.sum(first: list.documents.count) == UInt64(count))
    }
    for block in 0..<list.blockCount {
      for place in 0..<4 {
        let units = list.impacts[list.range(block)].filter { Int($0 & 3) == place }.map { $0 >> 2 }
        #expect(list.bounds[block].units[place] == units.max() ?? 0)
      }
    }
  }
}
