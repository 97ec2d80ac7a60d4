import Cairn
import Ranking

/// What the formulas know of one item while a history is replayed.
///
/// The peers' formulas are written from their published sources; visits without a type count as
/// plain ones.
struct EvaluationState {
  private static let day = 86_400.0
  private static let visitCountMax = 10

  var isPresent = false
  /// Whether it was indexed or made by a view, and not only seen.
  var isMade = false
  /// Whether it was deleted and has not come back.
  var isGone = false
  /// Whether it was there before the occasion at hand.
  var isKnown = false
  /// Its name, folded.
  var name: [UInt8] = []
  private(set) var count = 0
  private var last = -Double.infinity
  /// Times of the latest ten visits, seconds since 1970.
  private var visits: [Double] = []
  private var kdeScore = 0.0
  private var kdeDay = 0.0
  fileprivate(set) var zRank = 0.0
  fileprivate(set) var zoxideRank = 0.0
  var frecency = Frecency()
  /// Its latest uses, with their circumstances.
  private(set) var latest: [UseRecord] = []

  mutating func use(atMicroseconds time: Int64, weight: Double) {
    let seconds = Double(time) / 1_000_000
    frecency.add(weight: weight, atMicroseconds: time)
    count += 1
    last = max(last, seconds)
    visits.append(seconds)
    if visits.count > Self.visitCountMax { visits.removeFirst() }
    let today = (seconds / Self.day).rounded(.down)
    kdeScore = kdeScore * Self.kdeFactor(max(0, today - kdeDay)) + 1
    kdeDay = max(kdeDay, today)
    zRank += 1
    zoxideRank += 1
  }

  mutating func note(_ record: UseRecord) {
    latest.append(record)
    if latest.count > ScoreConstants.current.evidenceUseCount { latest.removeFirst() }
  }

  /// The score of a search without words that knows its circumstances.
  func score(_ context: ContextEvidence, _ scales: RankingScales, atMicroseconds now: Int64)
    -> Double
  {
    let score = score(.context, scales, atMicroseconds: now)
    return RankingTerms.useScore(score + context.follow(latest))
      + ScoreConstants.current.contextWeight * context.score(latest)
  }

  mutating func reset() {
    var fresh = EvaluationState()
    fresh.name = name
    (fresh.isPresent, fresh.isMade, fresh.isGone) = (isPresent, isMade, isGone)
    self = fresh
  }

  func score(_ formula: RankingFormula, _ scales: RankingScales, atMicroseconds now: Int64)
    -> Double
  {
    let seconds = Double(now) / 1_000_000
    guard count > 0 || formula.isOurs else { return 0 }
    let age = max(0, seconds - last)
    return switch formula {
    case .cairn, .fitted, .context, .full:
      frecency.score(
        atMicroseconds: max(now, frecency.referenceMicroseconds), amplitudes: scales.amplitudes)
    case .z: zRank * (3.75 / (0.000_1 * age + 1.25))
    case .zoxide: zoxideRank * Self.zoxideFactor(age)
    case .firefox:
      visits.reduce(0) { $0 + DeterministicMath.power(-max(0, seconds - $1) / (30 * Self.day)) }
        * Double(count) / Double(visits.count)
    case .firefoxOld:
      (visits.reduce(0) { $0 + Self.firefoxPoints(max(0, seconds - $1) / Self.day) } * Double(count)
        / Double(visits.count)).rounded(.up)
    case .chrome:
      visits.reduce(0) { $0 + Self.chromePoints(max(0, seconds - $1) / Self.day) } * Double(count)
        / Double(Self.visitCountMax)
    case .kde: kdeScore * Self.kdeFactor(max(0, (seconds / Self.day).rounded(.down) - kdeDay))
    case .atuin: Self.atuinPoints(hours: (age / 3_600).rounded(.down), count: count)
    case .count: Double(count)
    case .recent: last
    }
  }

  private static func zoxideFactor(_ age: Double) -> Double {
    if age < 3_600 { return 4 }
    if age < day { return 2 }
    return age < 7 * day ? 0.5 : 0.25
  }

  private static func firefoxPoints(_ days: Double) -> Double {
    if days <= 4 { return 100 }
    if days <= 14 { return 70 }
    if days <= 31 { return 50 }
    return days <= 90 ? 30 : 10
  }

  /// Points fall in straight lines between these ages.
  private static func chromePoints(_ days: Double) -> Double {
    let days = days.rounded(.down)
    if days <= 4 { return 1 }
    if days <= 14 { return 0.7 + (14 - days) * 0.03 }
    if days <= 31 { return 0.5 + (31 - days) * 0.2 / 17 }
    if days <= 90 { return 0.3 + (90 - days) * 0.2 / 60 }
    return 0.1 + max(0, 365 - days) * 0.1 / 275
  }

  private static func kdeFactor(_ days: Double) -> Double {
    // e^(−days/32) as a power of two.
    DeterministicMath.power(-days / 32 * 1.442_695_040_888_963_4)
  }

  private static func atuinPoints(hours: Double, count: Int) -> Double {
    let recency: Double =
      if hours < 1 { 100 } else if hours <= 6 { 90 } else if hours <= 24 { 70 } else if hours <= 72
      { 50 } else if hours <= 168 { 30 } else if hours <= 720 { 15 } else { 5 }
    let logarithm = DeterministicMath.naturalLogarithm(Double(count))
    return recency + min(100, 20 * logarithm).rounded(.down)
  }
}

/// The sums of ranks by which z and zoxide age theirs.
struct EvaluationAging {
  private var zSum = 0.0
  private var zoxideSum = 0.0
  private static let zMost = 9_000.0
  private static let zoxideMost = 10_000.0

  /// Notes a use, and ages all ranks when they have grown too many.
  mutating func use(_ states: inout [EvaluationState]) {
    zSum += 1
    zoxideSum += 1
    if zSum > Self.zMost { zSum = Self.age(&states, \.zRank, by: 0.99) }
    if zoxideSum > Self.zoxideMost {
      zoxideSum = Self.age(&states, \.zoxideRank, by: 0.9 * Self.zoxideMost / zoxideSum)
    }
  }

  /// Multiplies ranks, of which those that fall below one are forgotten; gives their sum.
  private static func age(
    _ states: inout [EvaluationState], _ rank: WritableKeyPath<EvaluationState, Double>,
    by factor: Double
  ) -> Double {
    var sum = 0.0
    for index in states.indices {
      let aged = states[index][keyPath: rank] * factor
      states[index][keyPath: rank] = aged < 1 ? 0 : aged
      sum += states[index][keyPath: rank]
    }
    return sum
  }
}
