internal import LMDB

/// Writes postings lists, one term after the other, as rows of chunks: the only place that does.
///
/// A list ends with a chunk whose key is its greatest, so that it can grow in place.
struct ListSink: ~Copyable {
  /// How long chunks get.
  enum Layout {
    /// So long that a row that grows stays inside a page.
    case growing
    /// As long as the page has room that they come to stand in, for tables that are filled in
    /// order.
    case packed
  }

  /// Complete rows, in the order of their keys inside a list.
  var rows = RowBatch()
  private let layout: Layout
  private var builder = PostingChunk.Builder()
  private var list = TermList(term: 0)
  private var key = ByteWriter(capacity: 8)
  private var row = ByteWriter(capacity: Limits.rowByteCountMax)
  /// Bytes left in the last page.
  private var room = 0
  /// Longest row for the present chunk.
  private var chunkByteCount = Self.chunkByteCountMax
  /// Bytes of the list that are still to come, about.
  private var restByteCount = 0

  /// Longest value beside a key of eight bytes, of which two fill a page.
  private static let chunkByteCountMax = Limits.rowByteCountMax - 8
  private static let overheadByteCount = Limits.rowOverheadByteCount + 8
  /// Lists up to here are not cut to fill a page.
  private static let wholeByteCount = 512
  /// Less room than this is not worth a chunk.
  private static let roomMin = 256

  init(_ layout: Layout) { self.layout = layout }

  var lastDocument: UInt32 { builder.lastDocument }

  mutating func begin(_ list: TermList, byteCount: Int = 0) {
    self.list = list
    restByteCount = byteCount
    beginChunk(after: 0)
  }

  /// Goes on with a list whose last chunk is given.
  /// - Throws: `.corrupt` when it is none.
  mutating func resume(_ list: TermList, _ tail: RawSpan) throws(CairnError) {
    self.list = list
    try builder.resume(tail)
  }

  private mutating func beginChunk(after document: UInt32) {
    builder.begin(after: document)
    guard layout == .packed else { return }
    let fitting = room - Self.overheadByteCount
    let isCut = restByteCount > Self.wholeByteCount && fitting >= Self.roomMin
    chunkByteCount = isCut ? min(fitting, Self.chunkByteCountMax) : Self.chunkByteCountMax
  }

  /// Adds a posting with its run of positions.
  /// - Throws: `.corrupt` when its document does not come after the last one.
  @inline(__always) mutating func append(_ posting: Posting, _ run: RawSpan) throws(CairnError) {
    guard posting.document > builder.lastDocument, run.byteCount <= PositionCode.inlineByteCountMax
    else { throw IndexDamage.postings }
    let hasRoom = builder.hasRoom(
      for: posting, positionByteCount: run.byteCount, rowByteCount: chunkByteCount)
    if !hasRoom {
      let last = builder.lastDocument
      write(last)
      beginChunk(after: last)
    }
    builder.append(posting, run)
  }

  /// Adds as many decoded postings of a range as fit the present block, with their runs of
  /// positions as they are; moves the offset behind the runs of those added.
  ///
  /// Documents must rise, and come after the last one.
  /// - Returns: How many were added; none where one has to be added alone.
  mutating func append(
    _ documents: [UInt32], _ impacts: [UInt32], _ range: Range<Int>, _ bytes: RawSpan,
    _ offset: inout Int, end: Int
  ) throws(CairnError) -> Int {
    let count = min(range.count, builder.openRoom)
    guard count > 1 else { return 0 }
    var runEnd = offset
    try PositionCode.skip(count, bytes, &runEnd, end: end)
    let places = range.lowerBound..<range.lowerBound + count
    let runs = bytes.extracting(offset..<runEnd)
    guard builder.append(documents, impacts, places, runs, rowByteCount: chunkByteCount) else {
      return 0
    }
    offset = runEnd
    return count
  }

  /// Ends the list; one without postings has no row.
  mutating func finish() { if !builder.isEmpty { write(.max) } }

  private mutating func write(_ document: UInt32) {
    builder.write(to: &row)
    IndexTables.setKey(&key, list, document)
    rows.append(key, row)
    restByteCount -= row.count
    let taken = (Self.overheadByteCount + row.count + 1) & ~1
    room = (taken <= room ? room : Limits.leafByteCount) - taken
  }
}
