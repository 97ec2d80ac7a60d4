import Catalog
package import EventLog
import LMDB
import Projections
import Timeline

/// Which events are asked for; all conditions must hold, bounds are inclusive.
public struct EventQuery: Sendable, Hashable {
  /// Only events about this item, and about those that a web page makes one with it.
  public var item: String?
  /// The sequence as of which items are one; nil for the head.
  public var asOf: UInt64?
  /// Only events that belong to this domain or below it.
  public var domain: String?
  /// Only events of this kind.
  public var kind: EventKind?
  /// Only events of this actor.
  public var actor: String?
  /// Only events that this app or importer told, each of which is read for it.
  public var source: String?
  /// Only events that happened at this time or later.
  public var since: Timestamp?
  /// Only events that happened at this time or earlier.
  public var until: Timestamp?
  /// First sequence.
  public var from: UInt64 = 1
  /// Last sequence; nil for the head.
  public var through: UInt64?
  /// Newest first.
  public var isReversed = false
  /// How many at most; nil for all.
  public var limit: Int?
  /// Whether events come with the hashes of their leaves; without, they come a fifth faster.
  public var includesLeafHashes = true

  /// Every event, oldest first, or only those of an item, a domain, a kind, an actor or a span.
  public init(
    item: String? = nil, domain: String? = nil, kind: EventKind? = nil, actor: String? = nil,
    since: (any TimestampConvertible)? = nil, until: (any TimestampConvertible)? = nil,
    limit: Int? = nil
  ) {
    self.item = item
    self.domain = domain
    self.kind = kind
    self.actor = actor
    self.since = since?.timestamp
    self.until = until?.timestamp
    self.limit = limit
  }

  /// What is known at a moment, newest first.
  package init(
    at moment: Moment, item: String? = nil, domain: String? = nil, limit: Int? = nil
  ) {
    self.init(item: item, domain: domain, limit: limit)
    through = moment.sequence
    asOf = moment.sequence
    isReversed = true
  }

  var isPlain: Bool {
    item == nil && domain == nil && kind == nil && actor == nil && source == nil && since == nil
      && until == nil && !isReversed
  }
}

