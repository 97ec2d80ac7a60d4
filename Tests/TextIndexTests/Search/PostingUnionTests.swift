import TestSupport
import Testing

@testable import TextIndex

@Suite("Postings of many terms as one list") struct PostingUnionTests {
  /// Few postings are sorted by comparing, more by digits, many are added up by document.
  @Test(arguments: [0, 1, 100, 511, 512, 3_000, 20_000, 60_000], [1_000, 200_000, 30_000_000])
  func `sums are those of a table`(count: Int, documentCount: UInt32) {
    var random = SeededGenerator(seed: UInt64(count) &+ UInt64(documentCount))
    var expected: [UInt32: (impact: UInt32, count: Int)] = [:]
    var union = PostingUnion(documentCount: documentCount, postingCount: UInt64(count))
    var rest = count
    while rest > 0 {
      var postings: [UInt64] = []
      for _ in 0..<min(rest, 700) {
        let document = UInt32.random(in: 1...documentCount, using: &random)
        let units = UInt32.random(in: 1...9_000, using: &random)
        let place = UInt32.random(in: 0...3, using: &random)
        postings.append(UInt64(document) << 32 | UInt64(units << 2 | place))
        let known = expected[document] ?? (0, 0)
        let sum = (known.impact >> 2 + units) << 2 | max(known.impact & 3, place)
        expected[document] = (sum, known.count + 1)
      }
      union.add(postings)
      rest -= postings.count
    }
    let (list, counts) = union.finish()
    let documents = expected.keys.sorted()
    #expect(list.documents == documents)
    #expect(list.impacts == documents.map { expected[$0]?.impact })
    let total = expected.values.reduce(UInt64(0)) { $0 + UInt64($1.count) }
    let isKnown = expected.values.allSatisfy { $0.count < 255 }
    #expect(counts.sum(first: documents.count) == (isKnown ? total : nil))
  }
}
