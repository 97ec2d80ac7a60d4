/// An item's score by use in circumstances: `(1 + F + f) · e^(evidenceWeight · X) − 1`.
///
/// F is the frecency, f what having followed the item used just before is worth and X the evidence
/// of the circumstances. Items stand in the order of a search without words; where nothing speaks
/// for or against an item, its score is its frecency.
package enum ContextScore {
  /// Weight of X beside the logarithm of use.
  package static let evidenceWeight =
    ScoreConstants.current.contextWeight / ScoreConstants.current.useWeight
  private static let naturalLogarithmOfTwo = DeterministicMath.naturalLogarithm(2)
  /// Logarithm from which one use more or less is lost in rounding, and plain values may overflow.
  private static let logarithmFrom = 60.0

  /// The logarithm of a score, plus one: `ln(1 + F + f) + evidenceWeight · X`.
  /// - Complexity: O(1).
  package static func key(
    _ frecency: Frecency, atMicroseconds now: Int64, amplitudes: [Double], follow: Double,
    fit: Double
  ) -> Double {
    if frecency.referenceMicroseconds > now {
      let logarithm = frecency.logarithm(atMicroseconds: now, amplitudes: amplitudes)
      if logarithm > logarithmFrom {
        return logarithm * naturalLogarithmOfTwo + evidenceWeight * fit
      }
    }
    let score = frecency.score(atMicroseconds: now, amplitudes: amplitudes)
    return DeterministicMath.naturalLogarithm(1 + score + follow) + evidenceWeight * fit
  }

  package static func score(key: Double) -> Double {
    DeterministicMath.power(key / naturalLogarithmOfTwo) - 1
  }
}
