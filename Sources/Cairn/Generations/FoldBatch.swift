import Catalog
import EventLog
import TextIndex

/// Limits of one batch: what it holds in memory and how many pages its transaction dirties.
struct BatchLimit {
  var eventCount: UInt64 = 65_536
  var byteCount = 64 << 20
  /// Events that index nothing: in a large store each changes pages of its own, two on average.
  var useCount: UInt64 = 16_384
}

struct EventSource {
  let log: EventLog
  let target: UInt64
  /// Events that are taken as not there.
  var excluded: Set<UInt64> = []
  /// The last events up to the target, where they are at hand.
  let recent: [StoredEvent]
  /// What makes older events those of the schema in force.
  var lens: SchemaLens?
  var limit = BatchLimit()
}

/// Events that are folded in one transaction, and where their fields stand.
struct FoldBatch: Sendable {
  let applied: UInt64
  /// The last event, one that is left out included.
  private(set) var through: UInt64
  private(set) var events: [StoredEvent] = []
  private(set) var layouts: [EventLayout] = []
  /// What makes older events those of the schema in force.
  let lens: SchemaLens?
  /// Places of the events that the log has in another shape.
  private(set) var shaped: Set<Int> = []

  /// The events after one, as many as the limit allows.
  init(_ source: EventSource, after applied: UInt64) throws(CairnError) {
    self.applied = applied
    lens = source.lens
    let last = min(source.target, applied + source.limit.eventCount)
    var list: [StoredEvent] = []
    var through = last
    var (byteCount, useCount) = (0, 0 as UInt64)
    func take(_ event: borrowing StoredEvent) -> Bool {
      guard !source.excluded.contains(event.sequence) else { return true }
      list.append(copy event)
      byteCount += event.payload.count
      if event.kind != .index { useCount += 1 }
      guard byteCount < source.limit.byteCount, useCount < source.limit.useCount else {
        through = event.sequence
        return false
      }
      return true
    }
    // Sequences have no gaps, so the first one tells whether all that is wanted is at hand.
    if let first = source.recent.first?.sequence, first <= applied + 1 {
      list.reserveCapacity(source.recent.count)
      for event in source.recent.dropFirst(Int(applied + 1 - first)) {
        guard event.sequence <= last, take(event) else { break }
      }
    } else {
      try source.log.read(from: applied + 1, through: last) { (event) throws(CairnError) in
        take(event)
      }
    }
    self.through = through
    events = list
    layouts.reserveCapacity(list.count)
    for event in list { layouts.append(try event.layout()) }
    if let lens { try shapeIndexes(lens, source.limit) }
  }

  /// Brings events that make items into shape, for which nothing else has to be known.
  ///
  /// Where that makes them larger than a batch may be, it ends there.
  private mutating func shapeIndexes(_ lens: SchemaLens, _ limit: BatchLimit) throws(CairnError) {
    var byteCount = 0
    for index in events.indices {
      if events[index].kind == .index,
        let payload = try EventShaping.shapedIndex(events[index], layouts[index], lens)
      {
        events[index].payload = payload
        layouts[index] = try events[index].layout()
        shaped.insert(index)
      }
      byteCount += events[index].payload.count
      guard byteCount < limit.byteCount else {
        if index + 1 < events.count {
          events.removeSubrange((index + 1)...)
          layouts.removeSubrange((index + 1)...)
          through = events[index].sequence
        }
        return
      }
    }
  }

  /// Places of the events that make documents, when that is sure by now: one for each item that is
  /// indexed, and none by a view or update.
  var documents: [Int]? {
    var indexed: [Int] = []
    for index in events.indices {
      if events[index].kind == .index, layouts[index].item != nil {
        indexed.append(index)
      } else if layouts[index].attributes != nil {
        return nil
      }
    }
    return indexed
  }

  /// The searched fields of an event, and the bytes they are ranges of.
  func text(_ place: Int) -> (fields: [TextIndex.Field], bytes: [UInt8]) {
    let payload = events[place].payload
    let domain = layouts[place].domain.value.map { Array(payload[$0]) }
    return TextChanges.shownFields(payload, layouts[place].attributes, domain, lens)
  }
}
