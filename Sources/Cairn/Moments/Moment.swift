import EventLog
import LMDB
import Projections
import Timeline

/// A store as it stood at one point of its history.
///
/// Everything asked of a moment is answered from the events up to its sequence: items, search,
/// ranking, suggestions, statistics. What was purged is absent at every moment. Moments are
/// values; they cost nothing to keep and never block a writer.
public struct Moment: Sendable {
  /// The store.
  public let store: Store
  /// The last event that counts; 0 is the empty store.
  public let sequence: UInt64
  /// The time it is at this moment: what expiry and `$time` go by.
  public let clock: Timestamp
  /// The time that ranking goes by; `clock` unless given.
  public let rankingClock: Timestamp
  /// How much each time scale counts in rankings; the model's own weights unless set.
  package var scales = RankingScales()

  /// Projections to ask instead of those that serve.
  private let trial: Generation?
  /// The projections that an answer of several reads began with.
  private var beginning: Generation?

  init(
    store: Store, sequence: UInt64, clock: Timestamp, rankingClock: Timestamp?,
    trial: Generation? = nil
  ) {
    self.trial = trial
    self.store = store
    self.sequence = sequence
    self.clock = clock
    self.rankingClock = rankingClock ?? clock
  }

  /// The same moment, for an answer of several reads: by the schema of the projections that it
  /// began with, whichever is set meanwhile.
  func begun(with generation: Generation?) -> Moment {
    var moment = self
    moment.beginning = generation
    return moment
  }

  /// The same moment, asked of projections beside those that serve.
  func asked(of trial: Generation?) -> Moment {
    Moment(store: store, sequence: sequence, clock: clock, rankingClock: nil, trial: trial)
  }
}

extension Store {
  /// The store at a point of its history.
  /// - Parameters:
  ///   - point: A sequence, a time, a snapshot's name, or the head.
  ///   - now: The time for ranking, when it is not the point's own.
  /// - Returns: A value to ask.
  /// - Complexity: O(log events) for a time, O(log snapshots) for a name, O(1) else.
  /// - Throws: `noSuchPoint` beyond the head, in the future, or for an unknown name; `diskFull` for
  ///   a point that the projections have no room for.
  /// - Note: Blocks the calling thread.
  public func at(_ point: Point = .head, now: Timestamp? = nil) throws(CairnError) -> Moment {
    guard let resolved = try resolve(point, head: visibleHead()) else {
      throw Self.noSuchPoint(point)
    }
    return Moment(
      store: self, sequence: resolved.sequence, clock: resolved.clock, rankingClock: now)
  }

  /// The last event that counts at a point, whether projections know it yet or not.
  /// - Throws: as ``at(_:now:)``, but for want of room.
  /// - Note: Blocks the calling thread.
  package func lastSequence(at point: Point) throws(CairnError) -> UInt64 {
    guard let resolved = try resolve(point, head: acknowledgedHead()) else {
      throw Self.noSuchPoint(point)
    }
    return resolved.sequence
  }

  /// The moment of a sequence as it stood by a clock: another page of what was asked before.
  /// - Throws: `noSuchPoint` beyond the head.
  package func at(sequence: UInt64, clock: Timestamp, now: Timestamp?) throws(CairnError) -> Moment
  {
    let head = try visibleHead()
    try requireFolded(through: sequence, of: head)
    guard sequence <= head else { throw Self.noSuchPoint(.sequence(sequence)) }
    return Moment(store: self, sequence: sequence, clock: clock, rankingClock: now)
  }

  /// The present by another clock, which decides what has expired.
  package func present(by clock: Timestamp) throws(CairnError) -> Moment {
    Moment(store: self, sequence: try visibleHead(), clock: clock, rankingClock: nil)
  }

  private func resolve(_ point: Point, head: UInt64) throws(CairnError)
    -> (sequence: UInt64, clock: Timestamp)?
  {
    switch point {
    case .head: return (head, Timestamp.now())
    case .sequence(let sequence):
      try requireFolded(through: sequence, of: head)
      guard sequence <= head else { return nil }
      return (sequence, try recorded(at: sequence) ?? Timestamp(seconds: 0))
    case .time(let time):
      guard time <= Timestamp.now() else { return nil }
      let sequence = try log.sequence(atOrBefore: time)
      try requireFolded(through: sequence, of: head)
      return (min(sequence, head), time)
    case .snapshot(let name):
      guard let named = try log.namedPoint(name) else { return nil }
      try requireFolded(through: named.sequence, of: head)
      return (named.sequence, try recorded(at: named.sequence) ?? Timestamp(seconds: 0))
    }
  }

