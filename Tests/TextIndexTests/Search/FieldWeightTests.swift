import Testing

@testable import TextIndex

/// What a declared weight makes of a field.
@Suite struct FieldWeightTests {
  @Test(arguments: TextIndex.FieldKind.allCases)
  func `a greater weight never scores lower in texts of up to 50 words`(
    kind: TextIndex.FieldKind
  ) {
    for length in UInt32(1)...50 {
      var least = 0.0
      for factor in [0.01, 0.1, 0.5, 0.75, 1, 1.5, 2, 3, 10, 100] {
        let field = Int(kind.weighted(by: factor).rawValue)
        var occurrence = Occurrence()
        occurrence.count(field)
        var lengths = SIMD4<UInt32>()
        lengths[field] = length
        let score = ScoreFormula.weighted(occurrence, lengths)
        #expect(score >= least, "\(factor) at \(length)")
        least = score
      }
    }
  }
}
