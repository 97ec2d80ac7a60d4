/// What the bonuses of documents are worth at most: as many times one more than their text.
struct DocumentWorths: Sendable {
  let bounds: DocumentBounds
  /// By level.
  private let worths: [Double]

  init(_ bounds: DocumentBounds, _ items: TextIndex.BonusBounds) {
    (self.bounds, worths) = (bounds, items.worths)
  }

  @inline(__always) subscript(_ document: UInt32) -> Double {
    worths[Int(bounds.level(of: document))]
  }

  func most(of range: ClosedRange<UInt32>) -> Double { worths[Int(bounds.peak(of: range))] }
}

/// How one list's postings are told apart by the bonus that their documents may have.
struct BoundedPostings {
  private let worths: DocumentWorths
  private let scale: ImpactScale
  /// One more than the other groups give at most.
  private let others: Double
  /// By place in a title, one more than the text that a document without a bonus needs.
  private let needed: SIMD4<Double>

  init(_ worths: DocumentWorths, _ scale: ImpactScale, others: Double, needed: SIMD4<Double>) {
    (self.worths, self.scale) = (worths, scale)
    (self.others, self.needed) = (1 + others, needed)
  }

  /// By place in a title, the units below which no posting of a range can enter.
  func least(of range: ClosedRange<UInt32>) -> SIMD4<UInt32> {
    let worth = worths.most(of: range)
    var least = SIMD4<UInt32>()
    for place in 0..<4 {
      let text = needed[place] / worth * (1 - 1e-9) - others
      least[place] = ScoreFormula.units(
        reaching: text - abs(text) * 1e-9 - 1e-9, weight: UInt32(truncatingIfNeeded: scale.weight),
        inverseFrequency: scale.inverseFrequency)
    }
    return least
  }

  /// Drops the places of postings that would need a greater bonus than their documents may have.
  func keep(_ selected: inout [UInt32], _ documents: [UInt32], _ impacts: [UInt32]) {
    var kept = 0
    for place in selected {
      let impact = impacts[Int(place)]
      let worth = worths[documents[Int(place)]]
      // Not to be compared where the clock is behind a use, and both are without a bound.
      let isTooLittle = (others + scale.evidence(impact).score) * worth < needed[Int(impact & 3)]
      if isTooLittle { continue }
      selected[kept] = place
      kept += 1
    }
    selected.removeLast(selected.count - kept)
  }
}
