import Catalog
import EventLog
import Events
import LMDB
import Projections
import Ranking
import TextIndex
import Timeline

/// Folding the log into a generation.
extension Generation {
  /// Folds events up to `target` in batches, each one transaction with its checkpoint.
  ///
  /// Runs on the writer thread. A batch that fails leaves the generation as it was before it.
  /// Events in `excluded` are taken as not there; `recent` are the last ones up to the target where
  /// they are at hand, the others are read. `progress` is called after each batch with the
  /// sequence reached; false stops.
  func advance(
    _ log: EventLog, through target: UInt64, excluding excluded: Set<UInt64> = [],
    with recent: [StoredEvent] = [], limit: BatchLimit = BatchLimit(),
    progress: (UInt64) -> Bool = { _ in true }
  ) throws(StorageError) {
    defer { unsafe foldContext.endAhead() }
    let source = EventSource(
      log: log, target: target, excluded: excluded, recent: recent, limit: limit)
    var upcoming: EventBatch?
    var isMergeDue = false
    while true {
      let applied = try environment.write { (txn) throws(StorageError) in
        let (applied, hasText) = try self.foldBatch(source, &upcoming, in: &txn)
        if hasText {
          isMergeDue = try unsafe self.text.isMergeDue(in: txn.reader, context: self.foldContext)
        }
        return applied
      }
      guard progress(applied), applied < target else { break }
    }
    if isMergeDue { try mergeText() }
  }

  /// Merges documents that wait, in steps short enough for readers and writers not to notice.
  private func mergeText() throws(StorageError) {
    var isDue = true
    while isDue {
      isDue = try environment.write { (txn) throws(StorageError) in
        try unsafe self.text.mergeIfDue(in: &txn, force: false, context: self.foldContext)
      }
    }
  }

  /// Folds the next batch; tells the sequence reached and whether texts changed.
  private func foldBatch(
    _ source: EventSource, _ upcoming: inout EventBatch?, in txn: inout WriteTransaction
  ) throws(StorageError) -> (applied: UInt64, hasText: Bool) {
    var checkpoint = try checkpoint(in: txn.reader)
    guard checkpoint.applied < source.target else { return (checkpoint.applied, false) }
    if !isCompared(checkpoint) {
      guard try isMade(of: source.log, at: checkpoint) else { throw isOfAnotherLog }
    }
    if checkpoint.applied == 0 {
      checkpoint.definition = Self.definition
      checkpoint.log = .init(
        root: try source.log.root(at: 0), erasure: try source.log.lastErasure())
    }
    let known = upcoming?.applied == checkpoint.applied ? upcoming : nil
    let batch = if let known { known } else { try source.batch(after: checkpoint.applied) }
    upcoming = nil
    checkpoint.applied = batch.through
    let events = batch.events
    let layouts = batch.layouts

    defer { unsafe foldContext.endCall() }
    let isAhead = try analyseAhead(batch, in: &txn)
    var fold = CatalogFold(catalog: catalog, log: source.log, checkpoint: checkpoint)
    for (index, event) in events.enumerated() {
      try fold.fold(event, layouts[index], index: index, in: &txn)
    }
    try fold.flush(in: &txn)
    checkpoint = fold.checkpoint
    if fold.sawExpiry { checkpoint.hasExpiry = true }
    if checkpoint.tieBreaks == .none, Self.haveTieBreaks(events, layouts) {
      checkpoint.tieBreaks = .some
    }

    let resolved = try Self.weigh(fold.resolved, events, layouts)
    try ranking.fold(resolved, &checkpoint, in: &txn)
    try foldTotals(resolved, through: checkpoint.applied, in: &txn)
    let learnings = try learnings(resolved, events, layouts, in: txn.reader)
    try learn(learnings, &checkpoint, in: &txn)
    checkpoint[.timeline] = try timeline.fold(resolved, digest: checkpoint[.timeline], in: &txn)
    if unsafe foldContext.isBuilding, batch.through < source.target {
      let next = try source.batch(after: batch.through)
      prepare(next)
      upcoming = next
    }
    let changes = TextChanges.of(fold.changes, events, layouts, withFields: !isAhead)
    if !changes.isEmpty {
      checkpoint[.text] = try unsafe text.apply(changes, in: &txn, context: foldContext)
    }
    checkpoint.log?.root = try source.log.root(at: checkpoint.applied)
    try setCheckpoint(checkpoint, in: &txn)
    note(checkpoint)
    return (checkpoint.applied, !changes.isEmpty)
  }

