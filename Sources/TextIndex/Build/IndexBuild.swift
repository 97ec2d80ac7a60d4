internal import LMDB
internal import Projections
internal import Text

/// The part of an index that nobody reads yet which has to wait for its end: documents and
/// postings.
///
/// Each batch becomes two runs of a file, their terms in byte order, analysed by two threads while
/// the writer is at the batch before; at the end the runs are merged, and what they hold goes into
/// the tables in the order of their keys, once. How far the file counts is a row that is written
/// with the batch, so that a build which was killed goes on after its last one.
final class IndexBuild {
  let file: SpillFile
  private let analyzer: Analyzer
  /// By turns of the present batch and of the one after it.
  private let slices = (0..<4).map { _ in BuildSlice() }
  private let analysts = (0..<2).map { _ in WriterThread(name: "cairn-analyst") }
  private let encoder = WriterThread(name: "cairn-runs")

  /// Documents that the threads are told of.
  private struct Batch {
    var name: UInt64?
    var parts: [(slice: Int, count: Int)]

    var count: Int { parts.reduce(0) { $0 + $1.count } }
  }

  /// The batch whose documents are taken, and the one after it.
  private var batch: Batch?
  private var upcoming: Batch?
  /// The document taken last: part, and index in it.
  private var part = 0
  private var index = -1

  /// Documents that are worth a second run.
  private static let splitCount = 16

  init(file: SpillFile, _ analyzer: Analyzer) {
    self.file = file
    self.analyzer = analyzer
  }

  deinit { for slice in slices { slice.cancel() } }

  /// Whether documents are being taken.
  var isTaking: Bool { batch != nil }

  /// Begins with the documents of a batch, or goes on with them.
  func begin(count: Int, named name: UInt64?, source: @escaping AnalysisAhead.Source) {
    if let next = upcoming, let name, next.name == name, next.count == count {
      batch = next
      upcoming = nil
    } else {
      endAll()
      batch = start(count, name, slices: [0, 1], source)
    }
    (part, index) = (0, -1)
  }

  /// Has the threads go on with the documents of the batch after the present one.
  func prepare(_ name: UInt64, count: Int, source: @escaping AnalysisAhead.Source) {
    if let next = upcoming, next.name == name, next.count == count { return }
    let taken = batch?.parts.first?.slice ?? 2
    upcoming = start(count, name, slices: taken < 2 ? [2, 3] : [0, 1], source)
  }

  private func start(
    _ count: Int, _ name: UInt64?, slices chosen: [Int], _ source: @escaping AnalysisAhead.Source
  ) -> Batch {
    let middle = count < Self.splitCount ? count : count / 2
    var parts = [(slice: chosen[0], count: middle)]
    if middle < count { parts.append((chosen[1], count - middle)) }
    var first = 0
    for (helper, part) in parts.enumerated() {
      let range = first..<first + part.count
      slices[part.slice].start(range, analyzer, on: analysts[helper], source: source)
      first = range.upperBound
    }
    return Batch(name: name, parts: parts)
  }

  func next() throws(CairnError) -> BuildSlice.Document {
    guard let batch else { throw Self.isMissing }
    index += 1
    if index == batch.parts[part].count {
      slices[batch.parts[part].slice].encode(on: encoder)
      part += 1
      index = 0
    }
    guard part < batch.parts.count else { throw Self.isMissing }
    let slice = slices[batch.parts[part].slice]
    if index == 0 { slice.wait() }
    guard index < slice.documents.count else { throw Self.isMissing }
    return slice.documents[index]
  }

  static var isMissing: CairnError { CairnError(.internal, "a document was not analysed") }

  /// Makes the document taken last a new one, whose number follows the one before.
  func keep(_ number: UInt32, _ header: DocumentRecord.Header) {
    guard let batch else { return }
    slices[batch.parts[part].slice].keep(index, number, header)
  }

  /// Writes the batch, all of whose documents were taken, behind the runs before it.
  /// - Throws: `.diskFull` and the like.
  func writeRuns(_ txn: inout WriteTransaction, _ tables: IndexTables) throws(CairnError) {
    guard let batch else { return }
    guard part == batch.parts.count - 1, index == batch.parts[part].count - 1 else {
      throw CairnError(.internal, "a document was not taken")
    }
    slices[batch.parts[part].slice].encode(on: encoder)
    guard var end = try Self.byteCount(txn.reader, tables) else {
      throw CairnError(.internal, "postings are kept for an index that is not being built")
    }
    for part in batch.parts {
      slices[part.slice].wait()
      end = try slices[part.slice].writeRun(to: file, at: end)
    }
    try Self.setByteCount(end, &txn, tables)
  }

  /// Forgets the batch, written or not; what comes after it goes on.
  func endBatch() {
    for part in batch?.parts ?? [] { slices[part.slice].cancel() }
    batch = nil
  }

  /// Ends whatever the threads do.
  func endAll() {
    for slice in slices { slice.cancel() }
    batch = nil
    upcoming = nil
  }
}

extension IndexBuild {
  /// How much of the file counts; nil for an index that is not being built.
  static func byteCount(_ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError) -> Int?
  {
    guard let row = try txn.get(tables.state, SharedRows.textBuildKey) else { return nil }
    guard row.byteCount == 8 else { throw SpillFile.damaged }
    return Int(truncatingIfNeeded: row.loadLittleEndian64(at: 0))
  }

  static func setByteCount(_ byteCount: Int, _ txn: inout WriteTransaction, _ tables: IndexTables)
    throws(CairnError)
  {
    var row = ByteWriter(capacity: 8)
    row.appendLittleEndian(UInt64(byteCount))
    let key = SharedRows.textBuildKey
    try txn.put(tables.state, key.rawSpan, row.bytes)
  }
}
