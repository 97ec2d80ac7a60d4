import LMDB
import TestSupport
import Testing
import Text

@testable import TextIndex

@Suite("Writers in turn, and what they buffer") struct WritersInTurnTests {
  @Test(arguments: 0..<6)
  func `writers in turn, one of them killed now and then, and folds given up agree`(seed: Int)
    throws
  {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed) + 9_000))
    var fixture = try Fixture()
    let index = fixture.index
    var contexts = [fixture.context, FoldContext()]
    for context in contexts { context.pace = .hurried }
    for round in 0..<60 {
      if round % 13 == 12 {
        contexts[1] = FoldContext()
        contexts[1].pace = .hurried
      }
      let context = contexts[Int.random(in: 0...1, using: &text.random)]
      let events = text.events(Int.random(in: 1...6, using: &text.random), items: 12)
      if round % 5 == 4 {
        let lost = events.map { Fixture.change($0.item, 1_000_000, $0.fields) }
        #expect(throws: CairnError.self) {
          try fixture.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
            try index.apply(lost, in: &txn, context: context)
            throw CairnError(.diskFull, "as if")
          }
        }
      }
      var changes: [TextIndex.Change] = []
      for event in events {
        fixture.log.append(event)
        changes.append(Fixture.change(event.item, UInt64(fixture.log.count), event.fields))
      }
      let written = changes
      try fixture.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        try index.apply(written, in: &txn, context: context)
        _ = try index.mergeIfDue(in: &txn, force: false, context: context)
      }
      #expect(try fixture.recomputedDigest() == fixture.digest(), "seed \(seed), round \(round)")
    }
    let rebuilt = try fixture.rebuilt(batch: 1_000, isBulk: true)
    #expect(try rebuilt.digest() == fixture.digest(), "seed \(seed)")
  }

  @Test func `a favourite is found by its present text, pending, ended or neither`() throws {
    var fixture = try Fixture()
    try fixture.apply((1...5).map { (UInt32($0), [(.title, "same word \($0)")]) })
    try fixture.merge()
    try fixture.apply([(2, [(.title, "same word anew")]), (3, nil), (4, nil)])
    try fixture.apply([(4, [(.title, "same word again")]), (4, nil), (5, [(.title, "other")])])
    let index = fixture.index
    let request = TextIndex.Request(query: Analyzer().analyzeQuery("same word"))
    for item in 1...5 as ClosedRange<UInt32> {
      let hits = try fixture.environment.read {
        (txn: borrowing ReadTransaction) throws(CairnError) in
        try index.search(
          request, in: txn, maximumBonus: 0,
          boosts: TextIndex.Boosts(items: [item], extra: { (_, _) in 100 }),
          bonus: { (_, _) throws(CairnError) in 0 }, accept: { (_) throws(CairnError) in true })
      }
      #expect(Set(hits.map(\.item)) == [1, 2], "\(item)")
      #expect(hits.count == 2)
      #expect(item > 2 || hits.first?.item == item)
    }
  }
}
