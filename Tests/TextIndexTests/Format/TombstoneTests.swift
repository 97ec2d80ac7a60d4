import LMDB
import Testing

@testable import TextIndex

@Suite("Ends of versions stand beside the pending ones") struct RecentEndTests {
  /// An index of ten texts in lists, of which some were replaced or removed since.
  private static func fixture() throws -> Fixture {
    var fixture = try Fixture()
    try fixture.apply((1...10).map { (UInt32($0), [(.title, "text number \($0)")]) })
    try fixture.merge()
    try fixture.apply([(3, [(.title, "another text")]), (4, nil), (4, [(.title, "back again")])])
    try fixture.apply([(5, nil), (3, nil)])
    return fixture
  }

  private static func ends(_ fixture: Fixture) throws -> [Tombstone] {
    try fixture.environment.read { (txn: borrowing ReadTransaction) throws(CairnError) in
      var ends: [Tombstone] = []
      try txn.scan(fixture.index.tables.pending) { (key, row) throws(CairnError) in
        if Tombstone.isKey(key) { ends.append(try Tombstone(key, row)) }
        return true
      }
      return ends
    }
  }

  @Test
  func `an end comes behind the document before it, until a merge brings it into the columns`()
    throws
  {
    let fixture = try Self.fixture()
    let ends = try Self.ends(fixture)
    #expect(ends.map(\.document) == [3, 4, 5, 11])
    #expect(ends.map(\.anchor) == [10, 11, 12, 12])
    #expect(ends.map(\.item) == [3, 4, 5, 3])
    #expect(ends.map(\.end.sequence) == [11, 12, 14, 15])
    #expect(try fixture.recomputedDigest() == fixture.digest())
    let folded = try fixture.environment.read {
      (txn: borrowing ReadTransaction) throws(CairnError) in
      try txn.count(fixture.index.tables.ends)
    }
    #expect(folded == 0)
    try fixture.merge()
    #expect(try Self.ends(fixture).isEmpty)
    #expect(try fixture.recomputedDigest() == fixture.digest())
  }

  @Test func `an audit and a search name an end that is missing, changed or of another document`()
    throws
  {
    for damage in 0..<4 {
      let fixture = try Self.fixture()
      let index = fixture.index
      let ends = try Self.ends(fixture)
      try fixture.environment.write { (txn: inout WriteTransaction) throws(CairnError) in
        let key = ends[1].key
        if damage == 0 {
          try txn.delete(index.tables.pending, key)
          return
        }
        var end = ends[1]
        switch damage {
        case 1: end.end.content ^= 1
        case 2: end.document = 6
        default: end.item = 6
        }
        var row = ByteWriter(capacity: 24)
        end.write(to: &row)
        try txn.put(index.tables.pending, key.rawSpan, row.bytes)
      }
      #expect(throws: CairnError.self, "\(damage)") { try fixture.recomputedDigest() }
      if damage == 0 { #expect(throws: CairnError.self) { try fixture.items("text") } }
    }
  }

  @Test func `a row comes back as it was written, and a wrong one is corrupt`() throws {
    let end = Tombstone(
      anchor: 70_000, number: 300, document: 69_999, item: 80_000,
      end: DocumentEnd(sequence: 1 << 40, content: .max - 5))
    var row = ByteWriter(capacity: 24)
    end.write(to: &row)
    let (key, bytes) = (end.key, row.array())
    #expect(try Tombstone(key.rawSpan, bytes.rawSpan) == end)
    for count in 0..<bytes.count {
      let short = Array(bytes[..<count])
      #expect(throws: CairnError.self) { try Tombstone(key.rawSpan, short.rawSpan) }
    }
    #expect(throws: CairnError.self) {
      try Tombstone(Tombstone.key(anchor: 9, number: 300).rawSpan, bytes.rawSpan)
    }
    #expect(throws: CairnError.self) { try Tombstone([0, 0, 0, 1, 0, 0].rawSpan, bytes.rawSpan) }
  }
}
