internal import LMDB

/// Copies one term's chunks after the other, under other document numbers.
struct PostingCopy: ~Copyable {
  private let numbers: DocumentRanks
  private var builder = PostingChunk.Builder()
  private var term: UInt32 = 0
  private var key = ByteWriter(capacity: 8)
  private var row = ByteWriter(capacity: IndexLimits.rowByteCount)
  private var documents: [UInt32] = []
  private var impacts: [UInt32] = []
  /// Postings so far.
  private(set) var count: UInt32 = 0
  /// The first postings, as many as may stand in the dictionary.
  private(set) var few = DictionaryEntry(term: 0, documentCount: 0)

  /// `numbers` has the new number of each document, from 1 on without gaps, 0 for those that go.
  init(_ numbers: [UInt32]) { self.numbers = DocumentRanks(numbers) }

  mutating func begin(_ term: UInt32) {
    self.term = term
    count = 0
    few = DictionaryEntry(term: term, documentCount: 0)
    builder.begin(after: 0)
  }

  /// Adds what stays of a chunk: impacts and positions as they are.
  ///
  /// - Throws: `.corrupt` when the chunk is damaged.
  mutating func append(_ chunk: borrowing PostingChunk.Reader, _ batch: inout RowBatch)
    throws(StorageError)
  {
    let bytes = chunk.bytes.rawSpan
    for block in 0..<chunk.blockCount {
      try chunk.decode(block, documents: &documents, impacts: &impacts)
      let runs = try chunk.positions(of: block)
      try renumber()
      var (index, offset) = (0, runs.lowerBound)
      while index < documents.count {
        if documents[index] == 0 {
          try PositionCode.skip(1, bytes, &offset, end: runs.upperBound)
          index += 1
          continue
        }
        var stop = index + 1
        while stop < documents.count, documents[stop] != 0 { stop += 1 }
        try append(index..<stop, bytes, &offset, end: runs.upperBound, &batch)
        index = stop
      }
      guard offset == runs.upperBound else { throw PostingCode.damaged }
    }
  }

  /// Gives the documents of a block their new numbers.
  private mutating func renumber() throws(StorageError) {
    var last = builder.lastDocument
    let numbers = numbers
    for index in documents.indices {
      guard documents[index] < numbers.count else { throw PostingCode.damaged }
      let number = numbers[documents[index]]
      documents[index] = number
      guard number != 0 else { continue }
      guard number > last else { throw PostingCode.damaged }
      last = number
    }
  }

  /// Adds postings that all stay, those of a block that grows at once.
  private mutating func append(
    _ range: Range<Int>, _ bytes: RawSpan, _ offset: inout Int, end: Int, _ batch: inout RowBatch
  ) throws(StorageError) {
    var index = range.lowerBound
    while index < range.upperBound {
      let room = min(range.upperBound - index, builder.openRoom)
      if room > 1, count >= DictionaryEntry.inlineCount {
        var runEnd = offset
        try PositionCode.skip(room, bytes, &runEnd, end: end)
        let isAdded = builder.append(
          documents, impacts, index..<index + room, bytes.extracting(offset..<runEnd))
        if isAdded {
          count += UInt32(room)
          index += room
          offset = runEnd
          continue
        }
      }
      let start = offset
      try PositionCode.skip(1, bytes, &offset, end: end)
      let posting = Posting(document: documents[index], impact: Impact(decoded: impacts[index]))
      try append(posting, bytes.extracting(start..<offset), &batch)
      index += 1
    }
  }

  @inline(__always) private mutating func append(
    _ posting: Posting, _ run: RawSpan, _ batch: inout RowBatch
  ) throws(StorageError) {
    guard run.byteCount <= PositionCode.inlineByteCountMax else { throw PostingCode.damaged }
    if count < DictionaryEntry.inlineCount {
      few.inline.append(posting)
      few.positions.append(run)
    }
    if !builder.hasRoom(for: posting, positionByteCount: run.byteCount) {
      let last = builder.lastDocument
      write(last, &batch)
      builder.begin(after: last)
    }
    builder.append(posting, run)
    count += 1
  }

  /// Writes the chunk that still grows.
  mutating func finish(_ batch: inout RowBatch) { write(.max, &batch) }

  private mutating func write(_ document: UInt32, _ batch: inout RowBatch) {
    builder.write(to: &row)
    IndexTables.setKey(&key, term, document)
    batch.append(key, row)
  }
}
