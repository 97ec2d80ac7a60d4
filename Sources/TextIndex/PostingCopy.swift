internal import LMDB

/// Copies one term's chunks after the other, under other document numbers.
///
/// A chunk of which most stays becomes a chunk; what is left of others is gathered anew.
struct PostingCopy: ~Copyable {
  private let numbers: DocumentRanks
  private var renumbering: PostingChunk.Renumbering
  private var builder = PostingChunk.Builder()
  private var term: UInt32 = 0
  private var key = ByteWriter(capacity: Self.keyByteCount)
  private var row = ByteWriter(capacity: IndexLimits.rowByteCount)
  /// A complete row whose key is not known before what follows is, and its last document.
  private var held = ByteWriter(capacity: IndexLimits.rowByteCount)
  private var heldDocument: UInt32?
  private var documents: [UInt32] = []
  private var impacts: [UInt32] = []
  /// Postings so far.
  private(set) var count: UInt32 = 0
  /// The first postings, as many as may stand in the dictionary, when there are no more.
  private(set) var few = DictionaryEntry(term: 0, documentCount: 0)

  /// Shorter rows than this are gathered, so that purge after purge does not leave crumbs.
  private static let byteCountMin = 256
  private static let keyByteCount = 8

  /// `numbers` has the new number of each document, from 1 on without gaps, 0 for those that go.
  init(_ numbers: [UInt32]) {
    let numbers = DocumentRanks(numbers)
    self.numbers = numbers
    renumbering = PostingChunk.Renumbering(numbers)
  }

  mutating func begin(_ term: UInt32) {
    self.term = term
    count = 0
    few = DictionaryEntry(term: term, documentCount: 0)
    heldDocument = nil
    builder.begin(after: 0)
  }

  /// Adds what stays of a chunk; `isLast` for the one that still grows.
  mutating func append(
    _ chunk: borrowing PostingChunk.Reader,
    isLast: Bool,
    _ batch: inout RowBatch
  ) throws(StorageError) {
    try renumbering.load(chunk, after: builder.lastDocument)
    let left = UInt32(renumbering.postingCount)
    let byteCount = renumbering.byteCount
    guard left > 0 else { return }
    let isWorthARow = isLast || byteCount >= max(chunk.byteCount / 4 * 3, Self.byteCountMin)
    guard isWorthARow, byteCount <= Limits.rowByteCountMax - Self.keyByteCount,
      count + left > DictionaryEntry.inlineCount,
      builder.isEmpty || builder.postingCount >= IndexLimits.blockPostingCount
    else { return try appendEach(chunk, &batch) }
    if !builder.isEmpty {
      writeHeld(&batch)
      builder.write(to: &held)
      heldDocument = builder.lastDocument
    }
    writeHeld(&batch)
    renumbering.write(to: &held)
    heldDocument = renumbering.lastDocument
    builder.begin(after: renumbering.lastDocument)
    count += left
  }

  private mutating func appendEach(
    _ chunk: borrowing PostingChunk.Reader,
    _ batch: inout RowBatch
  ) throws(StorageError) {
    for block in 0..<chunk.blockCount {
      try chunk.decode(block, documents: &documents, impacts: &impacts)
      let range = try chunk.positions(of: block)
      var end = range.lowerBound
      for index in documents.indices {
        let start = end
        try PositionCode.skip(1, chunk.bytes.rawSpan, &end, end: range.upperBound)
        let document = numbers[documents[index]]
        guard document != 0 else { continue }
        let impact = Impact(units: impacts[index] >> 2, place: UInt8(impacts[index] & 3))
        let posting = Posting(document: document, impact: impact)
        append(posting, chunk.bytes.rawSpan.extracting(start..<end), &batch)
      }
    }
  }

  private mutating func append(
    _ posting: Posting,
    _ run: borrowing RawSpan,
    _ batch: inout RowBatch
  ) {
    if count < DictionaryEntry.inlineCount {
      few.inline.append(posting)
      unsafe run.withUnsafeBytes { unsafe few.positions.append(contentsOf: $0) }
    }
    if !builder.hasRoom(positionByteCount: run.byteCount) {
      let last = builder.lastDocument
      write(last, &batch)
      builder.begin(after: last)
    }
    builder.append(posting, run)
    count += 1
  }

  /// Writes what is left of the term's rows; the last one is the one that still grows.
  mutating func finish(_ batch: inout RowBatch) {
    if builder.isEmpty {
      if heldDocument != nil { heldDocument = .max }
      writeHeld(&batch)
    } else {
      write(.max, &batch)
    }
  }

  private mutating func write(_ document: UInt32, _ batch: inout RowBatch) {
    writeHeld(&batch)
    builder.write(to: &row)
    setKey(document)
    batch.append(key.bytes, row.bytes)
  }

  private mutating func writeHeld(_ batch: inout RowBatch) {
    guard let document = heldDocument else { return }
    setKey(document)
    batch.append(key.bytes, held.bytes)
    heldDocument = nil
  }

  private mutating func setKey(_ document: UInt32) {
    key.removeAll()
    key.appendBigEndian(term)
    key.appendBigEndian(document)
  }
}
