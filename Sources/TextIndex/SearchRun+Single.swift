internal import Glibc
internal import LMDB

extension SearchRun {
  /// One list alone: whole blocks are passed over by their bounds, and inside a block postings by
  /// comparing one number.
  mutating func runSingle(
    _ txn: borrowing ReadTransaction,
    _ bonus: Bonus,
    _ accept: Accept
  ) throws(StorageError) {
    var target: UInt32 = 1
    var least = leastUnits()
    while target <= lastDocument {
      try plan.groups[0].cursors[0].approach(target, txn, tables)
      let bound = plan.groups[0].cursors[0].bound
      let end = plan.groups[0].cursors[0].blockEnd
      guard end != TermCursor.end else { return }
      if hits.isFull, (bound.units .< least) == SIMDMask(repeating: true) {
        target = end + 1
        continue
      }
      var document = try plan.groups[0].seek(target, txn, tables)
      while document <= min(end, lastDocument) {
        let impact = plan.groups[0].cursors[0].impact
        if !hits.isFull || impact >> 2 >= least[Int(impact & 3)] {
          try consider(document, txn, bonus, accept)
          least = leastUnits()
        }
        if document == end { break }
        document = try plan.groups[0].seek(document + 1, txn, tables)
      }
      target = end + 1
    }
  }

  /// By place in a title, the units below which a posting cannot enter, a little rounded down.
  private func leastUnits() -> SIMD4<UInt32> {
    let group = plan.groups[0]
    var result = SIMD4<UInt32>()
    for place in 0..<4 {
      let tier: Int =
        switch group.cursors[0].match {
        case .whole: place + 1
        case .part, .completion: min(place, 2) + 1
        case .typo: 0
        }
      let share = needed[tier] / group.inverseFrequency
      guard share > 0 else { continue }
      let top = ScoreFormula.saturation + 1
      guard share < top else {
        result[place] = .max
        continue
      }
      let weighted = ScoreFormula.saturation * share / (top - share)
      let units = weighted / group.cursors[0].weight / Impact.unit
      result[place] = units < 1e9 ? UInt32(units * (1 - 1e-9)) : .max
    }
    return result
  }
}
