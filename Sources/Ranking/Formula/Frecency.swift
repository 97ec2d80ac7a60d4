/// An item's use, summed at six time scales.
///
/// For scale k with half-life H_k the value is `Σ wᵢ · 2^((tᵢ − t)/H_k)` over all uses i, kept at
/// the time t of the latest use. Passing time multiplies all items' values of one scale by the
/// same factor, so nothing needs to be stored, swept or re-keyed as time passes; a late use is
/// folded in at its own time. The six scales imitate forgetting by a power law: their half-lives
/// and weights follow from ``FoldConstants``; see Decisions for how they were chosen.
package struct Frecency: Equatable, Sendable {
  package static let scaleCount = 6
  /// How many times as slow each scale is as the one before.
  ///
  /// Not a constant to tune: `factors(seconds:)` takes sixth powers.
  private static let scaleRatio = 6.0
  /// Half-lives in seconds, fastest first.
  package static let halfLives: [Double] = (0..<scaleCount).reduce(into: []) { halfLives, _ in
    halfLives.append(
      halfLives.last.map { $0 * scaleRatio } ?? FoldConstants.current.fastestHalfLifeSeconds)
  }
  private static let slowestHalfLife = halfLives[scaleCount - 1]
  /// Weights of the scales, `scaleFactor · (half-life in days)^−scaleExponent`.
  ///
  /// The exponent ranks best on histories that people made.
  package static let amplitudes: [Double] = halfLives.map { halfLife in
    FoldConstants.current.scaleFactor
      * DeterministicMath.power(
        -FoldConstants.current.scaleExponent * DeterministicMath.logarithm(halfLife / 86_400))
  }

  /// Time of the latest use, microseconds since 1970.
  package private(set) var referenceMicroseconds: Int64
  /// The six sums at the reference time, fastest first.
  package private(set) var values: [6 of Double]

  /// No use yet.
  package init() { self.init(referenceMicroseconds: .min, values: [0, 0, 0, 0, 0, 0]) }

  /// State read back from storage.
  package init(referenceMicroseconds: Int64, values: [6 of Double]) {
    self.referenceMicroseconds = referenceMicroseconds
    self.values = values
  }

  package static func == (one: Frecency, other: Frecency) -> Bool {
    one.referenceMicroseconds == other.referenceMicroseconds
      && one.values.indices.allSatisfy { one.values[$0] == other.values[$0] }
  }

  /// Folds in a use of weight `weight` at a time; late uses are welcome.
  ///
  /// The result is the same in every order of arrival to a relative 1·10⁻⁹, and the same to the
  /// last bit in the same order.
  /// - Complexity: O(1), about 40 multiplications.
  package mutating func add(weight: Double, atMicroseconds time: Int64) {
    guard weight > 0 else { return }
    if referenceMicroseconds == .min {
      referenceMicroseconds = time
      values = InlineArray(repeating: weight)
    } else if time >= referenceMicroseconds {
      let factors = Self.factors(seconds: Self.seconds(from: referenceMicroseconds, to: time))
      for scale in values.indices { values[scale] = values[scale] * factors[scale] + weight }
      referenceMicroseconds = time
    } else {
      let factors = Self.factors(seconds: Self.seconds(from: time, to: referenceMicroseconds))
      for scale in values.indices { values[scale] += weight * factors[scale] }
    }
  }

  /// The frecency at a moment: `Σ a_k · value_k · 2^(−age/H_k)`.
  ///
  /// Before the latest use the formula grows without bound; the result is then capped at the
  /// greatest finite number, and `logarithm(atMicroseconds:amplitudes:)` still tells items apart.
  /// - Complexity: O(1).
  package func score(atMicroseconds now: Int64) -> Double {
    score(atMicroseconds: now, amplitudes: Self.amplitudes)
  }

  /// The same with other weights of the scales.
  package func score(atMicroseconds now: Int64, amplitudes a: [Double]) -> Double {
    guard referenceMicroseconds != .min else { return 0 }
    guard now >= referenceMicroseconds else {
      return DeterministicMath.power(logarithm(atMicroseconds: now, amplitudes: a))
    }
    let f = Self.factors(seconds: Self.seconds(from: referenceMicroseconds, to: now))
    var sum = 0.0
    for scale in values.indices { sum += a[scale] * values[scale] * f[scale] }
    return sum
  }

  /// What the frecency does not exceed from the latest use on, by the model's own weights.
  var peak: Double {
    var sum = 0.0
    for scale in values.indices { sum += Self.amplitudes[scale] * values[scale] }
    return sum
  }

  /// What one use adds to a frecency at a moment that is not before it.
  /// - Complexity: O(1), one power and some twenty multiplications.
  package static func score(
    weight: Double, atMicroseconds time: Int64, now: Int64, amplitudes a: [Double]
  ) -> Double {
    guard weight > 0 else { return 0 }
    let f = factors(seconds: seconds(from: time, to: max(time, now)))
    var sum = 0.0
    for scale in f.indices { sum += a[scale] * f[scale] }
    return weight * sum
  }

  /// log₂ of the frecency at any moment, past or future, without overflow.
  /// - Complexity: O(1).
  package func logarithm(atMicroseconds now: Int64, amplitudes: [Double]) -> Double {
    guard referenceMicroseconds != .min else { return -.infinity }
    let age = Self.seconds(from: referenceMicroseconds, to: now)
    var exponents: [6 of Double] = [0, 0, 0, 0, 0, 0]
    var greatest = -Double.infinity
    for k in 0..<Self.scaleCount where values[k] > 0 {
      exponents[k] =
        DeterministicMath.logarithm(amplitudes[k] * values[k]) - age / Self.halfLives[k]
      greatest = max(greatest, exponents[k])
    }
    var sum = 0.0
    for k in 0..<Self.scaleCount where values[k] > 0 {
      sum += DeterministicMath.power(exponents[k] - greatest)
    }
    return greatest + DeterministicMath.logarithm(sum)
  }

  /// One scale's sum at a moment.
  /// - Complexity: O(1).
  package func sum(ofScale scale: Int, atMicroseconds now: Int64) -> Double {
    guard referenceMicroseconds != .min else { return 0 }
    let age = Self.seconds(from: referenceMicroseconds, to: now)
    return values[scale] * DeterministicMath.power(-age / Self.halfLives[scale])
  }

  /// 2^(−seconds/H_k) for all scales: one power, then sixth powers, since H grows by `scaleRatio`.
  private static func factors(seconds: Double) -> [6 of Double] {
    let slowest = DeterministicMath.power(-seconds / slowestHalfLife)
    let fifth = sixth(slowest)
    let fourth = sixth(fifth)
    let third = sixth(fourth)
    let second = sixth(third)
    return [sixth(second), second, third, fourth, fifth, slowest]
  }

  private static func sixth(_ value: Double) -> Double {
    let square = value * value
    return square * square * square
  }

  private static func seconds(from: Int64, to: Int64) -> Double {
    let (difference, overflow) = to.subtractingReportingOverflow(from)
    return overflow ? (to > from ? 9.3e12 : -9.3e12) : Double(difference) / 1_000_000
  }
}
