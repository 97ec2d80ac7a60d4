internal import LMDB
internal import Projections

/// The part of an index that nobody reads yet which has to wait for its end: documents and postings.
///
/// Each batch becomes one run of a file, its terms in byte order; at the end the runs are merged, and
/// what they hold goes into the tables in the order of their keys, once. How far the file counts is
/// a row that is written with the batch, so that a build which was killed goes on after its last one.
final class IndexBuild {
  let file: SpillFile
  let analyst = DocumentAnalyst()
  private var inverter = Inverter()
  private var counter = TermCounter()
  private var documents = ByteWriter(capacity: 1 << 16)
  private var record = ByteWriter(capacity: 4_096)
  private var firstDocument: UInt32 = 0
  private var documentCount: UInt32 = 0

  init(file: SpillFile) { self.file = file }

  /// Forgets the batch before; the analyst may be at work on this one already.
  func beginBatch() {
    inverter.removeAll()
    counter.forget()
    documents.removeAll()
    documentCount = 0
  }

  /// Takes in the next terms of the analyst's vocabulary.
  func add(_ keys: TermKeys) { inverter.add(keys) }

  /// Fills in the terms of a document that the second thread had no time for.
  func weigh(_ document: inout AnalysedDocument) { counter.weigh(&document, inverter.keys) }

  /// Takes in the document after the one before.
  func add(_ number: UInt32, _ header: DocumentRecord.Header, _ document: AnalysedDocument) {
    if documentCount == 0 { firstDocument = number }
    documentCount += 1
    record.removeAll()
    DocumentRecord.writeHeader(header, to: &record)
    DocumentRecord.writeTitles(document.tokens, to: &record)
    documents.appendVarint(UInt64(record.count))
    documents.append(record)
    inverter.add(number, document)
  }

  /// Writes the batch behind the runs before it.
  ///
  /// - Throws: `.diskFull` and the like.
  func writeRun(_ txn: inout WriteTransaction, _ tables: IndexTables) throws(StorageError) {
    guard documentCount > 0 else { return }
    guard let start = try Self.byteCount(txn.reader, tables) else {
      throw StorageError(.internal, "postings are kept for an index that is not being built")
    }
    let end = try writeRun(at: start)
    try Self.setByteCount(end, &txn, tables)
    documentCount = 0
  }

  private func writeRun(at start: Int) throws(StorageError) -> Int {
    var writer = SpillWriter(file, at: start + RunHeader.byteCount)
    let sorted = inverter.sortPostings()
    let order = inverter.byteOrder()
    let longRuns = Dictionary(grouping: inverter.longRuns, by: \.term)
    var ranks = [UInt32](repeating: .max, count: inverter.keys.count)
    var term = RunTerm()
    for (rank, at) in order.enumerated() {
      let number = inverter.touched[at]
      ranks[Int(number)] = UInt32(truncatingIfNeeded: rank)
      let places = sorted.starts[at]..<sorted.starts[at + 1]
      term.set(sorted.postings[places], inverter.positions, longRuns[number] ?? [])
      try term.write(inverter.keys, number, to: &writer)
    }
    let header = RunHeader(
      firstDocument: firstDocument,
      documentCount: documentCount,
      termCount: UInt32(truncatingIfNeeded: order.count),
      nameCount: UInt32(truncatingIfNeeded: ranks.count),
      termByteCount: writer.offset - start - RunHeader.byteCount,
      documentByteCount: documents.count
    )
    try writer.append(ranks)
    try writer.skip(4 * order.count)
    try writer.append(documents)
    try writer.flush()
    try header.write(to: file, at: start)
    return writer.offset
  }
}

extension IndexBuild {
  /// How much of the file counts; nil for an index that is not being built.
  static func byteCount(
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Int? {
    guard let row = try txn.get(tables.state, SharedRows.textBuildKey) else { return nil }
    guard row.byteCount == 8 else { throw SpillFile.damaged }
    return Int(truncatingIfNeeded: row.loadLittleEndian64(at: 0))
  }

  static func setByteCount(
    _ byteCount: Int,
    _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    var row = ByteWriter(capacity: 8)
    row.appendLittleEndian(UInt64(byteCount))
    let key = SharedRows.textBuildKey
    try txn.put(tables.state, key.rawSpan, row.bytes)
  }
}
