internal import LMDB

/// Merges the runs of a build into dictionary and lists, and gives the terms their ids in byte order,
/// so that the lists of words with one beginning stand side by side.
struct IndexMerge: ~Copyable {
  private let tables: IndexTables
  private let writer: RowWriter
  private let readers: [RunReader]
  /// Bytes of rows that are stored at a time.
  private let batchByteCount: Int
  private var terms = RowBatch()
  private var lists: ListWriter
  private var positions = RowBatch()
  private var key = ByteWriter(capacity: 600)
  private var row = ByteWriter(capacity: 600)
  /// The id the next term gets.
  private(set) var nextTerm: UInt32 = 0

  init(
    _ tables: IndexTables,
    _ writer: RowWriter,
    _ readers: [RunReader],
    batchByteCount: Int
  ) {
    self.tables = tables
    self.writer = writer
    self.readers = readers
    self.batchByteCount = batchByteCount
    lists = ListWriter()
  }

  /// Merges everything.
  ///
  /// - Complexity: O(postings + terms of all runs · log runs), some 60 ns a posting.
  mutating func run() throws(StorageError) {
    var heap = try RunHeap(readers)
    var group: [Int] = []
    while true {
      heap.takeLeast(into: &group)
      guard let first = group.first else { break }
      guard nextTerm < UInt32.max - 1 else {
        throw StorageError(.internal, "the text index has run out of term numbers")
      }
      readers[first].writeKey(to: &key)
      try merge(group)
      for place in group { try readers[place].setID(nextTerm) }
      nextTerm += 1
      try heap.putBack(group)
      try store(atLeast: batchByteCount)
    }
    for reader in readers { try reader.writeIDs() }
    try store(atLeast: 0)
  }

  private mutating func store(atLeast byteCount: Int) throws(StorageError) {
    if terms.byteCount >= byteCount { try writer.append(&terms, to: tables.terms) }
    if lists.rows.byteCount >= byteCount { try writer.append(&lists.rows, to: tables.postings) }
    if positions.byteCount >= byteCount { try writer.append(&positions, to: tables.positions) }
  }

  /// Writes the row of a term and its list.
  private mutating func merge(_ group: [Int]) throws(StorageError) {
    var count = 0
    var byteCount = 0
    for place in group {
      count += readers[place].count
      byteCount += readers[place].postingByteCount
    }
    guard count < Int(UInt32.max) else { throw SpillFile.damaged }
    var entry = DictionaryEntry(
      term: nextTerm,
      documentCount: UInt32(truncatingIfNeeded: count)
    )
    if entry.hasList {
      lists.begin(nextTerm, byteCount: byteCount)
      for place in group { try lists.append(readers[place]) }
      lists.finish()
    } else {
      for place in group {
        try readers[place].forEachPosting { (posting, run) throws(StorageError) in
          entry.inline.append(posting)
          entry.positions.append(run)
        }
      }
    }
    entry.write(to: &row)
    terms.append(key, row)
    for place in group where readers[place].hasLongRuns {
      try readers[place].forEachLongRun { (document, run) throws(StorageError) in
        try positions.appendParted(LongPositions.key(nextTerm, document).rawSpan, run)
      }
    }
  }
}

/// Writes lists one after the other, in chunks as long as fill the pages they come to stand in.
private struct ListWriter: ~Copyable {
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

  @inline(__always)
  mutating func append(_ reader: RunReader) throws(StorageError) {
    try reader.forEachPosting { (posting, run) throws(StorageError) in
      guard posting.document > builder.lastDocument,
        run.byteCount <= PositionCode.inlineByteCountMax
      else { throw SpillFile.damaged }
      let hasRoom = builder.hasRoom(
        for: posting,
        positionByteCount: run.byteCount,
        rowByteCount: chunkByteCount
      )
      if !hasRoom {
        let last = builder.lastDocument
        write(last)
        beginChunk(after: last)
      }
      builder.append(posting, run)
    }
  }

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
