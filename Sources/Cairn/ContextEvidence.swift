import Catalog
import LMDB
import Projections
import Ranking

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
/// past sequence is exact.
struct ContextEvidence {
  /// Latest uses looked at.
  static let useCount = 32
  static let scoreMax = 2.0
  private static let halfLifeDays = 54.0
  private static let doubt = 8.0
  /// How often two uses share an actor, a device, a session, the item before, by chance.
  private static let actorShare = 0.5
  private static let deviceShare = 0.5
  private static let sessionShare = 0.1
  private static let previousShare = 0.05

  private let now: Int64
  private var tests: [(chance: Double, holds: (UseRecord) -> Bool)] = []

  /// Nil when nothing is given.
  init?(
    _ context: SearchContext?,
    now: Int64,
    _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    guard let context, context != SearchContext() else { return nil }
    self.now = now
    if let actor = context.actor {
      let hash = Self.hash(actor)
      tests.append((Self.actorShare, { $0.actorHash == hash }))
    }
    if let session = context.session {
      let hash = Self.hash(session)
      tests.append((Self.sessionShare, { $0.sessionHash == hash }))
    }
    if let device = context.device {
      let hash = Self.hash(device)
      tests.append((Self.deviceShare, { $0.deviceHash == hash }))
    }
    if let name = context.previousItem {
      let item = try view.generation.catalog.ordinal(of: Array(name.utf8), in: txn)
      tests.append((Self.previousShare, { item != nil && $0.previous == item }))
    }
    if context.countsHour {
      let time = HourOfWeek(now)
      let chance = 3.0 / 24 * (time.isWeekend ? 2.0 / 7 : 5.0 / 7)
      tests.append((chance, { HourOfWeek($0.use.timeMicroseconds).isNear(time) }))
    }
  }

  private static func hash(_ name: String) -> UInt32 {
    let bytes = Array(name.utf8)
    return UInt32(truncatingIfNeeded: NameKey(bytes, bytes.indices).low)
  }

  /// The mean evidence of an item's latest uses, −1 … 2; 0 for an item never used.
  func score(_ uses: [UseRecord]) -> Double {
    guard !uses.isEmpty, !tests.isEmpty else { return 0 }
    let weights = uses.map { use in
      Decay.factor(
        fromMicroseconds: use.use.heldMicroseconds,
        to: now,
        halfLifeDays: Self.halfLifeDays
      )
    }
    let total = weights.reduce(0, +)
    var sum = 0.0
    for test in tests {
      var matching = 0.0
      for (use, weight) in zip(uses, weights) where test.holds(use) { matching += weight }
      let share = (matching + Self.doubt * test.chance) / (total + Self.doubt)
      let evidence = DeterministicMath.naturalLogarithm(share / test.chance)
      sum += min(Self.scoreMax, max(-1, evidence))
    }
    return sum / Double(tests.count)
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
