internal import LMDB

/// Writes the documents of a build in their order, their title tokens under the ids of the terms.
struct DocumentMerge: ~Copyable {
  private let file: SpillFile
  private let memory: MergeMemory
  private let writer: RowWriter
  private let tables: IndexTables
  private var documents = DocumentRows()
  private var buffer: [UInt8] = []
  private var names: [UInt32] = []
  private var tokens = DocumentTokens()
  private var record = ByteWriter(capacity: 4_096)

  init(_ file: SpillFile, _ memory: MergeMemory, _ writer: RowWriter, _ tables: IndexTables) {
    self.file = file
    self.memory = memory
    self.writer = writer
    self.tables = tables
  }

  /// Writes the documents of all runs, whose terms have their ids.
  /// - Complexity: O(documents).
  mutating func run(_ runs: [StoredRun]) throws(CairnError) {
    for run in runs { try append(run) }
    try documents.finish()
    try writer.append(&documents.rows, to: tables.documents)
  }

  private mutating func append(_ run: StoredRun) throws(CairnError) {
    let (start, header) = (run.start, run.header)
    try readNames(header, at: start)
    buffer.removeAll(keepingCapacity: true)
    buffer.append(contentsOf: repeatElement(0, count: header.documentByteCount))
    try file.read(into: &buffer, buffer.indices, at: start + header.documents)
    var offset = 0
    for number in 0..<header.documentCount {
      let byteCount = try Varint.read(buffer.rawSpan, &offset)
      guard byteCount <= UInt64(buffer.count - offset) else { throw SpillFile.damaged }
      let from = try rename(offset..<offset + Int(byteCount))
      offset += Int(byteCount)
      try documents.append(header.firstDocument &+ number, from: from, record)
      if documents.rows.byteCount >= memory.batchByteCount {
        try writer.append(&documents.rows, to: tables.documents)
      }
    }
    guard offset == buffer.count else { throw SpillFile.damaged }
  }

  /// Makes a document of the buffer a record with ids, and tells which sequence it is from.
  private mutating func rename(_ range: Range<Int>) throws(CairnError) -> UInt64 {
    let bytes = buffer
    var reader = ByteReader(bytes.rawSpan.extracting(range))
    let header = try DocumentRecord.readHeader(&reader)
    try DocumentRecord.readBody(&reader, into: &tokens)
    for token in tokens.tokens where token.term >= names.count { throw SpillFile.damaged }
    record.removeAll()
    DocumentRecord.writeMerged(tokens, names: names, to: &record)
    return header.from
  }

  /// Reads the ids by the numbers that the run has for terms.
  private mutating func readNames(_ header: RunHeader, at start: Int) throws(CairnError) {
    let byteCount = header.documents - header.ranks
    var bytes = [UInt8](repeating: 0, count: byteCount)
    try file.read(into: &bytes, bytes.indices, at: start + header.ranks)
    let table = bytes.rawSpan
    names.removeAll(keepingCapacity: true)
    for number in 0..<Int(header.nameCount) {
      let rank = table.loadLittleEndian32(at: 4 * number)
      if rank == .max {
        names.append(.max)
      } else {
        guard rank < header.termCount else { throw SpillFile.damaged }
        let place = header.ids - header.ranks + 4 * Int(rank)
        names.append(table.loadLittleEndian32(at: place))
      }
    }
  }
}
