import Catalog
import EventLog
import LMDB
import Projections
import Ranking
import Timeline

/// Makes resolved batches out of the log: folds them into the catalog, and weighs what they did.
extension Generation {
  /// Folds a batch into the catalog and tells the other projections what it did.
  /// - Throws: `.corrupt` for a damaged row or event; `.diskFull` and the like.
  func resolve(
    _ batch: FoldBatch, _ log: EventLog, _ checkpoint: inout Checkpoint,
    in txn: inout WriteTransaction
  ) throws(CairnError) -> ResolvedBatch {
    var events = batch.events
    var layouts = batch.layouts
    var fold = CatalogFold(catalog: catalog, log: log, checkpoint: checkpoint, lens: batch.lens)
    try fold.lookUp(events, layouts, in: txn.reader)
    for index in events.indices {
      var isShaped = batch.shaped.contains(index)
      if batch.lens != nil, let payload = try fold.shaped(events[index], layouts[index], in: &txn) {
        events[index].payload = payload
        layouts[index] = try events[index].layout()
        isShaped = true
      }
      try fold.fold(events[index], layouts[index], index: index, isShaped: isShaped, in: &txn)
    }
    try fold.flush(in: &txn)
    checkpoint = fold.checkpoint
    if fold.sawExpiry { checkpoint.hasExpiry = true }
    if fold.sawEndingParts { checkpoint.hasEndingParts = true }
    if !checkpoint.hasTieBreaks { checkpoint.hasTieBreaks = Self.haveTieBreaks(events, layouts) }
    let notes = try UseAnnotations.all(events, layouts)
    let resolved = Self.weigh(fold.resolved, events, layouts, notes)
    return ResolvedBatch(
      through: batch.through, events: events, layouts: layouts, resolved: resolved,
      learning: try learningEvents(resolved, events, layouts, notes, in: txn.reader),
      contents: fold.changes, past: self)
  }

  private static func haveTieBreaks(_ events: [StoredEvent], _ layouts: [EventLayout]) -> Bool {
    for index in events.indices {
      guard let range = layouts[index].attributes else { continue }
      if SearchQuery.hasTieBreak(events[index].payload, range) { return true }
    }
    return false
  }

  private static func weigh(
    _ resolved: [ResolvedEvent], _ events: [StoredEvent], _ layouts: [EventLayout],
    _ allNotes: [UseAnnotations]
  ) -> [ResolvedEvent] {
    var weighed = resolved
    for index in weighed.indices where weighed[index].counts {
      let notes = allNotes[index]
      switch weighed[index].kind {
      case .view:
        weighed[index].isView = true
        weighed[index].weight = notes.viewWeight(layouts[index])
      case .select: weighed[index].weight = UseWeight.selection
      case .update: weighed[index].weight = UseWeight.edit
      case .index, .delete, .impression, .purge, .extend, .schema: break
      }
      if weighed[index].isUse, let session = layouts[index].session {
        weighed[index].sessionHash = NameKey(events[index].payload, session).short
      }
      if weighed[index].isUse, let device = notes.device {
        weighed[index].deviceHash = NameKey(device).short
      }
    }
    return weighed
  }

}

/// What the catalog and the timeline hold of earlier batches.
extension Generation: FoldedPast {
  func since(
    of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt64 {
    try catalog.state(of: item, asOf: sequence, in: txn)?.state.since ?? 0
  }

  func forEachUse(
    from first: UInt64, through last: UInt64, in txn: borrowing ReadTransaction,
    _ body: (ResolvedEvent) -> Void
  ) throws(CairnError) {
    try timeline.forEach(from: first, through: last, in: txn) { (record) throws(CairnError) in
      if record.use != nil { body(try ResolvedEvent(record)) }
      return true
    }
  }
}

extension ResolvedEvent {
  /// What the timeline kept of an event; whether it counts is not among it, nor the names' hashes,
  /// the session and the device.
  init(_ record: TimelineRecord) throws(CairnError) {
    guard let kind = EventKind(rawValue: record.kind) else {
      throw CairnError(
        .corrupt, "an event has a kind that is none", place: "table timeline", remedy: .rebuild)
    }
    self.init(
      sequence: record.sequence, kind: kind, timeMicroseconds: record.timeMicroseconds,
      recordedMicroseconds: record.recordedMicroseconds, actorHash: record.actorHash)
    item = record.item
    domain = record.domain
    weight = record.weight
    isView = record.isView
    startsAfresh = record.startsAfresh
  }
}
