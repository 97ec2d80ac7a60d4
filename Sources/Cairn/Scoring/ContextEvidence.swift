import Catalog
import LMDB
import Projections
import Ranking
import Timeline

/// The circumstances of a search: soft evidence, never a filter.
public struct SearchContext: Sendable, Hashable {
  /// Who searches.
  public var actor: String?
  /// The visit it belongs to.
  public var session: String?
  /// Where the search is made: events name it under `device`.
  public var device: String?
  /// The item used just before.
  public var previousItem: String?
  /// Whether items used at this time of day and kind of day are preferred.
  public var countsHour = false

  /// No circumstances.
  public init() {}
}

/// How well an item's latest uses fit the circumstances.
///
/// For each circumstance c: `ln((n(i,c) + κ·p) / (n(i) + κ) / p)` between −1 and 2, with the
/// item's uses n halving in 54 days, κ = 8 uses of doubt and p how often c would hold by chance;
/// the mean of all given (`ranking.md` b4). It takes the item's own history only, so that every
/// past sequence is exact. Uses that do not name what c is about are left out, and so is a c that
/// none of the store's latest uses had: it would speak against whatever is used most.
///
/// What was used just before is told otherwise: of every ten uses, one is taken to be what followed
/// the same item before, in proportion to how often it did. So what always follows has a ninth of
/// the frecency of all items together beside its own, times what the history shows.
struct ContextEvidence {
  /// Latest uses looked at.
  static let useCount = 32
  /// Latest events among which an actor must be, to be known.
  private static let actorEventCount = 65_536
  /// Latest events whose items are asked for other circumstances, to be known.
  private static let eventCount = 4_096
  static let scoreMax = 2.0
  private static let halfLifeDays = 54.0
  private static let doubt = 8.0
  /// How often two uses share an actor, a device, a session by chance.
  private static let actorShare = 0.5
  private static let deviceShare = 0.5
  private static let sessionShare = 0.1
  /// Share of uses that are taken to follow from the one before.
  private static let followShare = 0.1
  /// Uses of the item before that are taken to have had other followers.
  private static let followDoubt = 2.0

  private let now: Int64
  /// Whether a use was made in a circumstance; nil where it does not say.
  private var tests: [(chance: Double, holds: (UseRecord) -> Bool?)] = []
  private var previous = ResolvedEvent.none
  /// Frecency that each use after the item before is worth.
  private var followWorth = 0.0
  /// Frecency that all items have of following the item before.
  private(set) var followSum = 0.0
  /// Frecency that following the item before is worth at most.
  private(set) var followMax = 0.0

  /// Circumstances that say nothing yet.
  init(now: Int64) { self.now = now }

  /// Nil when nothing is given.
  init?(
    _ context: SearchContext?, _ moment: Moment, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    guard let context, context != SearchContext() else { return nil }
    self.init(now: moment.rankingClock.microseconds)
    if let actor = context.actor {
      let hash = Self.hash(actor)
      if try Self.isKnown(actorHash: hash, view, txn) { add(actorHash: hash) }
    }
    if let session = context.session {
      let hash = Self.hash(session)
      try add(Self.sessionShare, view, txn) { Self.isSame($0.sessionHash, hash) }
    }
    if let device = context.device {
      let hash = Self.hash(device)
      try add(Self.deviceShare, view, txn) { Self.isSame($0.deviceHash, hash) }
    }
    if context.countsHour {
      let time = HourOfWeek(now)
      let chance = 3.0 / 24 * (time.isWeekend ? 2.0 / 7 : 5.0 / 7)
      try add(chance, view, txn) { HourOfWeek($0.use.timeMicroseconds).isNear(time) }
    }
    guard let name = context.previousItem,
      let item = try view.generation.catalog.ordinal(of: Array(name.utf8), in: txn)
    else { return }
    let uses = try view.generation.ranking.history.latest(
      Self.useCount, of: item, asOf: view.sequence, in: txn)
    let total = try Self.total(view, txn)
    add(previous: item, uses: uses, total: total, scales: moment.scales)
  }

  /// Prefers what an actor used.
  mutating func add(actorHash: UInt32) {
    tests.append((Self.actorShare, { Self.isSame($0.actorHash, actorHash) }))
  }

