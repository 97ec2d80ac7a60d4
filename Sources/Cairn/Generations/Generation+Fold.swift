import EventLog
import LMDB
import Projections
import Synchronization
import TextIndex

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
  ) throws(CairnError) {
    defer { unsafe textProjection.context.endAhead() }
    let lens = try self.lens(of: log)
    textProjection.lens.withLock { $0 = lens }
    columnProjection.lens.withLock { $0 = lens }
    let source = EventSource(
      log: log, target: target, excluded: excluded, recent: recent, lens: lens, limit: limit)
    var upcoming: FoldBatch?
    var isMergeDue = false
    while true {
      let applied = try environment.write { (txn) throws(CairnError) in
        let (applied, hasText) = try self.foldBatch(source, &upcoming, in: &txn)
        if hasText {
          isMergeDue = try unsafe self.text.isMergeDue(
            in: txn.reader, context: self.textProjection.context)
        }
        return applied
      }
      guard progress(applied), applied < target else { break }
    }
    if isMergeDue { try mergeText() }
  }

  /// Merges documents that wait, in steps short enough for readers and writers not to notice.
  private func mergeText() throws(CairnError) {
    var isDue = true
    while isDue {
      isDue = try environment.write { (txn) throws(CairnError) in
        try unsafe self.text.mergeIfDue(
          in: &txn, force: false, context: self.textProjection.context)
      }
    }
  }

  /// Folds the next batch; tells the sequence reached and whether texts changed.
  private func foldBatch(
    _ source: EventSource, _ upcoming: inout FoldBatch?, in txn: inout WriteTransaction
  ) throws(CairnError) -> (applied: UInt64, hasText: Bool) {
    var checkpoint = try checkpoint(in: txn.reader)
    guard checkpoint.applied < source.target else { return (checkpoint.applied, false) }
    if !isCompared(checkpoint) {
      guard try isMade(of: source.log, at: checkpoint) else { throw isOfAnotherLog }
    }
    if checkpoint.applied == 0 {
      checkpoint.definition = foldedDefinition(by: source.lens)
      checkpoint.log = .init(
        root: try source.log.root(at: 0), erasure: try source.log.lastErasure())
    }
    let known = upcoming?.applied == checkpoint.applied ? upcoming : nil
    let batch = if let known { known } else { try FoldBatch(source, after: checkpoint.applied) }
    upcoming = nil
    checkpoint.applied = batch.through

    defer { unsafe textProjection.context.endCall() }
    let hasText = !leftOut.contains(TextProjection.name)
    if hasText { try textProjection.analyseAhead(batch, in: &txn) }
    let resolved = try resolve(batch, source.log, &checkpoint, in: &txn)
    for projection in projections.reversed() where !leftOut.contains(type(of: projection).name) {
      if projection is TextProjection { upcoming = try nextBatch(after: batch, of: source) }
      try projection.fold(resolved, &checkpoint, in: &txn)
    }
    checkpoint.log?.root = try source.log.root(at: checkpoint.applied)
    try setCheckpoint(checkpoint, in: &txn)
    note(checkpoint)
    return (checkpoint.applied, hasText && !resolved.contents.isEmpty)
  }

  /// Notes that the rows are already those of the log after a purge that is about to erase.
  func noteErasure(_ purge: UInt64) throws(CairnError) {
    try environment.write { (txn) throws(CairnError) in
      var checkpoint = try self.checkpoint(in: txn.reader)
      checkpoint.log?.erasure = purge
      try self.setCheckpoint(checkpoint, in: &txn)
    }
  }

  /// In a build, the batch after one that is not the last: its texts are analysed while those of
  /// the one before are written.
  private func nextBatch(after batch: FoldBatch, of source: EventSource) throws(CairnError)
    -> FoldBatch?
  {
    guard unsafe textProjection.context.isBuilding, batch.through < source.target else {
      return nil
    }
    let next = try FoldBatch(source, after: batch.through)
    textProjection.prepare(next)
    return next
  }
}
