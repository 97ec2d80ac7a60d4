import Catalog
import EventLog
import LMDB
import Projections
import Ranking
import Timeline

/// What is left of a generation when events are erased, as batches for a projection to be folded
/// again.
///
/// Events are taken from the timeline; only what search may have learned from is read from the log.
struct GenerationReplay: Sendable {
  let source: Generation
  /// The new generation, whose catalog is copied.
  let target: Generation
  let erasure: Erasure
  let names: CatalogNames
  let log: EventLog
  let applied: UInt64

  /// Gives the batches in order.
  /// - Complexity: O(events), and O(selections, impressions and views) reads of the log where
  ///   search learned anything.
  func forEachBatch(
    in txn: borrowing ReadTransaction, _ body: (ResolvedBatch) throws(CairnError) -> Void
  ) throws(CairnError) {
    let circumstances = try source.ranking.history.circumstances(in: txn)
    let hasLearned = try !source.ranking.hasLearnedNothing(in: txn)
    var first: UInt64 = 1
    while first <= applied {
      let last = min(applied, first + BatchLimit().useCount - 1)
      let records = try records(from: first, through: last, in: txn)
      let events = try records.map { (record) throws(CairnError) in
        var event = try resolved(record)
        (event.sessionHash, event.deviceHash) = circumstances[record.sequence] ?? (0, 0)
        return event
      }
      let learned = hasLearned ? try learningEvents(records) : []
      try body(
        ResolvedBatch(
          through: last, events: [], layouts: [], resolved: events, learning: learned, contents: [],
          past: target))
      first = last + 1
    }
  }

  private func records(
    from first: UInt64, through last: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TimelineRecord] {
    var records: [TimelineRecord] = []
    try source.timeline.forEach(from: first, through: last, in: txn) { record in
      if !erasure.contains(record.sequence) { records.append(record) }
      return true
    }
    return records
  }

  private func resolved(_ record: TimelineRecord) throws(CairnError) -> ResolvedEvent {
    var event = try ResolvedEvent(record)
    event.itemKey = try names.itemKey(record.item)
    event.domainKey = try names.domainKey(record.domain)
    return event
  }

  /// What search learned from events that are left.
  private func learningEvents(_ records: [TimelineRecord]) throws(CairnError) -> [LearningEvent] {
    var found: [LearningEvent] = []
    let candidates = records.filter(\.mayBeLearnedFrom)
    var place = 0
    while place < candidates.count {
      let part = candidates[place..<min(place + Self.learningPageCount, candidates.count)]
      place = part.endIndex
      found += try target.environment.read { (txn) throws(CairnError) in
        try self.learningEvents(part, in: txn)
      }
    }
    return found
  }

  /// Events read from the log at once.
  private static let learningPageCount = 4_096

  private func learningEvents(
    _ records: ArraySlice<TimelineRecord>, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [LearningEvent] {
    var resolved: [ResolvedEvent] = []
    var events: [StoredEvent] = []
    var layouts: [EventLayout] = []
    for record in records {
      guard let event = try log.event(at: record.sequence) else {
        throw CairnError.missing(event: record.sequence)
      }
      var known = try self.resolved(record)
      if record.item != ResolvedEvent.none {
        let state = try target.catalog.state(of: record.item, asOf: record.sequence, in: txn)?.state
        known.counts = (state ?? ItemState()).since != .max
      }
      resolved.append(known)
      layouts.append(try event.layout())
      events.append(event)
    }
    return try target.learningEvents(
      resolved, events, layouts, try UseAnnotations.all(events, layouts), in: txn)
  }
}

extension TimelineRecord {
  /// Whether search may have learned from the event: which views told it something only
  /// their payload says.
  var mayBeLearnedFrom: Bool {
    kind == EventKind.select.rawValue || kind == EventKind.impression.rawValue
      || kind == EventKind.view.rawValue
  }
}
