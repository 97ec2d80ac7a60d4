import LMDB
import TestSupport
import Testing

@testable import TextIndex

@Suite("Damage is named, never served and never a trap") struct DamageTests {
  @Test(arguments: 0..<200) func `a damaged chunk decodes or throws corrupt`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var builder = PostingChunk.Builder()
    builder.begin(after: 0)
    // Dense and sparse lists, of one block and of many.
    let gap: UInt32 = [3, 300, 1 << 20, 1 << 31].randomElement(using: &random) ?? 1
    let most = seed.isMultiple(of: 2) ? 90 : Int.max
    while builder.postingCount < most {
      let (document, isTooMuch) = builder.lastDocument.addingReportingOverflow(
        UInt32.random(in: 1...gap, using: &random))
      let posting = Posting(
        document: document, impact: Impact(packed: UInt16.random(in: 0..<4_096, using: &random)))
      let run = Self.run(&random)
      guard !isTooMuch, builder.hasRoom(for: posting, positionByteCount: run.count) else { break }
      builder.append(posting, run.rawSpan)
    }
    var row = ByteWriter()
    builder.write(to: &row)
    var bytes = row.array()
    #expect(bytes.count <= IndexLimits.rowByteCount)
    #expect(try Self.decode(bytes) == builder.postingCount)
    for _ in 0..<3 {
      let at = Int.random(in: 0..<bytes.count, using: &random)
      bytes[at] ^= UInt8.random(in: 1...255, using: &random)
    }
    if Bool.random(using: &random) {
      bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
    }
    do throws(CairnError) { _ = try Self.decode(bytes) } catch {
      #expect(error.code == .corrupt, "seed \(seed)")
    }
  }

  /// A run of positions with one to three tokens.
  private static func run(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    let kinds = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      UInt8.random(in: 0...3, using: &random)
    }.sorted()
    for (index, kind) in kinds.enumerated() {
      let step = UInt32.random(in: 0..<1_000, using: &random)
      PositionCode.append(kind: kind, step: step, hasMore: index + 1 < kinds.count, to: &bytes)
    }
    return bytes
  }

  private static func decode(_ bytes: [UInt8]) throws(CairnError) -> Int {
    var reader = PostingChunk.Reader()
    try reader.load(bytes.rawSpan)
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    var count = 0
    for block in 0..<reader.blockCount {
      try reader.decode(block, documents: &documents, impacts: &impacts)
      count += documents.count
      let range = try reader.positions(of: block)
      var offset = range.lowerBound
      var places: [UInt64] = []
      for _ in documents { try PositionCode.read(reader.bytes.rawSpan, &offset, into: &places) }
    }
    return count
  }

  /// Rows that are well sealed but wrong, as a bug would leave them.
  @Test(arguments: TextIndex.tables.map { $0.rawValue }, 0..<3)
  func `a wrong row gives an answer or corrupt, and the recount finds it`(table: String, seed: Int)
    throws
  {
    var text = RandomText(random: SeededGenerator(seed: UInt64(seed) + 77))
    var fixture = try Fixture()
    try fixture.apply(text.events(120, items: 20))
    try fixture.merge()
    try fixture.apply(text.events(60, items: 20))
    fixture.context.pace = .hurried
    for _ in 0..<12 { try fixture.merge(force: false) }
    try fixture.apply(text.events(20, items: 20))
    let digest = try fixture.digest()
    let environment = fixture.environment
    let name = TableName(rawValue: table)
    try environment.write { (txn: inout WriteTransaction) throws(CairnError) in
      var rows: [(key: [UInt8], value: [UInt8])] = []
      if name == IndexTables.stateName {
        // The other rows of the main table are the roots of tables.
        let key = IndexState.key
        rows = [(key, try txn.reader.get(environment[name], key)?.array() ?? [])]
      } else {
        try Self.read(environment[name], txn.reader, into: &rows)
      }
      guard let (key, value) = rows.randomElement(using: &text.random), !value.isEmpty else {
        return
      }
      var changed = value
      changed[Int.random(in: 0..<value.count, using: &text.random)] ^= UInt8.random(
        in: 1...255, using: &text.random)
      try txn.put(environment[name], key, changed)
    }
    do throws(CairnError) {
      let recount = try fixture.recomputedDigest()
      let isState = name == IndexTables.stateName
      if recount == digest, !isState {
        // Not every bit carries meaning for the digest: an end's sequence, for example.
        #expect(
          name == IndexTables.endsName || name == IndexTables.pendingName
            || name == IndexTables.documentsName || name == IndexTables.postingsName
            || name == IndexTables.itemsName || name == IndexTables.columnsName)
      }
    } catch {
      #expect([.corrupt, .unsupportedFormat].contains(error.code), "\(table), seed \(seed)")
    }
    for _ in 0..<40 {
      let request = text.request(head: 140)
      do throws(CairnError) { _ = try fixture.search(request) } catch {
        #expect([.corrupt, .unsupportedFormat].contains(error.code), "\(table), seed \(seed)")
      }
    }
  }

  private static func read(
    _ table: Table, _ txn: borrowing ReadTransaction,
    into rows: inout [(key: [UInt8], value: [UInt8])]
  ) throws(CairnError) {
    var cursor = try txn.cursor(table)
    while let row = try cursor.next() { rows.append((row.key.array(), row.value.array())) }
  }
}
