internal import LMDB

/// Writes lists one after the other, in chunks as long as fill the pages they come to stand in.
struct ListWriter: ~Copyable {
  /// Chunks that are complete.
  var rows = RowBatch()
  private var builder = PostingChunk.Builder()
  private var term: UInt32 = 0
  private var key = ByteWriter(capacity: 8)
  private var row = ByteWriter(capacity: Limits.rowByteCountMax)
  /// Bytes left in the last page.
  private var room = 0
  /// Longest row for the present chunk.
  private var chunkByteCount = 0
  /// Bytes of the list that are still to come, about.
  private var restByteCount = 0

  /// Longest value beside a key of eight bytes, of which two fill a page.
  private static let chunkByteCountMax = Limits.rowByteCountMax - 8
  private static let overheadByteCount = Limits.rowOverheadByteCount + 8
  /// Lists up to here are not cut to fill a page.
  private static let wholeByteCount = 512
  /// Less room than this is not worth a chunk.
  private static let roomMin = 256

  /// Begins the list of a term, of about so many bytes.
  mutating func begin(_ term: UInt32, byteCount: Int) {
    self.term = term
    restByteCount = byteCount
    beginChunk(after: 0)
  }

  private mutating func beginChunk(after document: UInt32) {
    builder.begin(after: document)
    let fitting = room - Self.overheadByteCount
    let isCut = restByteCount > Self.wholeByteCount && fitting >= Self.roomMin
    chunkByteCount = isCut ? min(fitting, Self.chunkByteCountMax) : Self.chunkByteCountMax
  }

  /// Adds a posting with its run of positions.
  @inline(__always) mutating func append(_ posting: Posting, _ run: RawSpan) throws(StorageError) {
    guard posting.document > builder.lastDocument, run.byteCount <= PositionCode.inlineByteCountMax
    else { throw SpillFile.damaged }
    let hasRoom = builder.hasRoom(
      for: posting, positionByteCount: run.byteCount, rowByteCount: chunkByteCount)
    if !hasRoom {
      let last = builder.lastDocument
      write(last)
      beginChunk(after: last)
    }
    builder.append(posting, run)
  }

  /// Ends the list.
  mutating func finish() { write(.max) }

  private mutating func write(_ document: UInt32) {
    builder.write(to: &row)
    IndexTables.setKey(&key, term, document)
    rows.append(key, row)
    restByteCount -= row.count
    let taken = (Self.overheadByteCount + row.count + 1) & ~1
    room = (taken <= room ? room : Limits.leafByteCount) - taken
  }
}
