import LMDB
import Testing
import Text

@testable import TextIndex

@Suite("As-of search finds what was there") struct MembershipTests {
  @Test(arguments: [false, true]) func `at each sequence exactly the versions of that moment match`(
    isMerged: Bool
  ) throws {
    var fixture = try Fixture()
    try fixture.apply([
      (1, [(.title, "alpha")]), (2, [(.title, "alpha beta")]), (1, [(.title, "beta")]), (2, nil),
      (1, [(.title, "alpha")]), (3, [(.title, "alpha")]), (1, nil),
    ])
    if isMerged { try fixture.merge() }
    let expected: [[UInt32]] = [[], [1], [1, 2], [2], [], [1], [1, 3], [3], [3]]
    for (point, items) in expected.enumerated() {
      let found = try fixture.items("alpha") {
        $0.asOf = UInt64(point)
        $0.typoTolerant = false
      }
      #expect(found.sorted() == items, "at \(point)")
    }
    #expect(try fixture.items("alpha") == [3])
  }

  @Test(arguments: [false, true])
  func `words, phrases, prefixes and misspellings match as the contract says`(isMerged: Bool) throws
  {
    var fixture = try Fixture()
    try fixture.apply([
      (1, [(.title, "Quarterly report"), (.text, "Figures for the transport division")]),
      (2, [(.title, "Report"), (.text, "division of transport, figures")]),
      (3, [(.title, "東京都庁への行き方")]), (4, [(.title, "iPhone15Pro charger"), (.keywords, "node.js")]),
      (5, [(.keywords, "red"), (.keywords, "apple")]),
    ])
    if isMerged { try fixture.merge() }
    #expect(try fixture.items("report") == [2, 1])
    #expect(try fixture.items("rep") == [2, 1])
    #expect(try fixture.items("rep ") == [])
    #expect(try fixture.items("trnasport").sorted() == [1, 2])
    #expect(
      try fixture.items("trnasport") {
        $0.exact = true;
        $0.typoTolerant = false;
        $0.prefixLast = false
      } == [])
    #expect(try fixture.items("\"transport division\"") == [1])
    #expect(try fixture.items("transport division") { $0.mode = .phrase } == [1])
    #expect(try fixture.items("\"red apple\"") == [])
    #expect(try fixture.items("red apple") == [5])
    #expect(try fixture.items("京都") == [3])
    #expect(try fixture.items("都") == [3])
    #expect(try fixture.items("庁都") == [])
    #expect(try fixture.items("iphone") == [4])
    #expect(try fixture.items("phone ") == [4])
    #expect(try fixture.items("phone ") { $0.exact = true } == [])
    #expect(try fixture.items("node.js") == [4])
    #expect(try fixture.items("quarterly charger") { $0.mode = .any } == [1, 4])
    #expect(try fixture.items("") == [])
    #expect(try fixture.items("… !") == [])
  }

  @Test func `completions are visible words, the most frequent first`() throws {
    var fixture = try Fixture()
    try fixture.apply([
      (1, [(.title, "isolation level")]), (2, [(.title, "isolation isolated")]),
      (3, [(.title, "island")]), (3, nil),
    ])
    for _ in 0..<2 {
      let found = try fixture.environment.read {
        (txn: borrowing ReadTransaction) throws(CairnError) in
        try fixture.index.completions(prefix: Array("is".utf8), limit: 10, in: txn)
      }
      #expect(found.map { String(decoding: $0.term, as: UTF8.self) } == ["isolation", "isolated"])
      try fixture.merge()
    }
  }

  @Test(arguments: [false, true]) func `an emoji stands where the word after it does`(
    isMerged: Bool
  ) throws {
    var fixture = try Fixture()
    try fixture.apply([
      (1, [(.title, "🍕 slice")]), (2, [(.title, "red 🍕 slice")]), (3, [(.title, "slice 🍕")]),
      (4, [(.title, "🐵 🙈 🙉")]), (5, [(.title, "🇩🇪 de")]), (6, [(.title, "★ board")]),
      (7, [(.title, "↔ swap ★")]),
    ])
    if isMerged { try fixture.merge() }
    let expected: [(String, UInt32)] = [
      ("🍕 slice", 1), ("slice 🍕", 3), ("🐵 🙈 🙉", 4), ("🇩🇪 de", 5), ("\"🍕 slice\"", 1), ("★ board", 6),
      ("↔ swap ★", 7),
    ]
    for (query, item) in expected {
      #expect(try fixture.items(query).first == item, "\(query)")
      #expect(try fixture.items(query) { $0.mode = .phrase }.first == item, "\(query)")
      var request = TextIndex.Request(query: Analyzer().analyzeQuery(query))
      request.limit = 10
      #expect(try fixture.search(request).first?.tier == 4, "\(query)")
    }
    #expect(try fixture.items("red 🍕 slice") { $0.mode = .phrase } == [2])
  }

  @Test func `what comes later decides nothing about misspellings of the past`() throws {
    var fixture = try Fixture()
    let letters = Array("abcdefgh")
    var words: [String] = []
    for place in 1..<8 {
      for other in "qrstuvwxyz" {
        var word = letters
        word[place] = other
        words.append(String(word))
      }
    }
    words = Array(words.sorted().prefix(60))
    try fixture.apply(words.enumerated().map { (UInt32($0.offset), [(.title, $0.element)]) })
    let before = try fixture.items("abcdefgh") { $0.asOf = 60 }
    let later = words.suffix(10).enumerated().map {
      (UInt32(100 + $0.offset), [(TextIndex.FieldKind.title, $0.element)])
    }
    try fixture.apply(later)
    #expect(try fixture.items("abcdefgh") { $0.asOf = 60 } == before)
  }
}
