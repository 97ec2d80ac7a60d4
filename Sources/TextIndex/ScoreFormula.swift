internal import Glibc

/// How well a text matches, in one number: BM25F, and the tiers above it.
///
/// A group of terms t that stands for one word of the query gives a document d
///
///     idf(t) · 2.2 · x / (1.2 + x),   x = Σ class weight · Σ field weight · tf / (1 − b + b · length / average)
///     idf(t) = ln(1 + (N − n + 0.5) / (n + 0.5))
///
/// with field weights 5, 3, 1.5 and 1 for title, keywords, description and text, and b 0.3, 0.3,
/// 0.3 and 0.75. N, n and the average lengths count every version ever made, ended ones included:
/// they depend on the log alone, not on merges. Source: ranking model b7; BM25F of Zaragoza et al.,
/// TREC-13 (2004).
package enum ScoreFormula {
  /// The saturation constant k₁.
  static let saturation = 1.2

  static let fieldWeights = SIMD4<Double>(5, 3, 1.5, 1)
  static let lengthWeights = SIMD4<Double>(0.3, 0.3, 0.3, 0.75)

  /// What tiers and text are worth together: τ · tier + ln(1 + text), before any bonus.
  package static func combine(
    tier: UInt8,
    text: Double,
    tierScores: [Double]
  ) -> Double {
    tierScores[Int(tier)] + log(1 + text)
  }

  /// Weight of a term found in `documentCount` of `total` documents.
  static func inverseFrequency(documentCount: UInt64, total: UInt32) -> Double {
    let count = Double(min(documentCount, UInt64(total)))
    return log(1 + (Double(total) - count + 0.5) / (count + 0.5))
  }

  /// The saturated contribution of a weighted frequency.
  ///
  /// Written so that each step is monotone in floating point too: a bound computed with it is one.
  @inline(__always)
  static func contribution(inverseFrequency: Double, weighted: Double) -> Double {
    let top = saturation + 1
    return inverseFrequency * (top - saturation * top / (saturation + weighted))
  }
}

/// The part of the formula that depends on average lengths.
struct LengthNormalization: Sendable {
  private let constants: SIMD4<Double>
  private let slopes: SIMD4<Double>

  init(_ state: IndexState) {
    constants = 1 - ScoreFormula.lengthWeights
    var slopes = ScoreFormula.lengthWeights
    for kind in 0..<4 {
      let count = state.lengthCounts[kind]
      let average = count == 0 ? 1 : Double(state.lengthTotals[kind]) / Double(count)
      slopes[kind] /= average
    }
    self.slopes = slopes
  }

  /// Frequencies in all fields, weighted and normalised.
  ///
  /// - Complexity: O(fields the term stands in).
  @inline(__always)
  func weighted(_ occurrence: Occurrence, _ lengths: FieldLengths) -> Double {
    var sum = 0.0
    let short = occurrence.packed & 0x3F_FFFF_FFFC
    if short != 0 {
      for kind in 0..<3 {
        let frequency = occurrence.frequency(kind)
        if frequency > 0 { sum += term(kind, frequency, lengths[kind]) }
      }
    }
    let frequency = occurrence.frequency(3)
    if frequency > 0 { sum += term(3, frequency, lengths[3]) }
    return sum
  }

  @inline(__always)
  private func term(_ kind: Int, _ frequency: UInt64, _ length: UInt8) -> Double {
    ScoreFormula.fieldWeights[kind] * Double(frequency)
      / (constants[kind] + slopes[kind] * Double(LengthCode.decode(length)))
  }
}
