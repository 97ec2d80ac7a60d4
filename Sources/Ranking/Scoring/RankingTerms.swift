/// What a hit's score has beside its words and what was learned for the query.
///
/// Each term is written in the letters of ``ScoreConstants``: F is frecency, N dislike, p a
/// smoothed click-through rate, X how well the latest uses fit the circumstances.
package struct RankingTerms: Sendable {
  private static let constants = ScoreConstants.current

  /// F: frecency at the ranking's clock.
  package var frecency = 0.0
  /// N: what speaks against the item, decayed.
  package private(set) var dislike = 0.0
  /// How the item fared in results, decayed; nil when it was never shown.
  package private(set) var engagement: EngagementState?
  /// `useWeight · ln(1 + F / (1 + N))`.
  package private(set) var useScore = 0.0
  /// `engagementWeight · (logit(min(rateMax, p)) − logit(priorClicks / priorLooks))`.
  package private(set) var engagementScore = 0.0
  /// `−dislikeWeight · ln(1 + N)`.
  package private(set) var dislikeScore = 0.0
  /// `−latencyWeight · ln(seconds + 1 − freeLatencySeconds)` where that costs anything.
  package private(set) var latencyScore = 0.0
  /// `domainWeight · min(0, logit(p) − logit(floodRate))`, p the domain's.
  package private(set) var domainScore = 0.0
  /// `contextWeight · X`, and what having followed the item before adds to `useScore`.
  package private(set) var contextScore = 0.0

  /// Nothing is known of the item.
  package init() {}

  /// The sum of the terms.
  package var bonus: Double {
    useScore + engagementScore + dislikeScore + latencyScore + domainScore + contextScore
  }

  /// The score of use: `useWeight · ln(1 + F / (1 + N))`.
  package static func useScore(_ frecency: Double, dislike: Double = 0) -> Double {
    frecency > 0 ? constants.useWeight * logarithm(1 + frecency / (1 + dislike)) : 0
  }

  /// Takes in how the item and its domain fared, aged to the clock.
  package mutating func add(item: EngagementState?, domain: EngagementState?) {
    let constants = Self.constants
    if let item {
      engagement = item
      dislike = item.dislike
      engagementScore = constants.engagementWeight * (Self.odds(item) - Self.priorOdds)
      dislikeScore = dislike > 0 ? -constants.dislikeWeight * Self.logarithm(1 + dislike) : 0
    }
    if let domain {
      let odds = Self.odds(domain) - Self.logit(constants.floodRate)
      domainScore = constants.domainWeight * min(0, odds)
    }
    let prior = constants.priorOpenings
    let general = domain.map { $0.latency / ($0.latencyCount + prior) } ?? 0
    let seconds = ((item?.latency ?? 0) + prior * general) / ((item?.latencyCount ?? 0) + prior)
    if seconds > constants.freeLatencySeconds {
      latencyScore =
        -constants.latencyWeight * Self.logarithm(seconds + (1 - constants.freeLatencySeconds))
    }
  }

  /// Whether a domain never changes the score of an item of it that nobody was shown or chose, now
  /// or as its sums decay: its rate then goes to the prior one, and its latency falls.
  static func isNeutral(domain: EngagementState) -> Bool {
    let rate = min(
      (domain.clicks + constants.priorClicks) / (domain.impressions + constants.priorLooks),
      constants.priorClicks / constants.priorLooks)
    let latency = domain.latency / (domain.latencyCount + constants.priorOpenings)
    return rate > constants.floodRate * (1 + 1e-9)
      && latency < constants.freeLatencySeconds * (1 - 1e-9)
  }

  /// Takes in the frecency, after how the item fared.
  package mutating func add(frecency: Double) {
    self.frecency = frecency
    useScore = Self.useScore(frecency, dislike: dislike)
  }

  /// Takes in how the item's latest uses fit the circumstances, after the frecency.
  package mutating func add(_ context: ContextEvidence, uses: [UseRecord]) {
    contextScore =
      Self.constants.contextWeight * context.score(uses)
      + Self.useScore(frecency + context.follow(uses), dislike: dislike) - useScore
  }

  /// The greatest bonus of any item.
  /// - Parameters:
  ///   - frecency: The greatest frecency of any item.
  ///   - hasEngagement: Whether anything was ever shown or chosen.
  ///   - context: The circumstances asked about.
  /// - Returns: A bound of every item's ``bonus``.
  package static func bonusMax(
    frecency: Double, hasEngagement: Bool, context: ContextEvidence?
  ) -> Double {
    var bound = 0.0
    if hasEngagement {
      bound += constants.engagementWeight * (logit(constants.rateMax) - priorOdds)
    }
    if context != nil { bound += constants.contextWeight * constants.evidenceMax }
    return bound + useScore(frecency + (context?.followMax ?? 0))
  }

  /// The greatest bonus of an item of a frecency and of so many clicks, without circumstances.
  static func bonusMax(frecency: Double, clicks: Double) -> Double {
    guard clicks > 0 else { return useScore(frecency) }
    let rate = (clicks + constants.priorClicks) / constants.priorLooks
    return useScore(frecency)
      + constants.engagementWeight * max(0, logit(min(constants.rateMax, rate)) - priorOdds)
  }

  /// What bonuses stay below by an item's ``UseLevels``: `least + level · step`.
  ///
  /// With frecencies at most m times those of the model and f for what followed another item,
  /// `ln(1 + m·F + f) ≤ ln(1 + F) + ln(m + f)`.
  package static func levelBounds(amplitudes: [Double], context: ContextEvidence?) -> (
    least: Double, step: Double
  ) {
    let multiplier = zip(amplitudes, Frecency.amplitudes).reduce(1) { max($0, $1.0 / $1.1) }
    let least = bonusMax(frecency: multiplier - 1, hasEngagement: false, context: context)
    return (least * (1 + 1e-9), 1 / UseLevels.resolution)
  }

  private static let priorOdds = logit(constants.priorClicks / constants.priorLooks)

  /// The log odds of a smoothed click-through rate, by how often it was chosen and looked at.
  private static func odds(_ state: EngagementState) -> Double {
    let rate = (state.clicks + constants.priorClicks) / (state.impressions + constants.priorLooks)
    return logit(min(constants.rateMax, rate))
  }

  private static func logit(_ rate: Double) -> Double { logarithm(rate / (1 - rate)) }

  private static func logarithm(_ value: Double) -> Double {
    DeterministicMath.naturalLogarithm(value)
  }
}
