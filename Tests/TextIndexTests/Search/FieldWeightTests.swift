import Testing

@testable import TextIndex

/// What a declared weight makes of a field.
@Suite struct FieldWeightTests {
  private static let weights = [1e-30, 1e-6, 0.001, 0.01, 0.1, 0.5, 1, 1.5, 3, 7.25, 100].map(
    Float.init)

  /// What a term is worth that stands so often in a field of so many words.
  private static func worth(_ kind: Int, _ count: Int, _ length: UInt32, _ weight: Float)
    -> Double
  {
    var occurrence = WeightedOccurrence()
    for _ in 0..<count { occurrence.count(UInt8(kind), weight: weight) }
    var lengths = SIMD4<UInt32>()
    lengths[kind] = length
    return Double(Impact(occurrence, place: 0, lengths: lengths).units) / 16_384
  }

  @Test(arguments: 0..<4) func `it multiplies what a term in it is worth`(kind: Int) {
    for length in [1, 5, 30, 200, 3_000, 50_000] as [UInt32] {
      for count in [1, 3, 40] {
        let plain = Self.worth(kind, count, length, 1)
        var occurrence = Occurrence()
        for _ in 0..<count { occurrence.count(kind) }
        var lengths = SIMD4<UInt32>()
        lengths[kind] = length
        #expect(Double(Impact(occurrence, lengths: lengths).units) / 16_384 == plain)
        for weight in Self.weights {
          let found = Self.worth(kind, count, length, weight)
          // Both are rounded down by up to a 32nd; what is below 1/512 to 16384ths.
          let expected = plain * Double(weight)
          let isNear = found > expected * 31 / 33 && found < expected * 33 / 31
          let isLeast =
            expected < 1.0 / 512 && abs(found - expected) <= 1.0 / 16_384 + expected / 31
          #expect(isNear || isLeast, "\(weight) of \(plain) is \(found)")
        }
      }
    }
  }

  @Test func `a weight multiplies its field alone, and none changes what others give`() {
    // Once in a description of two words, and in a text of 40,000 with a hundred times the weight.
    var mixed = WeightedOccurrence()
    mixed.count(2, weight: 1)
    mixed.count(3, weight: 100)
    let lengths = SIMD4<UInt32>(0, 0, 2, 40_000)
    let x = Double(Impact(mixed, place: 0, lengths: lengths).units) / 16_384
    let wanted = 1.5 / (0.7 + 0.3 / 25 * 2) + 100 / (0.25 + 0.75 / 120 * 40_000)
    #expect(x <= wanted && x > wanted * 31 / 33)
    // More than are counted.
    var (many, plain) = (WeightedOccurrence(), Occurrence())
    for _ in 0..<10_000 {
      many.count(2, weight: 1)
      plain.count(2)
    }
    let long = SIMD4<UInt32>(0, 0, 100_000, 0)
    #expect(Impact(many, place: 0, lengths: long).units == Impact(plain, lengths: long).units)
  }

  @Test func `a sum that reaches what unions hold is within reach`() {
    let most = UInt32(1 << 30) - 1
    let top = ScoreFormula.contribution(
      inverseFrequency: 2, weighted: ScoreFormula.frequency(weighted: UInt64(most) * 100))
    let units = ScoreFormula.units(reaching: top, weight: 100, inverseFrequency: 2)
    #expect(units <= most)
  }

  @Test func `every code comes back from its units, and greater ones have more`() {
    var least: UInt32 = 0
    for code in -191...479 {
      let units = Impact.units(code)
      #expect(units > least)
      least = units
      for place in 0..<UInt8(4) {
        let impact = Impact(code: code, place: place)
        #expect(impact.code == code && impact.place == place && impact.units == units)
        #expect(Impact(units: units, place: place) == impact)
        #expect(Impact(packed: impact.packed) == impact)
      }
      if (0...255).contains(code) {
        #expect(Impact(code: code, place: 2).packed == UInt16(code) | 2 << 8)
        #expect(Impact.scaled(UInt32(code)) == units << 2)
      }
    }
    // What no writer makes is read without a trap.
    for packed in 0...UInt16.max { #expect(Impact(packed: packed).units > 0) }
  }

  @Test func `the ways of standing for a word are told exactly in their unions`() {
    for way in [TermMatch.whole, .part, .stem, .completion] {
      let weight = [TermMatch.whole: 100, .part: 80, .stem: 40, .completion: 60][way] ?? 0
      #expect(BoundUnion.weighted(1_000 << 2, way) >> 2 == UInt32(weight * 1_000 / 20))
    }
  }
}
