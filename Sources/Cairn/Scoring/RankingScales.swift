package import Ranking

/// How much each of the six time scales counts in a ranking by use, and what followed the item
/// before.
///
/// The model's own weights unless a history has shown others to predict it better. A moment
/// carries them, nothing is stored: leave them out and everything ranks as before.
package struct RankingScales: Sendable, Hashable {
  /// No scale counts more than so many times as much as in the model, or as little.
  package static let multiplierMax = 64.0

  /// What the scales are multiplied by, fastest first.
  package let multipliers: [Double]
  /// What the worth of having followed the item used before is multiplied by.
  package let followMultiplier: Double
  package let amplitudes: [Double]

  /// The model's own weights.
  package init() {
    multipliers = Array(repeating: 1, count: Frecency.scaleCount)
    followMultiplier = 1
    amplitudes = Frecency.amplitudes
  }

  /// Weights for six scales and what follows; nil unless there are six numbers, all from 1/64 to
  /// 64.
  package init?(multipliers: [Double], followMultiplier: Double = 1) {
    let range = (1 / Self.multiplierMax)...Self.multiplierMax
    guard multipliers.count == Frecency.scaleCount,
      (multipliers + [followMultiplier]).allSatisfy(range.contains)
    else { return nil }
    self.multipliers = multipliers
    self.followMultiplier = followMultiplier
    amplitudes = zip(Frecency.amplitudes, multipliers).map { $0 * $1 }
  }

  package init(_ weights: ScaleWeights) {
    multipliers = weights.multipliers
    followMultiplier = weights.followMultiplier
    amplitudes = weights.amplitudes
  }
}
