import LMDB
import Projections
import Synchronization
import Text
import TextIndex

/// The text index as a projection: turns changes of content into documents.
final class TextProjection: DerivedProjection {
  static let name = ProjectionName("text")
  static let isCopiedByRebuild = true
  /// Part of the tables' rows stand in the shared table.
  static let tables = TextIndex.tables.filter { $0 != SharedRows.tableName }
  static let auditedTables = TextIndex.auditedTables

  let index: TextIndex
  // SAFETY: used inside write transactions only, and those run one at a time on one thread.
  nonisolated(unsafe) let context = FoldContext()
  /// The batch whose texts a second thread analyses; 0 for none.
  private let ahead = Atomic<UInt64>(0)
  /// What the present fold makes older events with.
  let lens = Mutex<SchemaLens?>(nil)

  init(_ environment: Environment) {
    index = TextIndex(environment: environment, analyzer: Analyzer())
  }

  static let formatVersion = UInt64(TextIndex.formatVersion)

  /// Adds the format, the constants behind stored impacts, what is searched, and how texts become
  /// words.
  static func addVersion(to hasher: inout RowHasher) {
    hasher.add(formatVersion)
    for constant in ScoreFormula.storedConstants { hasher.add(constant.bitPattern) }
    SearchField.addVersion(to: &hasher)
    hasher.add(Analyzer.versionString)
  }

  func fold(
    _ batch: ResolvedBatch, _ checkpoint: inout Checkpoint, in txn: inout WriteTransaction
  ) throws(CairnError) {
    var isAhead = ahead.exchange(0, ordering: .relaxed) == batch.through
    let isMerged = batch.contents.contains { if case .merged = $0.content { true } else { false } }
    if isAhead, isMerged {
      // Beside what a page says, the text of an item is not that of its event alone.
      unsafe context.endCall()
      isAhead = false
    }
    let changes = TextChanges.of(
      batch.contents, batch.events, batch.layouts, lens.withLock { $0 }, withFields: !isAhead)
    guard !changes.isEmpty else { return }
    checkpoint[Self.name] = try unsafe index.apply(changes, in: &txn, context: context)
  }

  /// Analyses the texts of a large batch on a second thread until the batch is folded.
  func analyseAhead(_ batch: FoldBatch, in txn: inout WriteTransaction) throws(CairnError) {
    guard let documents = batch.documents else { return }
    let isAhead = try unsafe index.analyseAhead(
      count: documents.count, named: batch.applied, in: &txn, context: context
    ) { batch.text(documents[$0]) }
    ahead.store(isAhead ? batch.through : 0, ordering: .relaxed)
  }

  /// Gives that thread the next batch, to analyse while the present one is written.
  func prepare(_ batch: FoldBatch) {
    let documents = batch.documents ?? []
    unsafe context.prepare(batch.applied, count: documents.count) { batch.text(documents[$0]) }
  }

  func audit(_ names: any NameKeys, in txn: borrowing ReadTransaction) throws(CairnError)
    -> RowDigest
  {
    try index.recomputedDigest(in: txn) { (item) throws(CairnError) in try names.itemKey(item) }
  }

  func fill(
    _ copy: GenerationCopy, _ checkpoint: inout Checkpoint, from txn: borrowing ReadTransaction
  ) throws(CairnError) -> PendingFill? {
    let text = TextCopy(copy, to: index, at: checkpoint.applied)
    return PendingFill(
      finish: { (txn) throws(CairnError) in try text.digest(orFrom: txn) }, end: text.end)
  }
}
