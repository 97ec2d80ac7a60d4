/// How much each time scale counts for one history: multipliers of the amplitudes.
///
/// Fitted by what happens: at each use of an item i the multipliers move by `η · (r_k − c_k)`, in
/// logarithms, where `r_k` is scale k's share of i's frecency and `c_k` its share of all items'.
/// That is one step of exponentiated gradient ascent on the logarithm of the probability
/// `F(i) / ΣF` that the mixture gave to what was used (Kivinen and Warmuth, 1997). A use costs
/// O(1), nothing is ranked for it, and only what came before is looked at. How much what followed
/// the item used before counts is fitted alike, as a seventh part of the mixture.
package struct ScaleWeights: Sendable {
  /// No multiplier goes beyond this or below its inverse: 2⁶.
  private static let logarithmMax = 6.0
  /// η over ln 2, and what is added to it at first, falling with the root of the occasions.
  private static let rate = 0.1
  private static let firstRate = 1.0
  /// Steps of a share that is small are small too.
  private static let followPace = 2.0

  private var logarithms: [6 of Double] = [0, 0, 0, 0, 0, 0]
  private var followLogarithm = 0.0
  private var occasionCount = 0.0
  /// All uses of all items.
  private var all = Frecency()

  /// Every scale as the model has it.
  package init() {}

  /// What sums of use are multiplied by.
  package var amplitudes: [Double] {
    Frecency.amplitudes.indices.map { scale in
      Frecency.amplitudes[scale] * DeterministicMath.power(logarithms[scale])
    }
  }

  package var multipliers: [Double] {
    logarithms.indices.map { DeterministicMath.power(logarithms[$0]) }
  }

  /// What is multiplied by how much what followed the item used before is worth.
  package var followMultiplier: Double { DeterministicMath.power(followLogarithm) }

  /// Learns from items used after another one: how much of each one's worth came of following it,
  /// beside how much of all items' worth does.
  /// - Complexity: O(items).
  package mutating func learn(follow shares: [Double], expected: Double) {
    guard !shares.isEmpty else { return }
    let step = shares.reduce(0) { $0 + $1 - expected }
    followLogarithm = moved(followLogarithm, Self.followPace * step, itemCount: shares.count)
  }

  private func moved(_ logarithm: Double, _ step: Double, itemCount: Int) -> Double {
    let rate = Self.rate + Self.firstRate / (occasionCount + 1).squareRoot()
    let moved = logarithm + rate / Double(max(1, itemCount)).squareRoot() * step
    return min(Self.logarithmMax, max(-Self.logarithmMax, moved))
  }

  /// Learns from the items used at a moment, each as it stood before.
  /// - Complexity: O(items).
  package mutating func learn(_ items: [Frecency], atMicroseconds now: Int64) {
    let amplitudes = amplitudes
    occasionCount += 1
    guard let expected = Self.shares(all, amplitudes, now) else { return }
    var step: [6 of Double] = [0, 0, 0, 0, 0, 0]
    for item in items {
      guard let shares = Self.shares(item, amplitudes, now) else { continue }
      for scale in step.indices { step[scale] += shares[scale] - expected[scale] }
    }
    for scale in step.indices {
      logarithms[scale] = moved(logarithms[scale], step[scale], itemCount: items.count)
    }
  }

  /// Takes in a use, after what could be learned from it.
  package mutating func use(weight: Double, atMicroseconds time: Int64) {
    all.add(weight: weight, atMicroseconds: time)
  }

  private static func shares(_ frecency: Frecency, _ amplitudes: [Double], _ now: Int64) -> [
    6 of Double
  ]? {
    let now = max(now, frecency.referenceMicroseconds)
    var shares: [6 of Double] = [0, 0, 0, 0, 0, 0]
    var total = 0.0
    for scale in shares.indices {
      shares[scale] = amplitudes[scale] * frecency.sum(ofScale: scale, atMicroseconds: now)
      total += shares[scale]
    }
    guard total > 0, total.isFinite else { return nil }
    for scale in shares.indices { shares[scale] /= total }
    return shares
  }
}
