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
  mutating func append(
    _ chunk: borrowing PostingChunk.Reader,
    _ batch: inout RowBatch
  ) throws(StorageError) {
    let bytes = chunk.bytes.rawSpan
    for block in 0..<chunk.blockCount {
      try chunk.decode(block, documents: &documents, impacts: &impacts)
      let runs = try chunk.positions(of: block)
      var end = runs.lowerBound
      for index in documents.indices {
        let start = end
        try PositionCode.skip(1, bytes, &end, end: runs.upperBound)
        guard documents[index] < numbers.count else { throw PostingCode.damaged }
        let document = numbers[documents[index]]
        guard document != 0 else { continue }
        let posting = Posting(document: document, impact: Impact(decoded: impacts[index]))
        try append(posting, bytes.extracting(start..<end), &batch)
      }
      guard end == runs.upperBound else { throw PostingCode.damaged }
    }
  }

  @inline(__always)
  private mutating func append(
    _ posting: Posting,
    _ run: RawSpan,
    _ batch: inout RowBatch
  ) throws(StorageError) {
    guard posting.document > builder.lastDocument,
      run.byteCount <= PositionCode.inlineByteCountMax
    else { throw PostingCode.damaged }
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
