import LMDB
import TestSupport
import Testing

@testable import TextIndex

@Suite("The hand brings recent postings into their lists") struct SweepTests {
  private static func state(_ fixture: Fixture) throws -> IndexState {
    try fixture.environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      try IndexState(txn, fixture.index.tables)
    }
  }

  @Test func `steps go on until the hand has kept up, and rows that wait long are taken`() throws {
    var text = RandomText(random: SeededGenerator(seed: 3))
    var fixture = try Fixture()
    fixture.context.pace = .hurried
    var seen = IndexState()
    for _ in 0..<60 {
      let digest = try fixture.apply(text.events(9, items: 30))
      var steps = 0
      repeat {
        try fixture.merge(force: false)
        seen = try Self.state(fixture)
        steps += 1
      } while seen.compactionDebt > 0 && steps < 100
      #expect(steps < 100)
      #expect(try fixture.digest() == digest)
      #expect(try fixture.recomputedDigest() == digest)
    }
    let documents = try #require(UInt32(exactly: fixture.log.count))
    #expect(seen.mergedDocument > documents / 2)
    let oldest = try fixture.environment.read {
      (txn: borrowing ReadTransaction) throws(CairnError) in
      var oldest = UInt32.max
      try txn.scan(fixture.index.tables.delta) { (_, row) throws(CairnError) in
        oldest = min(oldest, try DeltaRow(row).firstDocument())
        return true
      }
      return oldest
    }
    let pace = MergePace.hurried
    // Four rounds until it is old, one until compaction comes by, and one for what was added since.
    #expect(Int(seen.mergedDocument) - Int(oldest) < 7 * pace.roundDocumentCount)
  }

  @Test func `a row comes back as it was written, and a wrong one is corrupt`() throws {
    var row = DeltaRow(term: 300)
    var expected: [Posting] = []
    for number in 1...40 {
      let posting = Posting(
        document: UInt32(number * number),
        impact: Impact(code: number * 17 - 191, place: UInt8(number % 4)))
      let run = [UInt8](repeating: 1, count: number % 3) + [0]
      try row.append(posting, run.rawSpan)
      expected.append(posting)
    }
    #expect(throws: CairnError.self) { try row.append(expected[3], [0].rawSpan) }
    var bytes = ByteWriter(capacity: 16)
    row.write(to: &bytes)
    let known = try DeltaRow(bytes.bytes)
    #expect(known.count == 40 && known.term == 300 && known.lastDocument == 1_600)
    #expect(try known.firstDocument() == 1)
    var found: [Posting] = []
    try known.forEach { (posting, run) throws(CairnError) in
      #expect(run.byteCount == (found.count + 1) % 3 + 1)
      found.append(posting)
    }
    #expect(found == expected)
    for end in 0..<bytes.count {
      #expect(throws: CairnError.self, "\(end) bytes") {
        try DeltaRow(bytes.bytes.extracting(..<end)).forEach { (_, _) throws(CairnError) in }
      }
    }
  }
}
