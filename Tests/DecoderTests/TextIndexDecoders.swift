import LMDB

@testable import TextIndex

enum TextIndexDecoders {
  static func postings(_ bytes: [UInt8]) throws {
    let (found, isWhole) = try chunk(bytes)
    var builder = PostingChunk.Builder()
    guard isWhole, (try? builder.resume(bytes.rawSpan)) != nil else { return }
    var row = ByteWriter()
    builder.write(to: &row)
    try DecoderFault.require(
      try chunk(row.array()) == (found, true), "a chunk changes when it is written again")
  }

  /// Documents, impacts and places of the blocks that can be read, and whether all can.
  private static func chunk(_ bytes: [UInt8]) throws -> (found: [UInt64], isWhole: Bool) {
    var reader = PostingChunk.Reader()
    guard (try? reader.load(bytes.rawSpan)) != nil else { return ([], false) }
    var found: [UInt64] = []
    var documents: [UInt32] = []
    var impacts: [UInt32] = []
    var isWhole = true
    for block in 0..<reader.blockCount {
      _ = reader.lastDocument(of: block)
      _ = reader.bound(block)
      let decoded: Void? = try? reader.decode(block, documents: &documents, impacts: &impacts)
      if decoded == nil { isWhole = false }
      found += zip(documents, impacts).map { UInt64($0) << 32 | UInt64($1) }
      guard let range = try? reader.positions(of: block) else { continue }
      var offset = range.lowerBound
      for _ in documents {
        var place = offset
        let sole = try? PositionCode.sole(reader.bytes.rawSpan, &place)
        let run: Void? = try? PositionCode.read(reader.bytes.rawSpan, &offset, into: &found)
        if run == nil { break }
        guard let sole else { continue }
        try DecoderFault.require(
          sole == found.last && place == offset,
          "a run of one token is another one when it is read token by token")
      }
    }
    return (found, isWhole)
  }

  static func row(_ bytes: [UInt8]) throws {
    guard let which = bytes.first else { return }
    let value = Array(bytes.dropFirst())
    switch which % 5 {
    case 0:
      guard let entry = try? DictionaryEntry(value.rawSpan) else { return }
      var row = ByteWriter()
      entry.write(to: &row)
      let again = try DictionaryEntry(row.bytes)
      try DecoderFault.require(
        again.term == entry.term && again.documentCount == entry.documentCount,
        "a dictionary entry changes when it is written again")
    case 1: try? document(value)
    case 2:
      var entries: [ItemEntry] = []
      guard (try? ItemBlock.read(value.rawSpan, into: &entries)) != nil else { return }
      var row = ByteWriter()
      ItemBlock.write(entries[...], to: &row)
      try DecoderFault.require(row.array() == value, "items change when they are written again")
    case 3: try columns(value)
    default: try documents(value)
    }
  }

  private static func columns(_ value: [UInt8]) throws {
    var block = ColumnBlock()
    guard (try? block.load(value.rawSpan)) != nil else { return }
    var builder = ColumnBlock.Builder()
    guard (try? builder.resume(block)) != nil else { return }
    var row = ByteWriter()
    builder.write(to: &row)
    var again = ColumnBlock()
    try again.load(row.bytes)
    for slot in 0..<block.count {
      try DecoderFault.require(
        again.isLive(slot) == block.isLive(slot)
          && (try? again.item(slot)) == (try? block.item(slot)),
        "a column changes when it is written again")
    }
  }

  private static func documents(_ value: [UInt8]) throws {
    let last = UInt32(DocumentBlock.countMax)
    var builder = DocumentBlock.Builder()
    guard (try? builder.resume(value.rawSpan, last: last)) != nil else { return }
    var numbers: [UInt32] = []
    var tokens = DocumentTokens()
    var again = ByteWriter()
    try DocumentBlock.visit(value.rawSpan, through: last) {
      (document, _, record) throws(CairnError) in
      numbers.append(document)
      try? DocumentRecord.readMerged(record, into: &tokens)
      return true
    }
    builder.write(to: &again)
    var blocks = DocumentBlock.Builder()
    try blocks.resume(again.bytes, last: last)
    try DecoderFault.require(
      numbers.last == last && blocks.last == last,
      "a block of documents changes when it is written again")
  }

