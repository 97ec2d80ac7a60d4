internal import LMDB

/// What a run begins with; the terms follow, the place of each number of the batch among them, room
/// for their ids, and the documents.
struct RunHeader {
  var firstDocument: UInt32
  var documentCount: UInt32
  var termCount: UInt32
  /// Terms that the batch numbered, also those that no document has after all.
  var nameCount: UInt32
  var termByteCount: Int
  var documentByteCount: Int

  static let byteCount = 40
  private static let mark: UInt32 = 0x4E55_5243

  /// Offsets from the beginning of the run.
  var ranks: Int { Self.byteCount + termByteCount }
  var ids: Int { ranks + 4 * Int(nameCount) }
  var documents: Int { ids + 4 * Int(termCount) }
  var end: Int { documents + documentByteCount }

  func write(to file: SpillFile, at offset: Int) throws(StorageError) {
    var row = ByteWriter(capacity: Self.byteCount)
    row.appendLittleEndian(Self.mark)
    row.appendLittleEndian(firstDocument)
    row.appendLittleEndian(documentCount)
    row.appendLittleEndian(termCount)
    row.appendLittleEndian(nameCount)
    row.appendLittleEndian(UInt32(0))
    row.appendLittleEndian(UInt64(termByteCount))
    row.appendLittleEndian(UInt64(documentByteCount))
    try file.write(row.bytes, at: offset)
  }

  /// Reads the header at an offset of a file of which so much counts.
  ///
  /// - Throws: `.corrupt` when there is none.
  static func read(
    _ file: SpillFile,
    at offset: Int,
    end: Int
  ) throws(StorageError) -> RunHeader {
    guard end - offset >= byteCount else { throw SpillFile.damaged }
    var bytes = [UInt8](repeating: 0, count: byteCount)
    try file.read(into: &bytes, bytes.indices, at: offset)
    let row = bytes.rawSpan
    let terms = row.loadLittleEndian64(at: 24)
    let documents = row.loadLittleEndian64(at: 32)
    guard row.loadLittleEndian32(at: 0) == mark, terms < UInt64(end), documents < UInt64(end) else {
      throw SpillFile.damaged
    }
    let header = RunHeader(
      firstDocument: row.loadLittleEndian32(at: 4),
      documentCount: row.loadLittleEndian32(at: 8),
      termCount: row.loadLittleEndian32(at: 12),
      nameCount: row.loadLittleEndian32(at: 16),
      termByteCount: Int(terms),
      documentByteCount: Int(documents)
    )
    guard header.end <= end - offset else { throw SpillFile.damaged }
    return header
  }
}

/// One term of a run as bytes: their count (32 bits), then varints of the key's length, the key, how
/// many postings, how many bytes of them, the postings each with its positions, and to the end the
/// runs of positions that were too long: document, length, bytes.
struct RunTerm: ~Copyable {
  private var count = 0
  private var postings = ByteWriter(capacity: 4_096)
  private var longRuns = ByteWriter(capacity: 64)
  private var head = ByteWriter(capacity: 600)
  private var size = ByteWriter(capacity: 4)

  /// Replaces what it holds.
  mutating func set(
    _ entries: ArraySlice<Inverter.Entry>,
    _ positions: [UInt8],
    _ long: [(term: UInt32, document: UInt32, run: [UInt8])]
  ) {
    count = entries.count
    postings.removeAll()
    var previous: UInt32 = 0
    let places = positions.rawSpan
    for entry in entries {
      PostingCode.append(entry.posting, after: previous, to: &postings)
      // Most runs are a byte or two.
      for at in entry.run { postings.append(places.byte(at: at)) }
      previous = entry.document
    }
    longRuns.removeAll()
    for (_, document, run) in long {
      longRuns.appendVarint(UInt64(document))
      longRuns.appendVarint(UInt64(run.count))
      longRuns.append(run)
    }
  }

  /// Writes it under the key of a term.
  mutating func write(
    _ keys: TermKeys,
    _ number: UInt32,
    to writer: inout SpillWriter
  ) throws(StorageError) {
    let key = keys[number]
    head.removeAll()
    head.appendVarint(UInt64(key.count))
    for byte in key { head.append(byte) }
    head.appendVarint(UInt64(count))
    head.appendVarint(UInt64(postings.count))
    let byteCount = head.count + postings.count + longRuns.count
    size.removeAll()
    size.appendLittleEndian(UInt32(truncatingIfNeeded: byteCount))
    try writer.append(size.bytes)
    try writer.append(head.bytes)
    try writer.append(postings.bytes)
    try writer.append(longRuns.bytes)
  }
}