extension Store {
  /// One event, or nil when there is none with that sequence or it was erased.
  /// - Complexity: O(log events), some microseconds.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func event(at sequence: UInt64) throws(CairnError) -> RecordedEvent? {
    guard let stored = try log.event(at: sequence) else { return nil }
    return try LogRecord(stored).recorded
  }

  /// Visits events in order of sequences (or backwards) until the body returns false.
  ///
  /// The body may take its time: events are read in pages.
  /// Events that the projections have no room for are read from the log, each of them.
  /// - Complexity: O(events in the range): some 10 ns for each that does not match, some
  ///   microseconds for each that does.
  /// - Throws: `corrupt`, `io`, and what the body throws.
  /// - Note: Blocks the calling thread.
  public func forEachEvent(
    _ query: EventQuery = EventQuery(), _ body: (RecordedEvent) throws(CairnError) -> Bool
  ) throws(CairnError) {
    try forEachRecord(query) { (record) throws(CairnError) in
      guard query.includesLeafHashes else {
        return try body(RecordedEvent(sequence: record.sequence, event: try record.event))
      }
      return try body(try record.recorded)
    }
  }

  /// The events that match; see `forEachEvent`.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Complexity: As `forEachEvent`; all events are in memory.
  /// - Note: Blocks the calling thread.
  public func events(_ query: EventQuery = EventQuery()) throws(CairnError) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    try forEachEvent(query) { event in
      events.append(event)
      return true
    }
    return events
  }

  /// Visits events in the form the log gives them.
  package func forEachStored(_ query: EventQuery, _ body: (StoredEvent) throws(CairnError) -> Bool)
    throws(CairnError)
  {
    var left = query.limit ?? .max
    if query.isPlain {
      return try log.read(from: query.from, through: query.through ?? .max) {
        (event) throws(CairnError) in
        guard left > 0 else { return false }
        left -= 1
        return try body(copy event) && left > 0
      }
    }
    let rest = try unfolded()
    var goesOn = true
    func visitRest() throws(CairnError) {
      guard let rest else { return }
      try forEachUnfolded(query, in: rest) { (stored) throws(CairnError) in
        guard left > 0 else { return false }
        left -= 1
        goesOn = try body(stored)
        return goesOn && left > 0
      }
    }
    if query.isReversed {
      try visitRest()
      guard goesOn else { return }
    }
    var from = max(1, query.from)
    // What is folded meanwhile comes once.
    var through = min(query.through ?? .max, rest.map { $0.lowerBound - 1 } ?? .max)
    while left > 0, from <= through {
      let count = query.source == nil ? min(left, 1_024) : 1_024
      let page = try matches(query, from: from, through: through, count: count)
      for sequence in page {
        let stored = try log.event(at: sequence)
        guard let stored, query.spans(stored.time), try Self.isTold(stored, query) else { continue }
        guard try body(stored) else { return }
        left -= 1
        guard left > 0 else { return }
      }
      guard page.count == count, let last = page.last else { break }
      if query.isReversed {
        guard last > 1 else { return }
        through = last - 1
      } else {
        from = last + 1
      }
    }
    if !query.isReversed { try visitRest() }
  }

  /// The first sequences in a range whose timeline records match.
  private func matches(_ query: EventQuery, from: UInt64, through: UInt64, count: Int)
    throws(CairnError) -> [UInt64]
  {
    guard let generation = try generation() else { return [] }
    return try generation.environment.read { (txn) throws(CairnError) in
      guard let filter = try RecordFilter(query, generation, txn) else { return [] }
      var sequences: [UInt64] = []
      let timeline = generation.timeline
      if query.isReversed {
        let last = min(through, try generation.checkpoint(in: txn).applied)
        try timeline.forEachReversed(from: from, through: last, passing: filter, in: txn) {
          sequences.append($0.sequence)
          return sequences.count < count
        }
      } else {
        try timeline.forEach(from: from, through: through, passing: filter, in: txn) {
          sequences.append($0.sequence)
          return sequences.count < count
        }
      }
      return sequences
    }
  }

  /// Whether an event is of the actor and the source asked for, which its record does not name.
  private static func isTold(_ stored: StoredEvent, _ query: EventQuery) throws(CairnError) -> Bool
  {
    guard query.actor != nil || query.source != nil else { return true }
    let layout = try stored.layout()
    func isSame(_ range: Range<Int>?, _ wanted: String?) -> Bool {
      guard let wanted else { return true }
      guard let range else { return false }
      return stored.payload[range].elementsEqual(wanted.utf8)
    }
    return isSame(layout.actor, query.actor) && isSame(layout.source, query.source)
  }
}

extension EventQuery {
  /// Whether the bounds of time hold, to the nanosecond.
  func spans(_ time: Timestamp) -> Bool {
    (since.map { $0 <= time } ?? true) && (until.map { time <= $0 } ?? true)
  }
}

extension RecordFilter {
  /// The part of an event query that timeline records can answer; nil when nothing can match.
  init?(_ query: EventQuery, _ generation: Generation, _ txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    self.init()
    if let name = query.item {
      guard let ordinal = try generation.catalog.ordinal(of: Array(name.utf8), in: txn) else {
        return nil
      }
      items = try generation.catalog.together(with: ordinal, asOf: query.asOf ?? .max, in: txn)
    }
    domains = try generation.catalog.subtree(of: query.domain, in: txn)
    kind = query.kind?.rawValue
    actorHash = query.actor.map { NameKey($0).short }
    // The timeline keeps microseconds; a bound inside one must not cut off its neighbours.
    let (since, until) = (query.since?.microseconds ?? .min, query.until?.microseconds ?? .max)
    guard since <= until else { return nil }
    times = since...until
  }
}
