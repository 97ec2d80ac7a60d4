internal import LMDB

/// Tells where one term stands in merged documents; asked in rising order it reads each row once.
struct PositionReader: Sendable {
  private let list: TermList
  private let hasList: Bool
  /// The documents in memory, and their runs of positions.
  private let inline: [UInt32]
  private let inlinePositions: [UInt8]
  private var chunk = PostingChunk.Reader()
  private var key: [UInt8] = []
  /// The block that is decoded.
  private var block: Int?
  private var documents: [UInt32] = []
  private var impacts: [UInt32] = []
  /// How far the positions of the block are read: their place is before this posting of it.
  private var known = 0
  private var offset = 0

  /// Of the term's ended documents, or of all others.
  init(_ entry: DictionaryEntry, isPast: Bool = false) {
    list = TermList(term: entry.term, isPast: isPast)
    hasList = entry.hasList
    inline = isPast ? [] : entry.inline.map { $0.document }
    inlinePositions = isPast ? [] : entry.positions
  }

  /// Readers that together know all merged documents, or those that may be present.
  static func all(_ entry: DictionaryEntry, hasPast: Bool) -> [PositionReader] {
    let present = PositionReader(entry)
    return hasPast && entry.hasList ? [present, PositionReader(entry, isPast: true)] : [present]
  }

  /// Adds where the term stands in a merged document, as kind · 2³² + position; nothing when it
  /// does not.
  /// - Complexity: O(log n) from row to row, O(postings and positions before it) inside a block.
  /// - Throws: `.corrupt` for rows that make no sense.
  mutating func places(
    of document: UInt32, into places: inout [UInt64], _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    if let at = inline.index(sorted: document) {
      var start = 0
      let bytes = inlinePositions.rawSpan
      try PositionCode.skip(at, bytes, &start, end: bytes.byteCount)
      return try PositionCode.read(
        bytes, from: start, list.term, document, into: &places, txn, tables)
    }
    guard hasList, let at = try index(of: document, txn, tables), let block else { return }
    let range = try chunk.positions(of: block)
    var start = known > at || offset == 0 ? range.lowerBound : offset
    let before = known > at || offset == 0 ? 0 : known
    let end = range.upperBound
    try PositionCode.skip(at - before, chunk.bytes.rawSpan, &start, end: end)
    known = at
    offset = start
    let bytes = chunk.bytes.rawSpan.extracting(..<end)
    try PositionCode.read(bytes, from: start, list.term, document, into: &places, txn, tables)
  }

  /// Where the document stands in the block that is then decoded.
  private mutating func index(
    of document: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> Int? {
    if document <= chunk.base || document > chunk.lastDocument {
      block = nil
      guard try PostingChunk.load(&chunk, list, from: document, key: &key, txn, tables),
        document > chunk.base
      else { return nil }
    }
    var next = block ?? 0
    if next > 0, document <= chunk.lastDocument(of: next - 1) { next = 0 }
    while chunk.lastDocument(of: next) < document {
      next += 1
      guard next < chunk.blockCount else { throw IndexDamage.postings }
    }
    if next != block {
      try chunk.decode(next, documents: &documents, impacts: &impacts)
      block = next
      offset = 0
    }
    return documents.index(sorted: document)
  }
}

extension PositionCode {
  /// Adds the places of the run at an offset, wherever it stands.
  static func read(
    _ bytes: borrowing RawSpan, from start: Int, _ term: UInt32, _ document: UInt32,
    into places: inout [UInt64], _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    var offset = start
    if let byteCount = try longByteCount(bytes, from: start) {
      let run = try LongPositions.get(term, document, byteCount: byteCount, txn, tables)
      offset = 0
      try read(run.rawSpan, &offset, into: &places)
      guard offset == run.count else { throw IndexDamage.postings }
    } else {
      try read(bytes, &offset, into: &places)
    }
  }
}