  /// When the last event up to a sequence was recorded, of those that were not erased; nil where
  /// all were.
  /// - Complexity: O(log events), and a look for each block of events before it that are all
  ///   erased.
  func recorded(at sequence: UInt64) throws(CairnError) -> Timestamp? {
    guard sequence > 0 else { return nil }
    if let event = try log.event(at: sequence) { return event.recorded }
    guard let generation = try generation() else { return nil }
    var last: UInt64 = 0
    try generation.environment.read { (txn) throws(CairnError) in
      try generation.timeline.forEachReversed(from: 1, through: sequence, in: txn) { record in
        last = record.sequence
        return false
      }
    }
    return try log.event(at: last)?.recorded
  }

  /// The last event that queries may see: folded, hence acknowledged or about to be.
  func visibleHead() throws(CairnError) -> UInt64 { try generation()?.checkpoint().applied ?? 0 }

  private static func noSuchPoint(_ point: Point) -> CairnError {
    let (message, remedy): (String, CairnError.Remedy?) =
      switch point {
      case .head: ("the store has no head", nil)
      case .sequence: ("that sequence is beyond the last event", .statistics)
      case .time: ("that time is in the future; give now, or an earlier one", nil)
      case .snapshot: ("no snapshot has that name", .snapshots)
      }
    return CairnError(.noSuchPoint, message, place: "point", remedy: remedy)
  }
}

extension Moment {
  /// What a query reads from: one consistent state of the projections.
  struct View: ~Copyable {
    let generation: Generation
    let checkpoint: Checkpoint
    let sequence: UInt64
    /// What expiry goes by.
    let clock: Timestamp
    /// What shows attributes as the schema in force does; nil where they are shown as they are.
    let lens: SchemaLens?
    /// The first point at which every version is there.
    let horizon: UInt64
    /// Whether versions of some items are gone, none of which the question may need to know.
    let hasGaps: Bool
    /// The schema that the rows were made by; every declaration but rules of validation has a lens.
    var schema: SchemaDefinition { lens?.definition ?? .none }
    var isOutdated: Bool { checkpoint.isOutdated(by: lens) }

    /// Whether the moment is the present, so that no past state has to be found.
    var isPresent: Bool { sequence >= checkpoint.applied }
    /// The sequence of a past moment; nil for the present.
    var asOf: UInt64? { isPresent ? nil : sequence }
  }

  /// Runs a query in a read transaction; nil when nothing was ever folded.
  ///
  /// Runs again when a purge came in between: the body keeps nothing.
  /// - Throws: `.noSuchPoint` for a point before the horizon, where what is asked for is gone.
  func read<R>(
    of extent: Extent = .everything,
    _ body: (borrowing View, borrowing ReadTransaction) throws(CairnError) -> R
  ) throws(CairnError) -> R? {
    try store.readUntorn { () throws(CairnError) -> R? in try readOnce(extent, body) }
  }

  private func readOnce<R>(
    _ extent: Extent,
    _ body: (borrowing View, borrowing ReadTransaction) throws(CairnError) -> R
  ) throws(CairnError) -> R? {
    guard let generation = try asked() else { return nil }
    return try generation.environment.read { (txn) throws(CairnError) in
      let checkpoint = try generation.checkpoint(in: txn)
      let lens =
        if let trial { try trial.lens(of: store.log) } else {
          try store.schemas.lens(of: store.log, definedAs: checkpoint.definition)
        }
      // The present needs no look.
      let horizon = sequence < checkpoint.applied ? try generation.horizon(in: txn) : Horizon()
      let view = View(
        generation: generation, checkpoint: checkpoint, sequence: sequence, clock: clock,
        lens: lens, horizon: horizon.latest, hasGaps: try checkKept(extent, horizon))
      return try body(view, txn)
    }
  }

  /// The projections to ask: those that serve, but where another schema made them than those that
  /// the answer began with, the latter.
  private func asked() throws(CairnError) -> Generation? {
    if let trial { return trial }
    guard let serving = try store.generation() else { return nil }
    guard let beginning, beginning.number != serving.number else { return serving }
    let checkpoint = try beginning.checkpoint()
    // What a purge takes is gone from every answer.
    guard try checkpoint.definition != serving.checkpoint().definition,
      try beginning.isMade(of: store.log, at: checkpoint)
    else { return serving }
    return beginning
  }
}
