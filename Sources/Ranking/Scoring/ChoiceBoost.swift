/// What choices for the query typed boost an item by.
package struct ChoiceBoost: Sendable {
  /// What choices for the query and related ones are worth:
  /// `learnedWeight · ln(1 + choiceFactor · c)`.
  package let learned: Double
  /// What having been chosen last for the very query is worth.
  package let latest: Double
  /// Guards that choices win or waive.
  package let guards: Double

  package var sum: Double { learned + latest + guards }

  /// The boost of an item for a match of a tier.
  /// - Parameters:
  ///   - choices: Decayed choices c for the query.
  ///   - latest: What having been chosen last is worth; 0 for another item.
  ///   - isUnwanted: Whether the user asked for less of it since.
  ///   - tier: The tier of the match.
  ///   - tiers: What tiers are worth for the query.
  package init(choices: Double, latest: Double, isUnwanted: Bool, tier: UInt8, tiers: TierScore) {
    let constants = ScoreConstants.current
    let learning = Self.learning(choices)
    var guards = 0.0
    if Self.isTaught(choices), tier < TierScore.exactTitle, !isUnwanted {
      guards += constants.exactGuard
    }
    if learning >= Self.learning(constants.knownChoices), tier == TierScore.loose {
      guards -= tiers.guardScore(tier)
    }
    self.guards = guards
    self.latest = latest
    learned = constants.learnedWeight * learning
  }

  /// Whether the user has taught that the item is meant: it gets the guard of an exact title.
  package static func isTaught(_ choices: Double) -> Bool {
    learning(choices) >= learning(ScoreConstants.current.taughtChoices)
  }

  /// What having been chosen last for a query is worth:
  /// `latestWeight · 2^(−age / latestHalfLifeDays)`.
  package static func latestScore(chosenAt time: Int64, now: Int64) -> Double {
    let constants = ScoreConstants.current
    return constants.latestWeight
      * Decay.factor(fromMicroseconds: time, to: now, halfLifeDays: constants.latestHalfLifeDays)
  }

  /// What choices say: `ln(1 + choiceFactor · c)`.
  private static func learning(_ choices: Double) -> Double {
    choices > 0
      ? DeterministicMath.naturalLogarithm(1 + ScoreConstants.current.choiceFactor * choices) : 0
  }
}
