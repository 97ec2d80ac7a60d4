import Catalog
import EventLog
import Events
import LMDB
import Projections
import Ranking
import TextIndex
import Timeline

/// Making a generation without some events out of one that has them.
///
/// Most of a fold is reading texts anew. Where every item that stays has all the events that made
/// its versions, its rows are those of a history without the others, and are copied; what is summed
/// up over the uses of all items is folded again from the timeline.
extension Generation {
  /// Fills this empty generation with what `old` holds, without some events.
  ///
  /// - Parameters:
  ///   - old: The generation that serves.
  ///   - sequences: The events, ascending; those that `old` does not hold yet are left to whoever
  ///     folds the rest.
  ///   - log: The log, for what search learned.
  /// - Returns: False when only a fold can tell what is left; the generation is worth nothing then.
  /// - Complexity: O(rows).
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  func fill(from old: Generation, without sequences: [UInt64], _ log: EventLog) throws(StorageError)
    -> Bool
  {
    try old.environment.read { (txn) throws(StorageError) in
      var checkpoint = try old.checkpoint(in: txn)
      guard checkpoint.applied > 0, !checkpoint.isOutdated else { return false }
      let (erasure, isUse) = try Self.erasure(of: sequences, old, checkpoint, txn)
      let names = try CatalogNames(old.catalog, in: txn)
      let writer = RowWriter(environment)
      defer { writer.wait() }
      let text = TextCopy(from: old, to: self, without: erasure, at: checkpoint.applied)
      defer { text.end() }
      let isCopied = try old.catalog.copy(
        to: catalog, through: writer, without: erasure, names, &checkpoint, from: txn)
      guard isCopied else { return false }
      checkpoint[.timeline] = try old.timeline.copy(
        to: timeline, through: writer, without: erasure, digest: checkpoint[.timeline],
        itemKey: names.itemKey, domainKey: names.domainKey, from: txn)
      if isUse {
        try writer.finish()
        try refoldUses(old, names, &checkpoint, txn)
        if try !old.ranking.hasLearnedNothing(in: txn) { try relearn(log, names, &checkpoint) }
      } else {
        try old.ranking.copy(to: ranking, through: writer, from: txn)
      }
      try writer.finish()
      checkpoint[.text] = try text.digest(orFrom: txn)
      let last = checkpoint
      try environment.write { (txn) throws(StorageError) in try setCheckpoint(last, in: &txn) }
      return true
    }
  }

  /// What goes with the events, and whether one of them counts for the ranking.
  private static func erasure(
    of sequences: [UInt64], _ old: Generation, _ checkpoint: Checkpoint,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> (Erasure, isUse: Bool) {
    var erasure = Erasure(sequences, checkpoint)
    var isUse = false
    try old.timeline.forEach(from: 1, through: .max, in: txn) { (record) throws(StorageError) in
      guard erasure.contains(record.sequence) else {
        erasure.keep(item: record.item, domain: record.domain)
        return true
      }
      if record.weight > 0 || record.isView || record.startsAfresh || record.mayTeach {
        isUse = true
      }
      return true
    }
    return (erasure, isUse)
  }

  /// Folds the ranking from the timeline that was copied.
  private func refoldUses(
    _ old: Generation, _ names: CatalogNames, _ checkpoint: inout Checkpoint,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    let circumstances = try old.ranking.history.circumstances(in: txn)
    let target = checkpoint.applied
    var state = checkpoint
    state.greatestUse = 0
    state.latestUseMicroseconds = 0
    state[.ranking] = RowDigest()
    state.applied = 0
    while state.applied < target {
      let first = state.applied + 1
      let last = min(target, state.applied + BatchLimit().eventCount)
      var events: [ResolvedEvent] = []
      try environment.read { (txn) throws(StorageError) in
        try timeline.forEach(from: first, through: last, in: txn) { (record) throws(StorageError) in
          guard record.weight > 0 || record.isView || record.startsAfresh else { return true }
          var event = try ResolvedEvent(record, names)
          (event.sessionHash, event.deviceHash) = circumstances[record.sequence] ?? (0, 0)
          events.append(event)
          return true
        }
      }
      var next = state
      next.applied = last
      let before = next
      state = try environment.write { (txn) throws(StorageError) in
        var after = before
        try ranking.fold(events, &after, in: &txn)
        // Else the next question in circumstances would add up the whole timeline.
        try foldTotals(events, through: last, in: &txn)
        return after
      }
    }
    checkpoint = state
  }

  /// Folds again what search learned from the events that are left.
  private func relearn(_ log: EventLog, _ names: CatalogNames, _ checkpoint: inout Checkpoint)
    throws(StorageError)
  {
    var records: [TimelineRecord] = []
    try environment.read { (txn) throws(StorageError) in
      try timeline.forEach(from: 1, through: .max, in: txn) { (record) throws(StorageError) in
        if record.mayTeach { records.append(record) }
        return true
      }
    }
    var place = 0
    while place < records.count {
      let batch = records[place..<min(place + Self.lessonCount, records.count)]
      place = batch.endIndex
      let before = checkpoint
      checkpoint = try environment.write { (txn) throws(StorageError) in
        var after = before
        try self.learn(batch, log, names, &after, in: &txn)
        return after
      }
    }
  }

  private static let lessonCount = 4_096

  private func learn(
    _ records: ArraySlice<TimelineRecord>, _ log: EventLog, _ names: CatalogNames,
    _ checkpoint: inout Checkpoint, in txn: inout WriteTransaction
  ) throws(StorageError) {
    var resolved: [ResolvedEvent] = []
    var events: [StoredEvent] = []
    var layouts: [EventLayout] = []
    for record in records {
      guard let event = try log.event(at: record.sequence) else {
        throw StorageError(
          .corrupt, "event \(record.sequence) is missing; run: cairn verify", place: "log.mdb")
      }
      var known = try ResolvedEvent(record, names)
      if record.item != ResolvedEvent.none {
        let state = try catalog.state(of: record.item, asOf: record.sequence, in: txn.reader)?.state
        known.counts = (state ?? ItemState()).since != .max
      }
      resolved.append(known)
      layouts.append(try Self.layout(of: event))
      events.append(event)
    }
    let lessons = try learnings(resolved, events, layouts, in: txn.reader)
    try learn(lessons, &checkpoint, in: &txn)
  }
}

extension TimelineRecord {
  /// Whether search may have learned from the event: which views taught something only their
  /// payload says.
  fileprivate var mayTeach: Bool {
    kind == EventKind.select.rawValue || kind == EventKind.impression.rawValue
      || kind == EventKind.view.rawValue
  }
}

extension ResolvedEvent {
  /// What the timeline kept of an event; whether it counts is not among it, nor the session.
  fileprivate init(_ record: TimelineRecord, _ names: CatalogNames) throws(StorageError) {
    guard let kind = EventKind(rawValue: record.kind) else {
      throw StorageError(
        .corrupt, "an event has a kind that is none; run: cairn rebuild", place: "table timeline")
    }
    self.init(
      sequence: record.sequence, kind: kind, timeMicroseconds: record.timeMicroseconds,
      recordedMicroseconds: record.recordedMicroseconds, actorHash: record.actorHash)
    item = record.item
    itemKey = try names.itemKey(record.item)
    domain = record.domain
    domainKey = try names.domainKey(record.domain)
    weight = record.weight
    isView = record.isView
    startsAfresh = record.startsAfresh
  }
}