  /// Prefers what was used in a circumstance, when anything was of late.
  private mutating func add(
    _ chance: Double, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction,
    holds: @escaping (UseRecord) -> Bool?
  ) throws(StorageError) {
    let (sequence, history) = (view.sequence, view.generation.ranking.history)
    var left = Self.eventCount
    var seen: Set<UInt32> = []
    var isKnown = false
    try view.generation.timeline.forEachReversed(from: 1, through: sequence, in: txn) {
      (record) throws(StorageError) in
      if record.item != ResolvedEvent.none, record.weight > 0, seen.insert(record.item).inserted {
        isKnown = try history.latest(Self.useCount, of: record.item, asOf: sequence, in: txn)
          .contains { holds($0) == true }
      }
      left -= 1
      return !isKnown && left > 0
    }
    if isKnown { tests.append((chance, holds)) }
  }

  private static func isKnown(
    actorHash: UInt32, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool {
    var left = Self.actorEventCount
    var isKnown = false
    try view.generation.timeline.forEachReversed(from: 1, through: view.sequence, in: txn) {
      (record) in
      isKnown = record.actorHash == actorHash && record.weight > 0
      left -= 1
      return !isKnown && left > 0
    }
    return isKnown
  }

  /// 0 is the hash of nothing named.
  private static func isSame(_ known: UInt32, _ asked: UInt32) -> Bool? {
    known == 0 ? nil : known == asked
  }

  /// Prefers what was used after an item whose latest uses are given.
  mutating func add(
    previous item: UInt32, uses: [UseRecord], total: Frecency, scales: RankingScales
  ) {
    let time = max(now, total.referenceMicroseconds)
    let score = total.score(atMicroseconds: time, amplitudes: scales.amplitudes)
    previous = item
    followMax = score * Self.followShare / (1 - Self.followShare) * scales.followMultiplier
    let count = uses.reduce(0) { $0 + weight($1) }
    followWorth = followMax / (count + Self.followDoubt)
    followSum = followWorth * count
  }

  /// All uses of all items as of the moment.
  private static func total(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(StorageError) -> Frecency
  {
    let sequence = view.sequence
    let newest = try view.generation.ranking.totals.newest(atOrBefore: sequence, in: txn)
    var total = newest.total
    guard newest.sequence < sequence else { return total }
    try view.generation.timeline.forEach(from: newest.sequence + 1, through: sequence, in: txn) {
      (record) in
      guard let use = record.use else { return true }
      total.add(weight: Double(use.weight), atMicroseconds: use.heldMicroseconds)
      return true
    }
    return total
  }

  static func hash(_ name: String) -> UInt32 {
    let bytes = Array(name.utf8)
    return UInt32(truncatingIfNeeded: NameKey(bytes, bytes.indices).low)
  }

  private func weight(_ use: UseRecord) -> Double {
    Decay.factor(
      fromMicroseconds: use.use.heldMicroseconds, to: now, halfLifeDays: Self.halfLifeDays)
  }

  /// The mean evidence of an item's latest uses, −1 … 2; 0 for an item never used.
  func score(_ uses: [UseRecord]) -> Double {
    guard !uses.isEmpty, !tests.isEmpty else { return 0 }
    let weights = uses.map { weight($0) }
    var sum = 0.0
    for test in tests {
      var (total, matching) = (0.0, 0.0)
      for (use, weight) in zip(uses, weights) {
        guard let holds = test.holds(use) else { continue }
        total += weight
        if holds { matching += weight }
      }
      let share = (matching + Self.doubt * test.chance) / (total + Self.doubt)
      let evidence = DeterministicMath.naturalLogarithm(share / test.chance)
      sum += min(Self.scoreMax, max(-1, evidence))
    }
    return sum / Double(tests.count)
  }

  /// What having followed the item before adds to an item's frecency.
  func follow(_ uses: [UseRecord]) -> Double {
    guard previous != ResolvedEvent.none, followWorth > 0 else { return 0 }
    let count = uses.reduce(0) { $0 + ($1.previous == previous ? weight($1) : 0) }
    return min(followMax, followWorth * count)
  }
}

/// An hour of the day, on weekdays or at the weekend, in UTC.
struct HourOfWeek {
  let hour: Int64
  let isWeekend: Bool

  init(_ microseconds: Int64) {
    let hours = microseconds / 3_600_000_000 - (microseconds % 3_600_000_000 < 0 ? 1 : 0)
    let day = (hours - Self.modulo(hours, 24)) / 24
    hour = Self.modulo(hours, 24)
    // 1970-01-01 was a Thursday: day 2 was the first Saturday.
    isWeekend = Self.modulo(day - 2, 7) < 2
  }

  /// Whether both lie within an hour of each other on the same kind of day.
  func isNear(_ other: HourOfWeek) -> Bool {
    let distance = Self.modulo(hour - other.hour, 24)
    return isWeekend == other.isWeekend && (distance <= 1 || distance == 23)
  }

  private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 {
    let rest = value % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
