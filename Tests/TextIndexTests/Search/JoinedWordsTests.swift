import TestSupport
import Testing
import Text

@testable import TextIndex

@Suite("Joined words of which the last is unfinished") struct JoinedWordsTests {
  /// Titles that have both words joined, side by side by chance, apart and in another order, and
  /// texts that have them joined though their titles do not.
  private static func fixture(seed: UInt64, joinedTitles: Int, count: Int) throws -> Fixture {
    var random = SeededGenerator(seed: seed)
    let lasts = ["be", "bell", "beta", "better", "gamma"]
    var fixture = try Fixture()
    fixture.context.bulkPutCount = 1
    try fixture.apply(
      (0..<UInt32(count)).map { item in
        let last = lasts.randomElement(using: &random) ?? "be"
        let isJoined = Int.random(in: 0..<count, using: &random) < joinedTitles
        let apart = ["alpha river \(last)", "\(last) alpha", "the alpha \(last)", "river"]
        let title = isJoined ? "alpha.\(last)" : apart.randomElement(using: &random) ?? "river"
        let text = ["alpha \(last) stone", "alpha stone \(last)", "\(last).alpha", "stone"]
        let body = text.randomElement(using: &random) ?? "stone"
        return (item, [(.title, title), (.text, body + " v\(item % 7)")])
      })
    try fixture.merge()
    // Some that are not merged, and some that ended.
    try fixture.apply(
      stride(from: UInt32(0), to: UInt32(count), by: 9).map { item in
        (item, [(.title, "alpha.beta"), (.text, "late \(item)")])
      })
    return fixture
  }

  @Test(arguments: [0, 1, 300, 900]) func `give the hits of scoring everything`(joined: Int) throws
  {
    let fixture = try Self.fixture(seed: UInt64(joined), joinedTitles: joined, count: 1_000)
    let head = UInt64(fixture.log.count)
    for query in ["alpha.b", "alpha.be", "alpha_bet", "alpha-be late", "v3 alpha.b", "river.be"] {
      for mode in [TextIndex.Mode.all, .any, .phrase] {
        for asOf in [nil, head / 2] as [UInt64?] {
          for limit in [1, 11, 300, nil] as [Int?] {
            var request = TextIndex.Request(query: Analyzer().analyzeQuery(query))
            (request.mode, request.asOf, request.limit) = (mode, asOf, limit)
            let bonus: (UInt32) -> Double = { Double($0 % 97) / 97 }
            let expected = fixture.oracle.search(request, bonus: bonus, accept: { _ in true })
            let found = try fixture.search(request, maximumBonus: 1, bonus: bonus)
            #expect(found == expected, "\(query), \(mode), \(String(describing: limit))")
          }
        }
      }
    }
  }
}
