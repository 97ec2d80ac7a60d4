import LMDB
import TestSupport
import Testing
import Text

@testable import TextIndex

@Suite("Any of several words, whose lists are kept") struct SharedDocumentsTests {
  /// Words from frequent to rare, of which few documents have many, some of them often.
  private static let words = [
    "river", "stone", "lantern", "harbour", "meadow", "compass", "willow", "anvil", "quarry",
  ]

  /// Texts of a few words among much that is not asked for, the last of them not merged.
  private static func fixture(_ random: inout SeededGenerator) throws -> Fixture {
    var fixture = try Fixture()
    fixture.context.bulkPutCount = 1
    for round in 0..<2 {
      let count: UInt32 = round == 0 ? 3_000 : 100
      let events = (0..<count).map { number in
        var text: [String] = []
        // One in fifty has most of the words.
        let isRich = Int.random(in: 0..<50, using: &random) == 0
        for (rank, word) in words.enumerated()
        where Int.random(in: 0..<(isRich ? 2 : 6 + 5 * rank), using: &random) == 0 {
          let often = Int.random(in: 0..<4, using: &random) == 0 ? 9 : 1
          text += Array(repeating: word, count: Int.random(in: 1...often, using: &random))
        }
        let filler = (0..<Int.random(in: 0...20, using: &random)).map { _ in "other" }
        let title = text.isEmpty || number % 9 != 0 ? "other" : text[0]
        let fields: Fixture.Fields = [
          (.title, title), (.text, (text + filler).joined(separator: " ")),
        ]
        return (UInt32(round) * 1_000 + number, Optional(fields))
      }
      try fixture.apply(events)
      if round == 0 { try fixture.merge() }
    }
    return fixture
  }

  @Test(arguments: 0..<6) func `hits are those of scoring everything, whatever is kept`(seed: Int)
    throws
  {
    var random = SeededGenerator(seed: UInt64(seed) + 83_000)
    let fixture = try Self.fixture(&random)
    for number in 0..<40 {
      let count = Int.random(in: 2...4, using: &random)
      let query = Self.words.shuffled(using: &random).prefix(count).joined(separator: " ")
      var request = TextIndex.Request(query: Analyzer().analyzeQuery(query))
      request.mode = .any
      request.limit = [1, 5, 10, 40, 90][number % 5]
      request.asOf = number % 6 == 5 ? UInt64(fixture.log.count - 700) : nil
      let strength = [0.0, 0, 0.4, 2][number % 4]
      let bonus = { (item: UInt32) in Double(item % 7) / 7 * strength }
      let accept = { (item: UInt32) in number % 5 != 0 || item % 3 != 0 }
      let expected = fixture.oracle.search(request, bonus: bonus, accept: accept)
      #expect(!expected.isEmpty)
      // From the second time on the lists of the words are kept.
      for time in 1...3 {
        let found = try fixture.search(
          request, maximumBonus: strength, bonus: bonus, accept: accept)
        #expect(found == expected, "\(query), limit \(request.limit ?? 0), time \(time)")
      }
    }
  }

  @Test(arguments: [false, true]) func `a document with all words is a hit once`(isMerged: Bool)
    throws
  {
    /// So many of each word among others, in texts of one length.
    func fields(_ counts: [(word: String, count: Int)]) -> Fixture.Fields {
      let words = counts.flatMap { Array(repeating: $0.word, count: $0.count) }
      let rest = Array(repeating: "other", count: 60 - words.count)
      return [(.text, (words + rest).joined(separator: " "))]
    }
    var texts = Array(repeating: fields([("anvil", 6), ("comet", 6)]), count: 20)
    texts += Array(repeating: fields([("anvil", 1)]), count: 150)
    // Its one "birch" is too little to be looked at, and what is left would still enter.
    texts.append(fields([("anvil", 9), ("birch", 1), ("comet", 9)]))
    texts.append(fields([("birch", 9)]))
    texts += Array(repeating: fields([("birch", 1)]), count: 140)
    texts += Array(repeating: fields([("comet", 1)]), count: 110)
    texts += Array(repeating: fields([]), count: 600)
    var fixture = try Fixture()
    fixture.context.bulkPutCount = 1
    try fixture.apply(texts.enumerated().map { (UInt32($0.offset), $0.element) })
    if isMerged { try fixture.merge() }
    var request = TextIndex.Request(query: Analyzer().analyzeQuery("anvil birch comet"))
    (request.mode, request.limit) = (.any, 5)
    let expected = fixture.oracle.search(request, bonus: { _ in 0 }, accept: { _ in true })
    for _ in 1...3 { #expect(try fixture.search(request) == expected) }
  }
}
