internal import LMDB

extension SearchRun {
  /// Visits the documents that all groups have, window by window of the rarest one, skipping those
  /// that cannot hold a better hit.
  mutating func runAll(
    _ txn: borrowing ReadTransaction,
    _ bonus: Bonus,
    _ accept: Accept
  ) throws(StorageError) {
    let order = plan.groups.indices.sorted {
      plan.groups[$0].documentCount < plan.groups[$1].documentCount
    }
    guard let lead = order.first else { return }
    var target: UInt32 = 1
    while target <= lastDocument {
      let reach = try plan.groups[lead].reach(target, blocks: 1, txn, tables)
      guard reach != TermCursor.end else { return }
      let end = min(reach, lastDocument)
      if try gather(lead, order.dropFirst(), target, end, txn) {
        for index in 0..<candidates.count { try consider(candidates[index], txn, bonus, accept) }
      }
      guard end < lastDocument else { return }
      target = end + 1
    }
  }

  /// Gathers the documents of a window that have all groups and may enter; false when there are none.
  private mutating func gather(
    _ lead: Int,
    _ others: ArraySlice<Int>,
    _ start: UInt32,
    _ end: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool {
    candidates.removeAll()
    var rest = 0.0
    var least = SIMD4<UInt32>()
    if hits.isFull {
      var place: UInt8 = 3
      for index in others {
        let bound = try plan.groups[index].peak(from: start, through: end, txn, tables)
        guard bound.score > 0 else { return false }
        peaks[index] = bound.score
        rest += bound.score
        place = min(place, bound.place)
      }
      if plan.groups[lead].cursors.count == 1 {
        least = leastUnits(lead, rest, best: others.isEmpty || place > 0 ? 4 : 1)
        if plan.groups[lead].cursors[0].isHopeless(least) { return false }
      }
    }
    try plan.groups[lead].merge(
      into: &candidates,
      from: start,
      through: end,
      least: least,
      terms(lead, rest: rest),
      txn,
      tables
    )
    for index in others where candidates.count > 0 {
      rest -= peaks[index]
      try plan.groups[index].join(&candidates, terms(index, rest: rest), txn, tables)
    }
    return candidates.count > 0
  }

  /// What joining a group of a query for all words takes.
  private func terms(_ group: Int, rest: Double) -> JoinTerms {
    JoinTerms(
      group: group,
      rest: rest + abs(rest) * 1e-9,
      isRequired: true,
      needed: neededByTier,
      tiers: tierCaps(group)
    )
  }

  /// By place in a title, the best tier of a document that has the group there.
  func tierCaps(_ group: Int) -> SIMD4<UInt8> {
    var caps = SIMD4<UInt8>()
    for place in 0..<4 {
      caps[place] = tierBound(first: group == 0 ? UInt8(place) : 3, least: UInt8(place))
    }
    return caps
  }

  /// By place in a title, the units of a group's list below which a posting cannot enter when the
  /// other groups give so much and allow for a tier.
  func leastUnits(_ group: Int, _ others: Double, best: UInt8) -> SIMD4<UInt32> {
    let cursor = plan.groups[group].cursors[0]
    let caps = tierCaps(group)
    var least = SIMD4<UInt32>()
    for place in 0..<4 {
      let limit = cursor.match == .whole ? 3 : 2
      let tier = cursor.match == .typo ? 0 : min(caps[min(place, limit)], best)
      let needed = needed[Int(tier)]
      least[place] = Self.units(
        reaching: needed - others - abs(needed) * 1e-9 - 1e-9,
        cursor.weight,
        plan.groups[group].inverseFrequency
      )
    }
    return least
  }
}
