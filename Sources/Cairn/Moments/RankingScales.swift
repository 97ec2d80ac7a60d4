import Ranking

extension Moment {
  /// The weights of the time scales that the store's own history until this moment fits best.
  ///
  /// They follow from the events before, each moving them a little by what it was; so the order of
  /// arrival counts for them, other than for frecencies. Nothing is stored.
  /// - Complexity: O(events), some six microseconds each use.
  /// - Throws: `corrupt` for an event that cannot be read.
  public func fittedScales() throws(CairnError) -> RankingScales {
    try store.fittedScales(through: sequence)
  }
}

/// How much each of the six time scales counts in a ranking by use, and what followed the item before.
///
/// The model's own weights unless a history has shown others to foretell it better
/// (`Evaluation.fittedScales`). A moment carries them, nothing is stored: leave them out and
/// everything ranks as before.
public struct RankingScales: Sendable, Hashable {
  /// No scale counts more than so many times as much as in the model, or as little.
  public static let multiplierMax = 64.0

  /// What the scales are multiplied by: an hour, 6 h, 36 h, 9 d, 54 d, 324 d.
  public let multipliers: [Double]
  /// What the worth of having followed the item used before is multiplied by.
  public let followMultiplier: Double
  let amplitudes: [Double]

  /// The model's own weights.
  public init() {
    multipliers = Array(repeating: 1, count: Frecency.scaleCount)
    followMultiplier = 1
    amplitudes = Frecency.amplitudes
  }

  /// Weights for six scales and what follows; nil unless there are six numbers, all from 1/64 to 64.
  public init?(multipliers: [Double], followMultiplier: Double = 1) {
    let range = (1 / Self.multiplierMax)...Self.multiplierMax
    guard multipliers.count == Frecency.scaleCount,
      (multipliers + [followMultiplier]).allSatisfy(range.contains)
    else { return nil }
    self.multipliers = multipliers
    self.followMultiplier = followMultiplier
    amplitudes = zip(Frecency.amplitudes, multipliers).map { $0 * $1 }
  }

  /// Weights that a history showed.
  init(_ weights: ScaleWeights) {
    multipliers = weights.multipliers
    followMultiplier = weights.followMultiplier
    amplitudes = weights.amplitudes
  }
}
