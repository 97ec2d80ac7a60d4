import LMDB
import Projections
import TestSupport
import Testing

@testable import TextIndex

@Suite("What has ended is kept apart from what is present") struct SplitTests {
  /// Postings of present lists, those of them that have ended, and postings of past lists.
  private struct Lists: Equatable {
    var present = 0
    var ended = 0
    var past = 0

    init(_ fixture: Fixture) throws {
      let index = fixture.index
      self = try fixture.environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
        try Lists(index, txn)
      }
    }

    private init(_ index: TextIndex, _ txn: borrowing ReadTransaction) throws(CairnError) {
      let ended = try index.endedDocuments(try IndexState(txn, index.tables), txn)
      var chunk = PostingChunk.Reader()
      var (documents, impacts) = ([UInt32](), [UInt32]())
      var (present, dead, past) = (0, 0, 0)
      try txn.scan(index.tables.postings) { (key, row) throws(CairnError) in
        let isPast = try TermList(key: key).isPast
        try chunk.load(row)
        for block in 0..<chunk.blockCount {
          try chunk.decode(block, documents: &documents, impacts: &impacts)
          for document in documents {
            if isPast { past += 1 } else { present += 1 }
            if !isPast, ended.contains(document) { dead += 1 }
          }
        }
        return true
      }
      (self.present, self.ended, self.past) = (present, dead, past)
    }
  }

  private static func state(_ fixture: Fixture) throws -> IndexState {
    let index = fixture.index
    return try fixture.environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      try IndexState(txn, index.tables)
    }
  }

  /// Items rewritten again and again, merged in small steps.
  private static func fixture(seed: UInt64, rounds: Int) throws -> (Fixture, RandomText) {
    var text = RandomText(random: SeededGenerator(seed: seed))
    if seed % 2 == 1 { text.weights = RandomText.someWeights }
    var fixture = try Fixture()
    fixture.context.pace = .hurried
    for _ in 0..<rounds {
      try fixture.apply(text.events(30, items: 25))
      for _ in 0..<Int.random(in: 0...60, using: &text.random) { try fixture.merge(force: false) }
    }
    return (fixture, text)
  }

  private static func compare(_ fixture: Fixture, _ text: inout RandomText) throws -> Int {
    var foundCount = 0
    for _ in 0..<150 {
      let request = text.request(head: UInt64(fixture.log.count))
      let expected = fixture.oracle.search(request, bonus: { _ in 0 }, accept: { _ in true })
      let found = try fixture.search(request)
      #expect(found == expected, "\(request)")
      if !found.isEmpty { foundCount += 1 }
    }
    return foundCount
  }

  @Test(arguments: 0..<6) func `sweeps keep up, and neither answers nor digests change`(
    seed: Int
  ) throws {
    var (fixture, text) = try Self.fixture(seed: 81_000 + UInt64(seed), rounds: 12)
    var steps = 0
    while try TextIndex.isSplitDue(Self.state(fixture), .hurried), steps < 2_000 {
      try fixture.merge(force: false)
      steps += 1
    }
    #expect(steps < 2_000)
    let lists = try Lists(fixture)
    #expect(lists.past > lists.present, "\(lists)")
    // Half as many as live are let in before a sweep, and one in eight is left by it.
    #expect(lists.ended * 2 < lists.present, "\(lists)")
    #expect(try fixture.recomputedDigest() == fixture.digest())
    #expect(try Self.compare(fixture, &text) > 40)
    // A term that has only a past goes on.
    try fixture.apply(text.events(20, items: 25))
    try fixture.merge()
    #expect(try fixture.recomputedDigest() == fixture.digest())
    #expect(try Self.compare(fixture, &text) > 40)
  }

  @Test func `the end of a build puts apart what ended on the way`() throws {
    var text = RandomText(random: SeededGenerator(seed: 84_000))
    var fixture = try Fixture()
    fixture.context.pace = .hurried
    try fixture.index.beginBuild(
      in: fixture.environment, at: fixture.directory.file("data.build"), context: fixture.context)
    for _ in 0..<8 {
      try fixture.apply(text.events(40, items: 25))
      try fixture.merge(force: false)
    }
    fixture.context.endAhead()
    try fixture.index.finishBuild(
      in: fixture.environment, memory: 1, context: fixture.context)
    let lists = try Lists(fixture)
    #expect(lists.past > lists.present && lists.ended * 4 < lists.present, "\(lists)")
    #expect(try fixture.recomputedDigest() == fixture.digest())
    #expect(try Self.compare(fixture, &text) > 40)
  }

  @Test(arguments: 0..<4) func `a copy without some items equals an index that never saw them`(
    seed: Int
  ) throws {
    var (fixture, text) = try Self.fixture(seed: 82_000 + UInt64(seed), rounds: 10)
    try fixture.merge()
    #expect(try Lists(fixture).past > 0)
    var checkpoint = Checkpoint()
    checkpoint.itemCount = 25
    var erasure = Erasure([], checkpoint)
    for item in 0..<UInt32(25) where item % 3 != 1 { erasure.keep(item: item, domain: 0) }
    var other = try Fixture()
    // Sequences stay as they were.
    for (place, event) in fixture.log.enumerated() {
      if event.item % 3 == 1 {
        other.log.append(event)
      } else {
        try other.apply([event])
      }
      #expect(other.log.count == place + 1)
    }
    let target = try Fixture()
    let writer = RowWriter(target.environment)
    let (from, to) = (fixture.index, target.index)
    let digest = try fixture.environment.read {
      (txn: borrowing ReadTransaction) throws(CairnError) in
      try from.copy(to: to, through: writer, without: erasure, from: txn) {
        (item) throws(CairnError) in Fixture.nameKey(item)
      }
    }
    try writer.finish()
    #expect(try other.digest() == digest)
    #expect(try target.recomputedDigest() == digest)
    for _ in 0..<150 {
      let request = text.request(head: UInt64(fixture.log.count))
      #expect(try target.search(request) == other.search(request), "\(request)")
    }
  }

  @Test func `a posting of a live document in a past list is corrupt`() throws {
    var fixture = try Fixture()
    try fixture.apply((0..<9).map { ($0, [(.title, "river \($0)")]) })
    try fixture.merge()
    #expect(try fixture.recomputedDigest() == fixture.digest())
    let tables = fixture.index.tables
    try fixture.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      var lists: [(key: [UInt8], row: [UInt8])] = []
      try txn.reader.scan(tables.postings) { (key, row) throws(CairnError) in
        lists.append((key.array(), row.array()))
        return true
      }
      for list in lists {
        var key: [UInt8] = []
        let term = try TermList(key: list.key.rawSpan).term
        IndexTables.setKey(&key, TermList(term: term, isPast: true), .max)
        try txn.delete(tables.postings, list.key)
        try txn.put(tables.postings, key, list.row)
      }
    }
    expectError(.corrupt) { try fixture.recomputedDigest() }
  }
}