  /// Adds up all uses; those before the first of these are in the timeline.
  func foldTotals(
    _ resolved: [ResolvedEvent], through applied: UInt64, in txn: inout WriteTransaction
  ) throws(StorageError) {
    guard let next = resolved.first?.sequence else { return }
    try ranking.totals.fold(resolved, through: applied, in: &txn) {
      [timeline] (first, txn, body) throws(StorageError) in
      try timeline.forEach(from: first, through: next - 1, in: txn) { record in
        if let use = record.use { body(record.sequence, use) }
        return true
      }
    }
  }

  /// Notes that the rows are already those of the log after a purge that is about to erase.
  func noteErasure(_ purge: UInt64) throws(StorageError) {
    try environment.write { (txn) throws(StorageError) in
      var checkpoint = try self.checkpoint(in: txn.reader)
      checkpoint.log?.erasure = purge
      try self.setCheckpoint(checkpoint, in: &txn)
    }
  }

  private static func haveTieBreaks(_ events: [StoredEvent], _ layouts: [EventLayout]) -> Bool {
    for (index, event) in events.enumerated() {
      guard let range = layouts[index].attributes else { continue }
      if SearchQuery.hasTieBreak(event.payload, range) { return true }
    }
    return false
  }

  /// Has a second thread analyse the texts of a large batch while the catalog is folded.
  private func analyseAhead(_ batch: EventBatch, in txn: inout WriteTransaction)
    throws(StorageError) -> Bool
  {
    guard let documents = batch.documents else { return false }
    return try unsafe text.analyseAhead(
      count: documents.count, named: batch.applied, in: &txn, context: foldContext
    ) { batch.text(documents[$0]) }
  }

  /// Has it go on with the batch after the present one while that is written.
  private func prepare(_ batch: EventBatch) {
    let documents = batch.documents ?? []
    unsafe foldContext.prepare(batch.applied, count: documents.count) { batch.text(documents[$0]) }
  }

  static func layout(of event: StoredEvent) throws(StorageError) -> EventLayout {
    do { return try EventLayout(event.payload) } catch {
      throw StorageError(
        .corrupt, "event \(event.sequence) cannot be read; run: cairn verify", place: "log.mdb")
    }
  }

  private static func weigh(
    _ resolved: [ResolvedEvent], _ events: [StoredEvent], _ layouts: [EventLayout]
  ) throws(StorageError) -> [ResolvedEvent] {
    var weighed = resolved
    for index in weighed.indices where weighed[index].counts {
      let notes = try UseNotes(events[index], layouts[index])
      switch weighed[index].kind {
      case .view:
        weighed[index].isView = true
        weighed[index].weight = notes.viewWeight(layouts[index])
      case .select: weighed[index].weight = UseWeight.selection
      case .update: weighed[index].weight = UseWeight.edit
      case .index, .delete, .impression, .purge: break
      }
      if weighed[index].isUse, let session = layouts[index].session {
        let key = NameKey(events[index].payload, session)
        weighed[index].sessionHash = UInt32(truncatingIfNeeded: key.low)
      }
      if weighed[index].isUse, let device = notes.device {
        let bytes = Array(device.utf8)
        weighed[index].deviceHash = UInt32(truncatingIfNeeded: NameKey(bytes, bytes.indices).low)
      }
    }
    return weighed
  }
}
