import Events
import LMDB
import Projections
import TestSupport
import Timeline

/// A timeline in a file of its own, deleted afterwards.
final class TimelineStore {
  let environment: Environment
  private let timeline: Timeline
  private let directory = TestDirectory()
  private var checkpoint = Checkpoint()

  init() throws {
    environment = try Environment.open(
      directory.file("timeline.mdb"),
      Environment.Configuration(
        access: .readWrite, durability: .deferred,
        tables: [SharedRows.tableName] + Timeline.tables,
        writer: WriterThread(name: "timeline-test"), create: true))
    timeline = Timeline(environment)
  }

  deinit { environment.close() }

  /// The digest that the folds kept.
  var digest: RowDigest { checkpoint[Timeline.name] }

  func fold(_ events: [ResolvedEvent]) throws {
    let (timeline, before) = (timeline, checkpoint)
    let batch = ResolvedBatch(
      through: events.last?.sequence ?? before.applied, events: [], layouts: [], resolved: events,
      learning: [], contents: [], past: NoPast())
    checkpoint = try environment.write { (txn) throws(CairnError) in
      var after = before
      try timeline.fold(batch, &after, in: &txn)
      after.applied = batch.through
      return after
    }
  }

  /// Fills this one from another; `kept` are the events that are not erased.
  func fill(from source: TimelineStore, without erased: [UInt64], kept: [ResolvedEvent]) throws {
    var bounds = source.checkpoint
    (bounds.itemCount, bounds.domainCount) = (MadeUpEvents.itemCount, MadeUpEvents.itemCount)
    var erasure = Erasure(erased, bounds)
    for event in kept { erasure.keep(item: event.item, domain: event.domain) }
    let copy = GenerationCopy(
      of: source.environment, through: RowWriter(environment), without: erasure, erasesUse: false,
      names: MadeUpNames(), replay: { (_, _) throws(CairnError) in })
    let (timeline, before) = (timeline, source.checkpoint)
    checkpoint = try source.environment.read { (txn) throws(CairnError) in
      var after = before
      _ = try timeline.fill(copy, &after, from: txn)
      return after
    }
    try copy.writer.finish()
  }

  func audit() throws -> RowDigest {
    try environment.read { (txn) throws(CairnError) in
      try timeline.audit(MadeUpNames(), in: txn)
    }
  }

  func record(at sequence: UInt64) throws -> TimelineRecord? {
    try environment.read { (txn) throws(CairnError) in
      try timeline.record(at: sequence, in: txn)
    }
  }

  func records(
    from first: UInt64 = 0, through last: UInt64 = .max, isReversed: Bool = false,
    atMost count: Int = .max
  ) throws -> [TimelineRecord] {
    try environment.read { (txn) throws(CairnError) in
      var found: [TimelineRecord] = []
      func take(_ record: TimelineRecord) -> Bool {
        found.append(record)
        return found.count < count
      }
      if isReversed {
        try timeline.forEachReversed(from: first, through: last, in: txn) { take($0) }
      } else {
        try timeline.forEach(from: first, through: last, in: txn) { take($0) }
      }
      return found
    }
  }
}

/// Events of all kinds with gaps between their sequences.
enum MadeUpEvents {
  static let itemCount: UInt32 = 50

  static func make(_ count: Int, after sequence: UInt64 = 0, _ random: inout SeededGenerator)
    -> [ResolvedEvent]
  {
    var sequence = sequence
    return (0..<count).map { _ in
      sequence += UInt64.random(in: 1...3, using: &random)
      let kinds: [EventKind] = [.view, .index, .update, .delete, .select, .impression]
      let time = Int64.random(in: -5_000...5_000_000_000, using: &random)
      var event = ResolvedEvent(
        sequence: sequence, kind: kinds.randomElement(using: &random) ?? .view,
        timeMicroseconds: time, recordedMicroseconds: time + 7,
        actorHash: UInt32.random(in: 0...3, using: &random))
      if Int.random(in: 0..<9, using: &random) > 0 {
        event.item = UInt32.random(in: 0..<itemCount, using: &random)
      }
      if Bool.random(using: &random) {
        event.domain = UInt32.random(in: 0..<itemCount, using: &random)
      }
      event.itemKey = MadeUpNames().itemKey(event.item)
      event.domainKey = MadeUpNames().domainKey(event.domain)
      event.isView = event.kind == .view
      event.weight = event.isView ? Float.random(in: 0...4, using: &random) : 0
      event.startsAfresh = Int.random(in: 0..<20, using: &random) == 0
      return event
    }
  }
}

struct MadeUpNames: NameKeys {
  func itemKey(_ item: UInt32) -> NameKey {
    item == ResolvedEvent.none ? .none : NameKey(low: UInt64(item), high: 7)
  }
  func domainKey(_ domain: UInt32) -> NameKey {
    domain == ResolvedEvent.none ? .none : NameKey(low: UInt64(domain), high: 8)
  }
}

/// A timeline asks nobody about earlier batches.
struct NoPast: FoldedPast {
  func since(of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction) -> UInt64 {
    0
  }
  func forEachUse(
    from first: UInt64, through last: UInt64, in txn: borrowing ReadTransaction,
    _ body: (ResolvedEvent) -> Void
  ) {}
}
