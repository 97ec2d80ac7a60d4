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
  /// Limits of one batch: what it holds in memory and how many pages its transaction dirties.
  enum BatchLimit {
    static let eventCount: UInt64 = 65_536
    static let byteCount = 64 << 20
  }

  /// Folds events up to `target` in batches, each one transaction with its checkpoint.
  ///
  /// Runs on the writer thread. A batch that fails leaves the generation as it was before it.
  /// Events in `excluded` are taken as not there; `recent` are the last ones up to the target where
  /// they are at hand, the others are read. `progress` is called after each batch with the
  /// sequence reached; false stops.
  func advance(
    _ log: EventLog,
    through target: UInt64,
    excluding excluded: Set<UInt64> = [],
    with recent: [StoredEvent] = [],
    progress: (UInt64) -> Bool = { _ in true }
  ) throws(StorageError) {
    while true {
      let applied = try environment.write { (txn) throws(StorageError) in
        try self.foldBatch(log, through: target, excluding: excluded, recent, in: &txn)
      }
      guard progress(applied), applied < target else { break }
    }
    try mergeText()
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

  private func foldBatch(
    _ log: EventLog,
    through target: UInt64,
    excluding excluded: Set<UInt64>,
    _ recent: [StoredEvent],
    in txn: inout WriteTransaction
  ) throws(StorageError) -> UInt64 {
    var checkpoint = try checkpoint(in: txn.reader)
    guard checkpoint.applied < target else { return checkpoint.applied }
    if checkpoint.applied == 0 { checkpoint.definition = Self.definition }
    let events = try Self.events(
      log,
      after: checkpoint.applied,
      through: target,
      excluding: excluded,
      recent
    )
    checkpoint.applied = events.through

    var layouts: [EventLayout] = []
    layouts.reserveCapacity(events.list.count)
    for event in events.list { layouts.append(try Self.layout(of: event)) }
    defer { unsafe foldContext.endAhead() }
    let isAhead = try analyseAhead(events.list, layouts, in: &txn)
    var fold = CatalogFold(catalog: catalog, log: log, checkpoint: checkpoint)
    for (index, event) in events.list.enumerated() {
      try fold.fold(event, layouts[index], index: index, in: &txn)
    }
    try fold.flush(in: &txn)
    checkpoint = fold.checkpoint
    if fold.sawExpiry { checkpoint.hasExpiry = true }

    let resolved = try Self.weigh(fold.resolved, events.list, layouts)
    try ranking.fold(resolved, &checkpoint, in: &txn)
    let learnings = try learnings(resolved, events.list, layouts, in: txn.reader)
    if !learnings.isEmpty { try ranking.learn(learnings, &checkpoint, in: &txn) }
    checkpoint[.timeline] = try timeline.fold(
      resolved,
      digest: checkpoint[.timeline],
      in: &txn
    )
    let changes = TextChanges.of(fold.changes, events.list, layouts, withFields: !isAhead)
    if !changes.isEmpty {
      checkpoint[.text] = try unsafe text.apply(changes, in: &txn, context: foldContext)
    }
    try setCheckpoint(checkpoint, in: &txn)
    return checkpoint.applied
  }

  /// Has a second thread analyse the texts of a large batch while the catalog is folded.
  ///
  /// Only when it is sure by now which documents the batch makes: one for each item it indexes, and
  /// none by a view or update.
  private func analyseAhead(
    _ events: [StoredEvent],
    _ layouts: [EventLayout],
    in txn: inout WriteTransaction
  ) throws(StorageError) -> Bool {
    var indexed: [Int] = []
    for index in events.indices {
      if events[index].kind == .index, layouts[index].item != nil {
        indexed.append(index)
      } else if layouts[index].attributes != nil {
        return false
      }
    }
    let documents = indexed
    return try unsafe text.analyseAhead(
      count: documents.count,
      in: &txn,
      context: foldContext
    ) { place in
      let index = documents[place]
      let payload = events[index].payload
      return (layouts[index].attributes.map { TextChanges.fields(payload, $0) } ?? [], payload)
    }
  }

  private static func events(
    _ log: EventLog,
    after applied: UInt64,
    through target: UInt64,
    excluding excluded: Set<UInt64>,
    _ recent: [StoredEvent]
  ) throws(StorageError) -> (list: [StoredEvent], through: UInt64) {
    var list: [StoredEvent] = []
    var byteCount = 0
    let last = min(target, applied + BatchLimit.eventCount)
    var through = last
    func take(_ event: borrowing StoredEvent) -> Bool {
      guard !excluded.contains(event.sequence) else { return true }
      list.append(copy event)
      byteCount += event.payload.count
      guard byteCount < BatchLimit.byteCount else {
        through = event.sequence
        return false
      }
      return true
    }
    // Sequences have no gaps, so the first one tells whether all that is wanted is at hand.
    if let first = recent.first?.sequence, first <= applied + 1 {
      list.reserveCapacity(recent.count)
      for event in recent.dropFirst(Int(applied + 1 - first)) {
        guard event.sequence <= last, take(event) else { break }
      }
    } else {
      try log.read(from: applied + 1, through: last) { (event) throws(StorageError) in take(event) }
    }
    return (list, through)
  }

  static func layout(of event: StoredEvent) throws(StorageError) -> EventLayout {
    do {
      return try EventLayout(event.payload)
    } catch {
      throw StorageError(
        .corrupt,
        "event \(event.sequence) cannot be read; run: cairn verify",
        place: "log.mdb"
      )
    }
  }

  private static func weigh(
    _ resolved: [ResolvedEvent],
    _ events: [StoredEvent],
    _ layouts: [EventLayout]
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
