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
  /// Postings that stand beside it: all of a rare term, none of one with a list.
  ///
  /// Of an entry that was read with a delta row those of that row too.
  var inline: [Posting] = []
  /// Runs of positions of the inline postings, one after the other.
  var positions: [UInt8] = []
  /// Whether it has lists in the postings, before any inline ones.
  let hasList: Bool

  init(term: UInt32, documentCount: UInt32) {
    self.term = term
    self.documentCount = documentCount
    hasList = documentCount > Self.inlineCount
  }

  /// Reads a row.
  /// - Throws: `.corrupt` when it is none.
  init(_ row: borrowing RawSpan) throws(CairnError) {
    var offset = 0
    let term = try Varint.read(row, &offset)
    let count = try Varint.read(row, &offset)
    guard term < UInt64(UInt32.max), count > 0, count < UInt64(UInt32.max) else {
      throw IndexDamage.postings
    }
    self.term = UInt32(term)
    documentCount = UInt32(count)
    hasList = documentCount > Self.inlineCount
    if !hasList {
      var previous: UInt32 = 0
      for _ in 0..<documentCount {
        let posting = try Posting.read(row, &offset, after: previous)
        inline.append(posting)
        previous = posting.document
      }
      let start = offset
      try PositionCode.skip(Int(documentCount), row, &offset, end: row.byteCount)
      positions = row.extracting(start..<offset).array()
    }
    guard offset == row.byteCount else { throw IndexDamage.postings }
  }

  /// Visits the inline postings with their runs of positions.
  /// - Throws: `.corrupt` for damaged runs; what `body` throws.
  func forEachInline(_ body: (Posting, RawSpan) throws(CairnError) -> Void) throws(CairnError) {
    let runs = positions.rawSpan
    var end = 0
    for posting in inline {
      let start = end
      try PositionCode.skip(1, runs, &end, end: runs.byteCount)
      guard end - start <= PositionCode.inlineByteCountMax else { throw IndexDamage.postings }
      try body(posting, runs.extracting(start..<end))
    }
  }

  /// Adds an inline posting at its place among at most one other.
  mutating func add(_ posting: Posting, _ run: RawSpan) {
    if let only = inline.first, only.document > posting.document {
      inline.insert(posting, at: 0)
      positions = run.array() + positions
    } else {
      inline.append(posting)
      positions.append(run)
    }
  }

  /// Id and count alone, for scans over many terms.
  static func termAndCount(_ row: borrowing RawSpan) throws(CairnError) -> (
    term: UInt32, count: UInt32
  ) {
    var offset = 0
    let term = try Varint.read(row, &offset)
    let count = try Varint.read(row, &offset)
    guard max(term, count) < UInt64(UInt32.max) else { throw IndexDamage.postings }
    return (UInt32(term), UInt32(count))
  }

  func write(to row: inout ByteWriter) {
    row.removeAll()
    row.appendVarint(UInt64(term))
    row.appendVarint(UInt64(documentCount))
    var previous: UInt32 = 0
    for posting in inline {
      posting.append(after: previous, to: &row)
      previous = posting.document
    }
    row.append(positions)
  }
}
