import Ranking

/// What a hit's score has beside the match of its words.
///
/// `S = 2·tier + ln(1 + text) + 0.8·ln(1 + F/(1+N)) + 1.7·A + 0.3·R + 0.5·X + …`, the model of
/// `ranking.md` b8 with its start values: F frecency, N dislike, A what was learned for the query,
/// R how it fared in results, X how it fits the circumstances.
struct RankingTerms {
  static let useWeight = 0.8
  static let learnedWeight = 1.7
  static let engagementWeight = 0.3
  static let contextWeight = 0.5
  static let dislikeWeight = 0.5
  static let latencyWeight = 0.3
  static let domainWeight = 2.0
  /// What an exact title stands above all others, and the same for an item that was chosen twice
  /// for this very query: more than any other terms come to.
  static let exactGuard = 40.0
  /// What misspelt matches stand below all others.
  static let fuzzyGuard = 10.0
  /// What the item chosen last for this very query has, of which half is left after 18 hours: more
  /// than tiers, words and habits come to a day later and less than any of them a week later, and
  /// never as much as an exact title.
  private static let latestWeight = 20.0
  private static let latestHalfLifeDays = 0.75
  /// Dislike from which an item is not wanted first, whoever chose it.
  static let unwantedDislike = 1.0
  /// A from which the user has taught otherwise: two choices, a little of which may be forgotten.
  static let taughtLearning = DeterministicMath.naturalLogarithm(1 + 2 * 1.5)
  /// A from which a choice lets a misspelt match stand among the others: half a choice.
  static let knownLearning = DeterministicMath.naturalLogarithm(1 + 2 * 0.5)

  var frecency = 0.0
  var dislike = 0.0
  var engagement: EngagementState?
  var useScore = 0.0
  var engagementScore = 0.0
  var dislikeScore = 0.0
  var latencyScore = 0.0
  var domainScore = 0.0
  var contextScore = 0.0

  /// The sum.
  var bonus: Double {
    useScore + engagementScore + dislikeScore + latencyScore + domainScore + contextScore
  }

  /// What choices for a query are worth: A = ln(1 + 2·c).
  static func learning(_ choices: Double) -> Double {
    choices > 0 ? DeterministicMath.naturalLogarithm(1 + 2 * choices) : 0
  }

  /// What having been chosen last for a query is worth.
  static func latestScore(chosenAt time: Int64, now: Int64) -> Double {
    latestWeight * Decay.factor(fromMicroseconds: time, to: now, halfLifeDays: latestHalfLifeDays)
  }

  /// `0.8·ln(1 + F/(1+N))`.
  static func useScore(_ frecency: Double, dislike: Double = 0) -> Double {
    frecency > 0 ? useWeight * logarithm(1 + frecency / (1 + dislike)) : 0
  }

  /// Of ten results shown, one is chosen: the prior of every click-through rate, worth ten looks.
  private static let priorClicks = 1.0
  private static let priorLooks = 10.0
  private static let rateMax = 0.9
  /// Below this share of results chosen, a domain only fills the page.
  private static let floodRate = 0.02

  /// The log odds of a smoothed click-through rate, by how often it was chosen and looked at.
  private static func odds(_ state: EngagementState) -> Double {
    let rate = (state.clicks + priorClicks) / (state.impressions + priorLooks)
    return logit(min(rateMax, rate))
  }

  private static func logit(_ rate: Double) -> Double { logarithm(rate / (1 - rate)) }

  private static func logarithm(_ value: Double) -> Double {
    DeterministicMath.naturalLogarithm(value)
  }

  /// No item's engagement score exceeds this.
  static let engagementScoreMax = engagementWeight * (logit(rateMax) - logit(0.1))

  /// Takes in how the item and its domain fared, aged to the clock.
  mutating func add(item: EngagementState?, domain: EngagementState?) {
    if let item {
      engagement = item
      dislike = item.dislike
      engagementScore = Self.engagementWeight * (Self.odds(item) - Self.logit(0.1))
      dislikeScore = dislike > 0 ? -Self.dislikeWeight * Self.logarithm(1 + dislike) : 0
    }
    if let domain {
      let odds = Self.odds(domain) - Self.logit(Self.floodRate)
      domainScore = Self.domainWeight * min(0, odds)
    }
    let general = domain.map { $0.latency / ($0.latencyCount + 2) } ?? 0
    let seconds = ((item?.latency ?? 0) + 2 * general) / ((item?.latencyCount ?? 0) + 2)
    if seconds > 0.5 { latencyScore = -Self.latencyWeight * Self.logarithm(seconds + 0.5) }
  }
}
