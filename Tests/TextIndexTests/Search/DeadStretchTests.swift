import LMDB
import TestSupport
import Testing
import Text

@testable import TextIndex

@Suite("Where nothing is alive, a search passes over") struct DeadStretchTests {
  /// Three versions of each text, of which the first two ended but for a few.
  private static func fixture(seed: UInt64, isMerged: Bool) throws -> Fixture {
    var random = SeededGenerator(seed: seed)
    let words = ["river", "stone", "lantern", "harbour", "meadow", "compass"]
    func text() -> String {
      (0..<Int.random(in: 2...9, using: &random)).map { _ in
        words.randomElement(using: &random) ?? "river"
      }.joined(separator: " ")
    }
    var fixture = try Fixture()
    fixture.context.bulkPutCount = 1
    for round in 0..<3 {
      let items = (0..<500 as Range<UInt32>).filter { _ in
        round == 0 || Int.random(in: 0..<100, using: &random) > 1
      }
      try fixture.apply(items.map { ($0, [(.title, text()), (.text, text() + " v\(round)")]) })
    }
    if isMerged { try fixture.merge() }
    return fixture
  }

  @Test(arguments: 0..<2, [false, true]) func `hits are those of scoring everything`(
    seed: Int, isMerged: Bool
  ) throws {
    let fixture = try Self.fixture(seed: UInt64(seed) + 71_000, isMerged: isMerged)
    let head = UInt64(fixture.log.count)
    let queries = [
      "river", "river stone", "lantern harbour meadow", "\"stone river\"", "riv", "v0",
    ]
    for query in queries {
      for mode in [TextIndex.Mode.all, .any] {
        for asOf in [nil, 400, head - 300] as [UInt64?] {
          for limit in [1, 10, 400] {
            var request = TextIndex.Request(query: Analyzer().analyzeQuery(query))
            (request.mode, request.asOf, request.limit) = (mode, asOf, limit)
            let expected = fixture.oracle.search(request, bonus: { _ in 0 }, accept: { _ in true })
            #expect(try fixture.search(request) == expected, "\(query), \(mode), \(limit)")
          }
        }
      }
    }
  }

  @Test func `the next live document is the one that is, whatever ended before it`() throws {
    let fixture = try Self.fixture(seed: 72_000, isMerged: true)
    let index = fixture.index
    let live = Set(fixture.oracle.versions.filter { $0.to == nil }.map(\.document))
    let count = UInt32(fixture.oracle.versions.count)
    try fixture.environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      let state = try IndexState(txn, index.tables)
      let view = try WriteBuffer(complete: state, txn, index.tables)
      let facts = try DocumentVisibility(index.tables, state, view, asOf: nil, txn)
      for document in 1...count {
        let expected = (document...count).first { live.contains($0) } ?? count + 1
        #expect(try facts.firstLive(from: document, txn) == expected)
      }
      let past = try DocumentVisibility(index.tables, state, view, asOf: 700, txn)
      #expect(try past.firstLive(from: 3, txn) == 3)
    }
  }

  @Test func `a row of columns that is missing is an error, not a stretch without hits`() throws {
    let fixture = try Self.fixture(seed: 73_000, isMerged: true)
    let tables = fixture.index.tables
    try fixture.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      _ = try txn.delete(tables.columns, IndexTables.key(1))
    }
    #expect(throws: CairnError.self) { try fixture.items("river") }
  }
}
