/// What postings give a group of one list; apart from the list, which a call on it would copy.
struct ImpactScale: Sendable {
  let weight: UInt64
  let isTypo: Bool
  /// A title that only begins with the word is not the word.
  let placeMax: UInt8
  let inverseFrequency: Double

  init(weight: UInt32, _ match: TermMatch, _ inverseFrequency: Double) {
    self.weight = UInt64(weight)
    isTypo = match == .typo
    placeMax = match == .whole ? 3 : 2
    self.inverseFrequency = inverseFrequency
  }

  /// The best score and tier of any posting of a block.
  @inline(__always) func best(of bound: BlockBound, _ terms: JoinTerms) -> (
    score: Double, tier: UInt8
  ) {
    let tier = isTypo ? 0 : terms.tiers[min(bound.place, Int(placeMax))]
    return (evidence(bound.greatest << 2).score, tier)
  }

  @inline(__always) func evidence(_ impact: UInt32) -> TermGroup.Evidence {
    let score = ScoreFormula.contribution(
      inverseFrequency: inverseFrequency,
      weighted: ScoreFormula.frequency(weighted: weight * UInt64(impact >> 2)))
    if isTypo { return TermGroup.Evidence(score: score, isPresent: true) }
    let place = min(UInt8(impact & 3), placeMax)
    return TermGroup.Evidence(score: score, place: place, isTypo: false, isPresent: true)
  }
}
