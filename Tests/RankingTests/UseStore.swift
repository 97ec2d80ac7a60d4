import Events
import LMDB
import Projections
import Ranking
import TestSupport

/// A ranking in a file of its own, with a plain model beside it.
final class UseStore {
  let environment: Environment
  let ranking: Ranking
  private(set) var checkpoint = Checkpoint()
  /// Every event folded, in order.
  private(set) var events: [ResolvedEvent] = []
  private static let checkpoints: TableName = "checkpoint"
  static let ranksName = "ranks"
  static let usesName = "uses"
  static let orderName = "use-order"

  init(_ directory: String) throws {
    environment = try Environment.open(
      directory + "/ranking.mdb",
      Environment.Configuration(
        access: .readWrite, durability: .deferred, tables: [Self.checkpoints] + Ranking.tables,
        writer: WriterThread(name: "ranking-test"), create: true))
    var pace = UseLeaders.Pace()
    pace.interval = 50
    pace.count = 5
    ranking = Ranking(environment, pace: pace)
  }

  /// Appends and folds a batch.
  func fold(_ batch: [ResolvedEvent]) throws {
    events += batch
    var next = checkpoint
    next.applied = events.last?.sequence ?? 0
    let before = next
    next = try environment.write { (txn) throws(CairnError) in
      var checkpoint = before
      try self.ranking.fold(batch, &checkpoint, in: &txn)
      let known = self.events
      try self.ranking.totals.fold(batch, through: checkpoint.applied, in: &txn) {
        (first, _, body) in
        for event in known where event.sequence >= first && event.isUse {
          body(event.sequence, Use(event))
        }
      }
      return checkpoint
    }
    checkpoint = next
  }

  /// Every row of every table of the ranking.
  func rows() throws -> [String: [[UInt8]]] {
    var rows: [String: [[UInt8]]] = [:]
    for name in Ranking.tables {
      let table = environment[name]
      rows[name.rawValue] = try environment.read { (txn) throws(CairnError) in
        var found: [[UInt8]] = []
        try txn.scan(table) { (key, row) throws(CairnError) in
          found.append(key.array() + [0xFF] + row.array())
          return true
        }
        return found
      }
    }
    return rows
  }

  /// Every item's state after a sequence, folded plainly.
  func states(through sequence: UInt64 = .max) -> [UInt32: UseState] {
    var states: [UInt32: UseState] = [:]
    for event in events where event.sequence <= sequence && event.item != ResolvedEvent.none {
      guard event.isUse || event.startsAfresh else { continue }
      if event.startsAfresh { states[event.item] = UseState() }
      if event.isUse { states[event.item, default: UseState()].add(Use(event)) }
    }
    return states
  }

  /// The keys of the best viewed items, by looking at all.
  func best(_ count: Int, _ measure: UseOrder.Measure) -> [Double] {
    let keys = states().values.filter { $0.viewCount > 0 }.map { measure.key($0.frecency) }
    return Array(keys.sorted(by: >).prefix(count))
  }

  /// The same by bounds, and how many items were looked at.
  func bestByBound(_ count: Int, _ measure: UseOrder.Measure) throws -> (keys: [Double], looks: Int)
  {
    let ranking = ranking
    return try environment.read { (txn) throws(CairnError) in
      var greatest = TopKThreshold(count: count)
      var keys: [Double] = []
      var looks = 0
      try ranking.order.forEachByBound(measure, in: txn) { (item) throws(CairnError) in
        guard let state = try ranking.state(of: item, in: txn) else { return .infinity }
        looks += 1
        let key = measure.key(state.frecency)
        keys.append(key)
        greatest.insert(key)
        return greatest.needed
      }
      return (Array(keys.sorted(by: >).prefix(count)), looks)
    }
  }
}

/// Runs a body with an empty one.
func withUseStore(_ body: (UseStore) throws -> Void) throws {
  try TestDirectory.with { directory in
    let store = try UseStore(directory)
    try body(store)
    store.environment.close()
  }
}

/// A use of an item.
func use(
  _ item: UInt32, sequence: UInt64, seconds: Int64, weight: Float = 1, isView: Bool = true,
  startsAfresh: Bool = false
) -> ResolvedEvent {
  var event = ResolvedEvent(
    sequence: sequence, kind: isView ? .view : .update, timeMicroseconds: seconds &* 1_000_000,
    recordedMicroseconds: seconds &* 1_000_000, actorHash: 0)
  event.item = item
  event.itemKey = NameKey(low: UInt64(item), high: 7)
  event.counts = true
  event.weight = weight
  event.isView = isView
  event.startsAfresh = startsAfresh
  return event
}
