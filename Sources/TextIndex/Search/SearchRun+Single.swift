internal import Glibc
internal import LMDB

extension SearchRun {
  /// One list alone: whole blocks are passed over by their bounds, and inside a block postings by
  /// comparing one number.
  mutating func runSingle(_ txn: borrowing ReadTransaction, _ bonus: Bonus, _ accept: Accept)
    throws(StorageError)
  {
    let group = plan.groups[0]
    // Out of the plan, so that its buffers have one owner.
    var cursor = group.cursors[0]
    plan.groups[0].cursors.removeAll()
    let tiers: [UInt8] =
      switch cursor.match {
      case .whole: [1, 2, 3, 4]
      case .part, .stem, .completion: [1, 2, 3, 3]
      case .typo: [0, 0, 0, 0]
      }
    var target: UInt32 = 1
    var least = leastUnits(cursor, tiers, group.inverseFrequency)
    while target <= lastDocument {
      try cursor.approach(target, txn, tables)
      guard cursor.blockEnd != TermCursor.end else { return }
      if !(hits.isFull && cursor.isHopeless(least)) {
        while target <= cursor.blockEnd, try cursor.advance(to: target, least: least) {
          guard cursor.document <= lastDocument else { return }
          target = cursor.document + 1
          let tier = tiers[Int(cursor.impact & 3)]
          let text = ScoreFormula.contribution(
            inverseFrequency: group.inverseFrequency,
            weighted: ScoreFormula.frequency(weighted: cursor.weightedUnits))
          if try considerSingle(cursor.document, tier, text, txn, bonus, accept) {
            least = leastUnits(cursor, tiers, group.inverseFrequency)
          }
          target = try skipDead(from: target, txn)
        }
      }
      target = max(target, cursor.blockEnd + 1)
    }
  }

  /// By place in a title, the units below which a posting cannot enter, a little rounded down.
  private func leastUnits(_ cursor: TermCursor, _ tiers: [UInt8], _ inverseFrequency: Double)
    -> SIMD4<UInt32>
  {
    var least = SIMD4<UInt32>()
    for place in 0..<4 {
      let needed = needed[Int(tiers[place])]
      least[place] = Self.units(reaching: needed, cursor.weight, inverseFrequency)
    }
    return least
  }

  /// The units below which a posting gives less than a text score, a little rounded down.
  static func units(reaching text: Double, _ weight: UInt32, _ inverseFrequency: Double) -> UInt32 {
    let share = text / inverseFrequency
    guard share > 0 else { return 0 }
    let top = ScoreFormula.saturation + 1
    guard share < top else { return .max }
    let weighted = ScoreFormula.saturation * share / (top - share)
    let units = weighted * ScoreFormula.unitCount / Double(weight)
    return units < 1e9 ? UInt32(units * (1 - 1e-9)) : .max
  }
}
