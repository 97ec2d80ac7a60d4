internal import LMDB

/// The postings of one term that are not in its postings list yet; one row, keyed like the term's
/// in the dictionary.
///
/// Varints of the term's id, the count of postings, the last document and the byte count of the
/// postings; then these, the first one's gap counted from 0, and their positions. All its documents
/// come after those of the list, so that a term is its list with this behind it.
struct DeltaRow: Sendable {
  var term: UInt32
  private(set) var count: UInt32 = 0
  private(set) var lastDocument: UInt32 = 0
  private var postings: [UInt8] = []
  private var positions: [UInt8] = []

  init(term: UInt32) { self.term = term }

  /// Reads a row.
  /// - Throws: `.corrupt` when it is none; postings themselves are checked as they are visited.
  init(_ row: borrowing RawSpan) throws(CairnError) {
    let front = try Front(row)
    term = front.term
    count = front.count
    lastDocument = front.lastDocument
    postings = row.extracting(front.postings).array()
    positions = row.extracting(front.postings.upperBound..<row.byteCount).array()
  }

  /// What stands before the postings.
  private struct Front {
    var term: UInt32
    var count: UInt32
    var lastDocument: UInt32
    var postings: Range<Int>

    init(_ row: borrowing RawSpan) throws(CairnError) {
      var offset = 0
      let term = try Varint.read(row, &offset)
      let count = try Varint.read(row, &offset)
      let last = try Varint.read(row, &offset)
      let byteCount = try Varint.read(row, &offset)
      guard max(term, count, last) < UInt64(UInt32.max), count > 0,
        byteCount <= UInt64(row.byteCount - offset)
      else { throw IndexDamage.postings }
      self.term = UInt32(term)
      self.count = UInt32(count)
      lastDocument = UInt32(last)
      postings = offset..<offset + Int(byteCount)
    }
  }

  /// Id and count alone, for scans over many terms.
  static func termAndCount(_ row: borrowing RawSpan) throws(CairnError) -> (
    term: UInt32, count: UInt32
  ) {
    let front = try Front(row)
    return (front.term, front.count)
  }

  /// What the row takes, its key left out.
  var byteCount: Int { postings.count + positions.count + 16 }

  /// Adds a posting with its run of positions; its document must come after the last one.
  mutating func append(_ posting: Posting, _ run: borrowing RawSpan) throws(CairnError) {
    guard posting.document > lastDocument else { throw IndexDamage.postings }
    posting.append(after: lastDocument, to: &postings)
    positions.append(run)
    lastDocument = posting.document
    count += 1
  }

  func write(to row: inout ByteWriter) {
    row.removeAll()
    row.appendVarint(UInt64(term))
    row.appendVarint(UInt64(count))
    row.appendVarint(UInt64(lastDocument))
    row.appendVarint(UInt64(postings.count))
    row.append(postings)
    row.append(positions)
  }

  /// Visits the postings with the bytes of their positions.
  /// - Throws: `.corrupt` when they are not those that the row tells of.
  func forEach(_ body: (Posting, RawSpan) throws(CairnError) -> Void) throws(CairnError) {
    let (codes, runs) = (postings.rawSpan, positions.rawSpan)
    var offset = 0
    var end = 0
    var last: UInt32 = 0
    for _ in 0..<count {
      let posting = try Posting.read(codes, &offset, after: last)
      let start = end
      try PositionCode.skip(1, runs, &end, end: runs.byteCount)
      guard end - start <= PositionCode.inlineByteCountMax else { throw IndexDamage.postings }
      try body(posting, runs.extracting(start..<end))
      last = posting.document
    }
    guard offset == codes.byteCount, end == runs.byteCount, last == lastDocument else {
      throw IndexDamage.postings
    }
  }

  func firstDocument() throws(CairnError) -> UInt32 {
    var offset = 0
    return try Posting.read(postings.rawSpan, &offset, after: 0).document
  }
}

extension DictionaryEntry {
  /// A term as both its rows have it, either of which may be missing.
  /// - Throws: `.corrupt` when one is damaged or they are of different terms.
  init?(stored: RawSpan?, delta: RawSpan?) throws(CairnError) {
    guard let delta else {
      guard let stored else { return nil }
      try self.init(stored)
      return
    }
    let row = try DeltaRow(delta)
    if let stored {
      try self.init(stored)
      guard term == row.term else { throw IndexDamage.postings }
    } else {
      self.init(term: row.term, documentCount: 0)
    }
    try add(row)
  }

  /// Adds the postings of a row to a term without a list.
  /// - Throws: `.corrupt` when they do not come after its own.
  mutating func add(_ row: DeltaRow) throws(CairnError) {
    var last = inline.last?.document ?? 0
    try row.forEach { (posting, run) throws(CairnError) in
      guard posting.document > last else { throw IndexDamage.postings }
      inline.append(posting)
      positions.append(run)
      last = posting.document
    }
    documentCount += row.count
  }
}
