internal import Glibc

/// How well a text matches, in one number: BM25F, and the tiers above it.
///
/// A group of terms t that stands for one word of the query gives a document d
///
///     idf(t) · 2.6 · x / (1.6 + x)
///     x = Σ class weight · Σ field weight · Σ declared weight / (1 − b + b · length / average)
///     idf(t) = ln(1 + (N − n + 0.5) / (n + 0.5))
///
/// the innermost over the places of the term, 1 each but in fields that a schema gives another
/// weight; with field weights 5, 3, 1.5 and 1 for title, keywords, description and text, b 0.3,
/// 0.3, 0.3 and 0.75, and averages fixed at 5, 8, 25 and 120 words: so a document scores the same
/// whatever else is in the index, and the inner sum is stored with each posting, rounded as
/// `Impact` says. N and n count every version ever made up to the point asked about, ended ones
/// included: they depend on the log alone, not on merges, and a past point scores as it did then.
/// Source: Zaragoza et al., TREC-13 (2004).
package enum ScoreFormula {
  /// The saturation constant k₁.
  static let saturation = 1.6

  static let fieldWeights = SIMD4<Double>(5, 3, 1.5, 1)
  static let lengthWeights = SIMD4<Double>(0.3, 0.3, 0.3, 0.75)
  static let averageLengths = SIMD4<Double>(5, 8, 25, 120)
  private static let constants = 1 - lengthWeights
  private static let slopes = lengthWeights / averageLengths

  /// What tiers and text are worth together: τ · tier + ln(1 + text), before any bonus.
  package static func combine(tier: UInt8, text: Double, tierScores: [Double]) -> Double {
    tierScores[Int(tier)] + textScore(text)
  }

  /// What a text is worth: ln(1 + text).
  package static func textScore(_ text: Double) -> Double { log(1 + text) }

  /// The constants that stored impacts are made with, in a fixed order: part of the definition of a
  /// generation.
  package static let storedConstants: [Double] =
    [fieldWeights, lengthWeights, averageLengths]
    .flatMap { vector in vector.indices.map { vector[$0] } } + [unitCount]

  /// Weight of a term found in `documentCount` of `total` documents.
  static func inverseFrequency(documentCount: UInt64, total: UInt32) -> Double {
    let count = Double(min(documentCount, UInt64(total)))
    return log(1 + (Double(total) - count + 0.5) / (count + 0.5))
  }

  /// The weighted frequency that so many units are, times hundredths of weight.
  @inline(__always) static func frequency(weighted units: UInt64) -> Double {
    Double(units) / unitCount
  }

  /// Units of 1/16384 in hundredths of weight.
  static let unitCount = 1_638_400.0

  /// The saturated contribution of a weighted frequency.
  ///
  /// Written so that each step is monotone in floating point too: a bound computed with it is one.
  @inline(__always) static func contribution(inverseFrequency: Double, weighted: Double) -> Double {
    let top = saturation + 1
    return inverseFrequency * (top - saturation * top / (saturation + weighted))
  }

  /// The units below which a posting gives less than a text score, a little rounded down.
  static func units(reaching text: Double, weight: UInt32, inverseFrequency: Double) -> UInt32 {
    let share = text / inverseFrequency
    guard share > 0 else { return 0 }
    let top = saturation + 1
    guard share < top else { return .max }
    let units = saturation * share / (top - share) * unitCount / Double(weight)
    // Unions hold up to 2³⁰ of them: one that reaches that must not count as out of reach.
    return units < 4e9 ? UInt32(units * (1 - 1e-9)) : .max
  }

  /// The frequencies of one term in all fields, weighted and normalised: the inner sum.
  static func weighted(_ occurrence: Occurrence, _ lengths: SIMD4<UInt32>) -> Double {
    weighted(lengths) { Double(occurrence.frequency($0)) }
  }

  /// The same with a weight for each token.
  static func weighted(_ occurrence: WeightedOccurrence, _ lengths: SIMD4<UInt32>) -> Double {
    weighted(lengths) { occurrence.frequency($0) }
  }

  @inline(__always) private static func weighted(
    _ lengths: SIMD4<UInt32>, _ frequency: (Int) -> Double
  ) -> Double {
    var sum = 0.0
    for kind in 0..<4 {
      let frequency = frequency(kind)
      guard frequency > 0 else { continue }
      sum +=
        fieldWeights[kind] * frequency / (constants[kind] + slopes[kind] * Double(lengths[kind]))
    }
    return sum
  }
}
