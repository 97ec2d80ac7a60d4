import Ranking
import Testing

private let seeds: [UInt64] = [1, 2, 3, 4, 5]
private let exponents = [-900.5, -30.25, -1, 0, 0.3, 1, 17.75, 600]

@Suite struct FrecencyTests {
  /// Σ_k a_k Σ_i w_i 2^((t_i − t)/H_k), in the plainest way.
  private func bruteForce(_ uses: [(Int64, Double)], at now: Int64) -> Double {
    var sum = 0.0
    for (halfLife, amplitude) in zip(Frecency.halfLives, Frecency.amplitudes) {
      for (time, weight) in uses {
        let age = Double(now - time) / 1_000_000
        sum += amplitude * weight * DeterministicMath.power(-age / halfLife)
      }
    }
    return sum
  }

  private func uses(seed: UInt64) -> [(Int64, Double)] {
    var state = seed
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    return (0..<200).map { _ in
      (1_600_000_000_000_000 + Int64(next(63_072_000)) * 1_000_000, 0.5 + Double(next(4)) / 2)
    }
  }

  private func folded(_ uses: [(Int64, Double)]) -> Frecency {
    var frecency = Frecency()
    for (time, weight) in uses { frecency.add(weight: weight, atMicroseconds: time) }
    return frecency
  }

  @Test(arguments: seeds) func `it is the sum of six exponentials`(seed: UInt64) {
    let uses = uses(seed: seed)
    for years in [2, 3, 7] as [Int64] {
      let now = 1_600_000_000_000_000 + years * 31_536_000 * 1_000_000
      let expected = bruteForce(uses, at: now)
      let actual = folded(uses).score(atMicroseconds: now)
      #expect(abs(actual - expected) <= 1e-9 * expected, "seed \(seed)")
    }
  }

  @Test(arguments: seeds) func `the order of arrival does not matter`(seed: UInt64) {
    let uses = uses(seed: seed)
    let now = 1_700_000_000_000_000 as Int64
    let one = folded(uses).score(atMicroseconds: now)
    let other = folded(uses.reversed()).score(atMicroseconds: now)
    let sorted = folded(uses.sorted { $0.0 < $1.0 }).score(atMicroseconds: now)
    #expect(abs(one - other) <= 1e-9 * one)
    #expect(abs(one - sorted) <= 1e-9 * one)
  }

  @Test func `the amplitudes are those of the power law`() {
    let expected = [3.015, 1.125, 0.420, 0.1568, 0.0585, 0.02185]
    for (ours, theirs) in zip(Frecency.amplitudes, expected) {
      #expect(abs(ours - theirs) < 0.005 * theirs)
    }
  }

  @Test func `a visit and a habit are worth what the other terms were weighed against`() {
    var frecency = Frecency()
    frecency.add(weight: 1, atMicroseconds: 0)
    let worth: [(Int64, Double)] = [(3_600, 3.14), (86_400, 0.56), (604_800, 0.18)]
    for (age, expected) in worth {
      #expect(abs(frecency.score(atMicroseconds: age * 1_000_000) - expected) < 0.05 * expected)
    }
    var habit = Frecency()
    for day in 0..<730 as Range<Int64> {
      habit.add(weight: 1, atMicroseconds: day * 86_400_000_000)
    }
    #expect(abs(habit.score(atMicroseconds: 730 * 86_400_000_000) - 15.3) < 0.15)
  }

  @Test(arguments: seeds) func `a frecency is the sum of what each use adds`(seed: UInt64) {
    let uses = uses(seed: seed)
    let now = (uses.map(\.0).max() ?? 0) + 86_400_000_000
    let whole = folded(uses).score(atMicroseconds: now)
    let sum = uses.reduce(0) { sum, use in
      sum
        + Frecency.score(
          weight: use.1, atMicroseconds: use.0, now: now, amplitudes: Frecency.amplitudes)
    }
    #expect(abs(whole - sum) <= 1e-9 * whole)
  }

  @Test func `the logarithm tells items apart years before and after their use`() {
    var early = Frecency()
    early.add(weight: 1, atMicroseconds: 0)
    var late = Frecency()
    late.add(weight: 1, atMicroseconds: 1_000_000)
    for years in [-5, 5] as [Int64] {
      let now = years * 31_536_000 * 1_000_000
      let a = Frecency.amplitudes
      #expect(
        late.logarithm(atMicroseconds: now, amplitudes: a)
          > early.logarithm(atMicroseconds: now, amplitudes: a))
    }
  }

  @Test(arguments: exponents) func `powers and logarithms undo each other`(exponent: Double) {
    let back = DeterministicMath.logarithm(DeterministicMath.power(exponent))
    #expect(abs(back - exponent) <= 2e-13)
  }
}
