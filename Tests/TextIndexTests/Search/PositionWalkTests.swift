import LMDB
import TestSupport
import Testing

@testable import TextIndex

@Suite("Positions of postings") struct PositionWalkTests {
  /// Runs with steps of one to five bytes, so that varints cross the words they are skipped by.
  private static func runs(_ count: Int, _ random: inout SeededGenerator) -> [[UInt8]] {
    (0..<count).map { _ in
      var bytes: [UInt8] = []
      let tokens = Int.random(in: 1...4, using: &random)
      for token in 1...tokens {
        let bits = UInt32.random(in: 0...27, using: &random)
        PositionCode.append(
          kind: [0, 3].randomElement(using: &random) ?? 3,
          step: UInt32.random(in: 0...(1 << bits), using: &random), hasMore: token < tokens,
          to: &bytes)
      }
      return bytes
    }
  }

  @Test(arguments: 0..<40) func `a skip ends where the run does`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let runs = Self.runs(Int.random(in: 1...300, using: &random), &random)
    let bytes = Array(runs.joined())
    for _ in 0..<100 {
      let start = Int.random(in: 0...runs.count, using: &random)
      let end = Int.random(in: start...runs.count, using: &random)
      var offset = runs[..<start].reduce(0) { $0 + $1.count }
      let expected = runs[..<end].reduce(0) { $0 + $1.count }
      try PositionCode.skip(end - start, bytes.rawSpan, &offset, end: bytes.count)
      #expect(offset == expected)
    }
    for cut in [1, runs[runs.count - 1].count] {
      var offset = 0
      #expect(throws: CairnError.self) {
        try PositionCode.skip(runs.count, bytes.rawSpan, &offset, end: bytes.count - cut)
      }
    }
  }

  @Test(arguments: 0..<40) func `a run of one token is read as any other is`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for run in Self.runs(200, &random) {
      var places: [UInt64] = []
      var (end, offset) = (0, 0)
      // Kinds that fall make no run, which takes two tokens.
      let isRun = (try? PositionCode.read(run.rawSpan, &end, into: &places)) != nil
      let sole = try PositionCode.sole(run.rawSpan, &offset)
      #expect(sole == (isRun && places.count == 1 ? places[0] : nil))
      #expect(offset == (sole == nil ? 0 : end))
      guard sole != nil else { continue }
      offset = 0
      #expect(throws: CairnError.self) {
        try PositionCode.sole(run.rawSpan.extracting(..<(run.count - 1)), &offset)
      }
    }
    var long: [UInt8] = []
    long.appendVarint(PositionCode.longHead(byteCount: 400))
    var offset = 0
    #expect(try PositionCode.sole(long.rawSpan, &offset) == nil)
  }

  @Test(arguments: 0..<20) func `runs of a list are found by block, however they were added`(
    seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let runs = Self.runs(Int.random(in: 1...700, using: &random), &random)
    var list = PostingRuns()
    var added = 0
    while added < runs.count {
      let count = Int.random(in: 1...min(200, runs.count - added), using: &random)
      let bytes = Array(runs[added..<added + count].joined())
      try list.append(count, bytes.rawSpan)
      added += count
    }
    for _ in 0..<30 {
      let lastBlock = (runs.count - 1) / IndexLimits.blockPostingCount
      let block = Int.random(in: 0...lastBlock, using: &random)
      let first = block * IndexLimits.blockPostingCount
      var walk = RunWalk(try list.range(block))
      for _ in 0..<10 {
        let last = min(first + IndexLimits.blockPostingCount, runs.count)
        let posting = Int.random(in: first..<last, using: &random)
        let start = try walk.seek(posting - first, list.bytes.rawSpan)
        #expect(start == runs[..<posting].reduce(0) { $0 + $1.count })
      }
    }
  }

  /// What comparing two words says, beside what all their places do.
  @Test(arguments: 0..<200) func `two words are a phrase, and in order, where their places are`(
    seed: Int
  ) {
    var random = SeededGenerator(seed: UInt64(seed))
    func places() -> [UInt64] {
      let count = Int.random(in: 1...4, using: &random)
      let all = (0..<count).map { _ in
        UInt64([0, 3].randomElement(using: &random) ?? 0) << 32
          | UInt64.random(in: 0...6, using: &random)
      }
      return Set(all).sorted()
    }
    let (lead, other) = (places(), places())
    let distance = Int64.random(in: -3...3, using: &random)
    let isLeadFirst = distance > 0
    let pair = GroupPair(
      distance: distance, isLeadFirst: isLeadFirst, isPhrase: true, lastMerged: 0)
    let found = pair.relation(lead, [7, 8] + other, 2..<2 + other.count)
    func stands(_ one: UInt64, _ two: UInt64) -> Bool {
      one >> 32 == two >> 32 && Int64(one & 0xFFFF) + distance == Int64(two & 0xFFFF)
    }
    let titles = (lead.filter { $0 >> 32 == 0 }, other.filter { $0 >> 32 == 0 })
    let isTitle = titles.0.contains { one in titles.1.contains { stands(one, $0) } }
    let isInOrder = titles.0.contains { one in
      titles.1.contains { isLeadFirst ? one < $0 : $0 < one }
    }
    #expect(found.isPhrase == lead.contains { one in other.contains { stands(one, $0) } })
    #expect(found.tier == (isTitle ? 4 : isInOrder ? 2 : 1))
  }
}
