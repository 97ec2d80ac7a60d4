internal import LMDB

/// Where a term stands in one document, as bytes: per token a varint of step · 4 for the text, step
/// · 16 + kind · 4 + 2 for the other fields, and 1 more where another token follows.
///
/// Tokens come by kind, then position; a step goes from the position before in the same field, the
/// first one from 0. So the bytes of one posting tell where they end. A run longer than
/// `inlineByteCountMax` stands in a table of its own, and in its place its byte count as a step of
/// the kind 3.
enum PositionCode {
  /// Longest run beside its posting: short enough that many postings share a row.
  static let inlineByteCountMax = 256

  @inline(__always) static func append(
    kind: UInt8, step: UInt32, hasMore: Bool, to bytes: inout [UInt8]
  ) {
    let more: UInt64 = hasMore ? 1 : 0
    let head =
      kind == 3 ? UInt64(step) << 2 | more : UInt64(step) << 4 | UInt64(kind) << 2 | 2 | more
    bytes.appendVarint(head)
  }

  /// What stands in place of a run that is too long, as a varint.
  static func longHead(byteCount: Int) -> UInt64 { UInt64(byteCount) << 4 | 3 << 2 | 2 }

  /// The byte count of the run that stands elsewhere, when these bytes only say so.
  @inline(__always) static func longByteCount(_ bytes: borrowing RawSpan, from start: Int)
    throws(CairnError) -> Int?
  {
    var offset = start
    let head = try Varint.read(bytes, &offset)
    return head & 15 == 14 ? Int(truncatingIfNeeded: head >> 4) : nil
  }

  /// Moves behind the runs of so many postings.
  /// - Complexity: O(bytes), eight of them at a time.
  /// - Throws: `.corrupt` when the bytes end before.
  @inline(__always) static func skip(
    _ count: Int, _ bytes: borrowing RawSpan, _ offset: inout Int, end: Int
  ) throws(CairnError) {
    guard end <= bytes.byteCount, offset >= 0 else { throw IndexDamage.postings }
    var rest = count
    if rest > 8, skipWords(&rest, bytes, &offset, end: end) {
      // The words ended inside of a varint whose first byte is counted.
      var isGoing = true
      while isGoing {
        guard offset < end else { throw IndexDamage.postings }
        // SAFETY: the line above keeps the load inside the span.
        isGoing = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self) >= 0x80
        offset &+= 1
      }
    }
    while rest > 0 {
      guard offset < end else { throw IndexDamage.postings }
      // SAFETY: the line above keeps the load inside the span.
      var byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
      if byte & 1 == 0 { rest &-= 1 }
      offset &+= 1
      while byte >= 0x80 {
        guard offset < end else { throw IndexDamage.postings }
        // SAFETY: the line above keeps the load inside the span.
        byte = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
        offset &+= 1
      }
    }
  }

  /// Moves over as many eights of bytes as end fewer runs than are to be skipped; tells whether a
  /// varint goes on behind them.
  @inline(__always) private static func skipWords(
    _ rest: inout Int, _ bytes: borrowing RawSpan, _ offset: inout Int, end: Int
  ) -> Bool {
    let tops: UInt64 = 0x8080_8080_8080_8080
    // The top bit of the byte before, which says whether its varint goes on.
    var carry: UInt64 = 0
    while offset &+ 8 <= end {
      // SAFETY: the line above and `end`, at most the byte count, keep the load inside the span.
      let word = UInt64(
        littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let going = word & tops
      // A run ends with a varint whose first byte is even.
      let ends = ~(going &<< 8 | carry) & ~(word &<< 7) & tops
      let count = ends.nonzeroBitCount
      guard count < rest else { break }
      rest &-= count
      carry = going &>> 56
      offset &+= 8
    }
    return carry != 0
  }

  /// Visits the tokens of one run, each as kind · 2³² + position, and moves behind it.
  /// - Throws: `.corrupt` when the bytes make no run, or stand for one that is elsewhere.
  @inline(__always) static func visit(
    _ bytes: borrowing RawSpan, _ offset: inout Int, _ body: (UInt64) -> Void
  ) throws(CairnError) {
    var kind: UInt64 = 0
    var position: UInt64 = 0
    var isFirst = true
    while true {
      let head = try Varint.read(bytes, &offset)
      let isText = head & 2 == 0
      let next = isText ? 3 : head >> 2 & 3
      let step = isText ? head >> 2 : head >> 4
      guard isText || next != 3, isFirst || next >= kind else { throw IndexDamage.postings }
      position = next == kind ? position &+ step : step
      guard step < UInt64(UInt32.max), position < UInt64(UInt32.max) else {
        throw IndexDamage.postings
      }
      kind = next
      isFirst = false
      body(kind << 32 | position)
      if head & 1 == 0 { return }
    }
  }

  /// The place of the token of a run that has only one, as kind · 2³² + position, and moves behind
  /// it; nil, and does not move, for any other run.
  /// - Throws: `.corrupt` when the bytes make no run.
  @inline(__always) static func sole(_ bytes: borrowing RawSpan, _ offset: inout Int)
    throws(CairnError) -> UInt64?
  {
    guard offset < bytes.byteCount else { throw IndexDamage.postings }
    // SAFETY: the line above keeps the load inside the span.
    let first = unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    guard first & 1 == 0, first & 15 != 14 else { return nil }
    let head = try Varint.read(bytes, &offset)
    let isText = first & 2 == 0
    let step = isText ? head >> 2 : head >> 4
    guard step < UInt64(UInt32.max) else { throw IndexDamage.postings }
    return (isText ? 3 : head >> 2 & 3) << 32 | step
  }

  /// Adds the places of one run to an array.
  static func read(_ bytes: borrowing RawSpan, _ offset: inout Int, into places: inout [UInt64])
    throws(CairnError)
  { try visit(bytes, &offset) { places.append($0) } }

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

/// Runs of positions too long to stand beside their postings.
enum LongPositions {
  static func key(_ term: UInt32, _ document: UInt32) -> [UInt8] {
    IndexTables.key(term) + IndexTables.key(document)
  }

  static func put(
    _ run: [UInt8], _ term: UInt32, _ document: UInt32, _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(CairnError) {
    try Parted.put(&txn, tables.positions, key: key(term, document), value: run.rawSpan)
  }

  /// The run of a term in a document.
  /// - Throws: `.corrupt` when there is none or it has another length.
  static func get(
    _ term: UInt32, _ document: UInt32, byteCount: Int, _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(CairnError) -> [UInt8] {
    guard let run = try Parted.get(txn, tables.positions, key: key(term, document)),
      run.count == byteCount
    else { throw IndexDamage.postings }
    return run
  }
}
