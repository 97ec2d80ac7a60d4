import Projections

/// How well an item's latest uses fit the circumstances of a search.
///
/// For each circumstance c: `ln((n(i,c) + κ·p) / (n(i) + κ) / p)` between `evidenceMin` and
/// `evidenceMax`, with the item's uses n halving in `evidenceHalfLifeDays`, κ = `evidenceDoubt` and
/// p how often c would hold by chance; the mean of all given. It takes the item's own history only,
/// so that every past sequence is exact. Uses that do not name what c is about are left out.
///
/// What was used just before is told otherwise: `followShare` of all uses is taken to be what
/// followed the same item before, in proportion to how often it did. So what always follows has
/// `followShare / (1 − followShare)` of the frecency of all items beside its own, times what the
/// history shows. See ``ScoreConstants``.
package struct ContextEvidence: Sendable {
  private static let constants = ScoreConstants.current
  /// How often two times of day lie near each other: three hours of a day.
  private static let hourShare = 3.0 / 24
  /// Shares of the days.
  private static let weekendShare = 2.0 / 7
  private static let weekdayShare = 5.0 / 7

  private let now: Int64
  private var circumstances: [Circumstance] = []
  private var previous = ResolvedEvent.none
  /// Frecency that each use after the item before is worth.
  private var followWorth = 0.0
  /// Frecency that all items have of following the item before.
  package private(set) var followSum = 0.0
  /// Frecency that following the item before is worth at most.
  package private(set) var followMax = 0.0

  /// Circumstances that say nothing yet.
  package init(now: Int64) { self.now = now }

  /// One circumstance: how often it holds by chance, and whether it held for a use.
  package struct Circumstance: Sendable {
    let chance: Double
    /// Whether it held for a use; nil where the use does not say.
    package let holds: @Sendable (UseRecord) -> Bool?

    package static func actor(_ hash: UInt32) -> Circumstance {
      Circumstance(chance: constants.actorShare) { isSame($0.actorHash, hash) }
    }

    package static func session(_ hash: UInt32) -> Circumstance {
      Circumstance(chance: constants.sessionShare) { isSame($0.sessionHash, hash) }
    }

    package static func device(_ hash: UInt32) -> Circumstance {
      Circumstance(chance: constants.deviceShare) { isSame($0.deviceHash, hash) }
    }

    /// A time of day and a kind of day like those of a moment, microseconds since 1970.
    package static func hour(of now: Int64) -> Circumstance {
      let time = HourOfWeek(now)
      let chance = hourShare * (time.isWeekend ? weekendShare : weekdayShare)
      return Circumstance(chance: chance) { HourOfWeek($0.use.timeMicroseconds).isNear(time) }
    }

    /// 0 is the hash of nothing named.
    private static func isSame(_ known: UInt32, _ asked: UInt32) -> Bool? {
      known == 0 ? nil : known == asked
    }
  }

  /// Prefers what was used in a circumstance.
  package mutating func add(_ circumstance: Circumstance) { circumstances.append(circumstance) }

  /// Prefers what was used after an item whose latest uses are given; `total` is all use of all
  /// items.
  package mutating func add(
    previous item: UInt32, uses: [UseRecord], total: Frecency, amplitudes: [Double],
    followMultiplier: Double
  ) {
    let constants = Self.constants
    let time = max(now, total.referenceMicroseconds)
    let score = total.score(atMicroseconds: time, amplitudes: amplitudes)
    previous = item
    followMax = score * constants.followShare / (1 - constants.followShare) * followMultiplier
    let count = uses.reduce(0) { $0 + weight($1) }
    followWorth = followMax / (count + constants.followDoubt)
    followSum = followWorth * count
  }

  /// The hash by which records name actors, sessions and devices.
  package static func hash(_ name: String) -> UInt32 { NameKey(name).short }

  private func weight(_ use: UseRecord) -> Double {
    Decay.factor(
      fromMicroseconds: use.use.heldMicroseconds, to: now,
      halfLifeDays: Self.constants.evidenceHalfLifeDays)
  }

  /// The mean evidence of an item's latest uses; 0 for an item never used.
  /// - Complexity: O(uses · circumstances).
  package func score(_ uses: [UseRecord]) -> Double {
    guard !uses.isEmpty, !circumstances.isEmpty else { return 0 }
    let constants = Self.constants
    let weights = uses.map { weight($0) }
    var sum = 0.0
    for circumstance in circumstances {
      var (total, matching) = (0.0, 0.0)
      for (use, weight) in zip(uses, weights) {
        guard let holds = circumstance.holds(use) else { continue }
        total += weight
        if holds { matching += weight }
      }
      let chance = circumstance.chance
      let share = (matching + constants.evidenceDoubt * chance) / (total + constants.evidenceDoubt)
      let evidence = DeterministicMath.naturalLogarithm(share / chance)
      sum += min(constants.evidenceMax, max(constants.evidenceMin, evidence))
    }
    return sum / Double(circumstances.count)
  }

  /// What having followed the item before adds to an item's frecency.
  package func follow(_ uses: [UseRecord]) -> Double {
    guard previous != ResolvedEvent.none, followWorth > 0 else { return 0 }
    let count = uses.reduce(0) { $0 + ($1.previous == previous ? weight($1) : 0) }
    return min(followMax, followWorth * count)
  }
}