  private static func document(_ value: [UInt8]) throws(CairnError) {
    // Pending documents bring their terms along, those that wait for the end of a build do not.
    var pending = ByteReader(value.rawSpan)
    _ = try DocumentRecord.readHeader(&pending)
    if (try? DocumentRecord.readVersion(&pending)) != nil,
      let terms = try? DocumentRecord.readTerms(&pending), !terms.isEmpty
    {
      var tokens = DocumentTokens()
      try? DocumentRecord.readBody(&pending, into: &tokens)
    }
    var waiting = ByteReader(value.rawSpan)
    _ = try DocumentRecord.readHeader(&waiting)
    var tokens = DocumentTokens()
    try DocumentRecord.readBody(&waiting, into: &tokens)
  }

  static func chunks() -> [[UInt8]] {
    [1, 20, 127, 128, 129, 300].map { count in
      var builder = PostingChunk.Builder()
      builder.begin(after: 5)
      for number in 0..<UInt32(count) {
        builder.append(
          Posting(
            document: 6 + number * number * 3, impact: Impact(packed: UInt16(number * 37 % 4_096))),
          run(number).rawSpan)
      }
      var row = ByteWriter()
      builder.write(to: &row)
      return row.array()
    }
  }

  /// A run of positions: of one token in the text, of two fields, or of one that stands elsewhere.
  private static func run(_ number: UInt32) -> [UInt8] {
    var bytes: [UInt8] = []
    switch number % 3 {
    case 0: PositionCode.append(kind: 3, step: number, hasMore: false, to: &bytes)
    case 1:
      PositionCode.append(kind: 0, step: 2, hasMore: true, to: &bytes)
      PositionCode.append(kind: 3, step: 700, hasMore: false, to: &bytes)
    default: bytes.appendVarint(PositionCode.longHead(byteCount: 5_000))
    }
    return bytes
  }

  static func rows() -> [[UInt8]] {
    var entry = DictionaryEntry(term: 300, documentCount: 2)
    entry.inline = [9, 200_000].map { Posting(document: $0, impact: Impact(packed: 77)) }
    entry.positions = run(0) + run(1)
    var row = ByteWriter()
    entry.write(to: &row)
    var rows: [[UInt8]] = [[0] + row.array()]

    row.removeAll()
    DocumentRecord.writeHeader(.init(item: 7, from: 300), to: &row)
    let header = row.array()
    // Two titles; four tokens with every kind of step.
    let body: [UInt8] = [0b0011, 2, 3, 1, 4, 3, 5, 8, 14, 9, 2, 1, 21]
    rows.append([1] + header + body)
    // The same with its terms, a byte each.
    row.removeAll()
    DocumentRecord.writeVersion(.init(number: 2, content: 99), to: &row)
    rows.append([1] + header + row.array() + [3, 1, 0x61, 1, 0x62, 2, 0x63, 0x64] + body)
    var items = [ItemEntry](repeating: ItemEntry(), count: IndexLimits.itemRowCount)
    for at in 0..<20 { items[at] = ItemEntry(8, .init(number: 1, content: 9 << 40)) }
    items[3].versionCount = 255
    items[7].versionCount = 70_000
    ItemBlock.write(items[...], to: &row)
    rows.append([2] + row.array())
    var columns = ColumnBlock.Builder()
    for slot in 1..<100 { columns.set(slot, item: UInt32(slot * slot % 60)) }
    columns.clear(50)
    columns.write(to: &row)
    rows.append([3] + row.array())
    // One title of four positions and a text; then two titles listed, and nothing else.
    let records: [[UInt8]] = [[0b1001, 4, 30, 5, 8, 14, 9], [0b10001, 2, 3, 1, 4, 1, 21]]
    var block: [UInt8] = [4, DocumentBlock.version, UInt8(records.count)]
    for record in records { block += [UInt8(record.count), 7] + record }
    rows.append(block)
    return rows
  }
}
