internal import LMDB

/// A term's row: its id, in how many documents it stands, and its postings when those are at most
/// two (two thirds of all terms).
///
/// Varints of id and count, then the inline postings, then their positions.
struct DictionaryEntry: Sendable {
  /// Terms in at most this many documents have no postings rows.
  static let inlineCount = 2

  var term: UInt32
  var documentCount: UInt32
  var inline: [Posting] = []
  /// Runs of positions of the inline postings, one after the other.
  var positions: [UInt8] = []
  /// Whether it has a list in the postings.
  let hasList: Bool
  /// A `PostingChunk` of what comes behind its list; empty for none, and in the dictionary.
  var recent: [UInt8] = []

  init(term: UInt32, documentCount: UInt32) {
    self.term = term
    self.documentCount = documentCount
    hasList = documentCount > Self.inlineCount
  }

  /// Reads a row.
  ///
  /// - Throws: `.corrupt` when it is none.
  init(_ row: borrowing RawSpan) throws(StorageError) {
    var offset = 0
    let term = try PostingCode.varint(row, &offset)
    let count = try PostingCode.varint(row, &offset)
    guard term < UInt64(UInt32.max), count > 0, count < UInt64(UInt32.max) else {
      throw PostingCode.damaged
    }
    self.term = UInt32(term)
    documentCount = UInt32(count)
    hasList = documentCount > Self.inlineCount
    if !hasList {
      var previous: UInt32 = 0
      for _ in 0..<documentCount {
        let posting = try PostingCode.read(row, &offset, after: previous)
        inline.append(posting)
        previous = posting.document
      }
      let start = offset
      try PositionCode.skip(Int(documentCount), row, &offset, end: row.byteCount)
      positions = row.extracting(start..<offset).array()
    }
    guard offset == row.byteCount else { throw PostingCode.damaged }
  }

  /// Where the run of positions that begins at an offset stands.
  func run(from start: Int) throws(StorageError) -> Range<Int> {
    var end = start
    try PositionCode.skip(1, positions.rawSpan, &end, end: positions.count)
    guard end - start <= PositionCode.inlineByteCountMax else { throw PostingCode.damaged }
    return start..<end
  }

  /// Only the count, for scans over many terms.
  static func documentCount(_ row: borrowing RawSpan) throws(StorageError) -> UInt32 {
    var offset = 0
    _ = try PostingCode.varint(row, &offset)
    let count = try PostingCode.varint(row, &offset)
    guard count < UInt64(UInt32.max) else { throw PostingCode.damaged }
    return UInt32(count)
  }

  func write(to row: inout ByteWriter) {
    row.removeAll()
    row.appendVarint(UInt64(term))
    row.appendVarint(UInt64(documentCount))
    var previous: UInt32 = 0
    for posting in inline {
      PostingCode.append(posting, after: previous, to: &row)
      previous = posting.document
    }
    row.append(positions)
  }
}
