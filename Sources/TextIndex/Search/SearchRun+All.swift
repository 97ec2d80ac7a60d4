internal import LMDB

extension SearchRun {
  /// Visits the documents that all groups have, window by window of the rarest one, skipping those
  /// that cannot hold a better hit.
  mutating func runAll(_ txn: borrowing ReadTransaction, _ bonus: Bonus, _ accept: Accept)
    throws(StorageError)
  {
    let order = plan.groups.indices.sorted {
      plan.groups[$0].documentCount < plan.groups[$1].documentCount
    }
    guard let lead = order.first else { return }
    isPhraseCompared = order.count == 2 && pair(lead, order[1])?.isPhrase == true
    var target: UInt32 = 1
    while target <= lastDocument {
      let reach = try plan.groups[lead].reach(target, blocks: 1, txn, tables)
      guard reach != TermCursor.end else { return }
      let end = min(reach, lastDocument)
      if try gather(lead, order.dropFirst(), target, end, txn) {
        for index in 0..<candidates.count { try consider(candidates[index], txn, bonus, accept) }
      }
      guard end < lastDocument else { return }
      target = try skipDead(from: end + 1, txn)
    }
  }

  /// Gathers the documents of a window that have all groups and may enter; false when there are none.
  private mutating func gather(
    _ lead: Int, _ others: ArraySlice<Int>, _ start: UInt32, _ end: UInt32,
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
    var others = others
    if let second = others.first, plan.groups[lead].cursors.count == 1,
      plan.groups[second].cursors.count == 1
    {
      others.removeFirst()
      try intersect(lead, second, others, start, end, least: least, rest: rest, txn)
      rest -= peaks[second]
    } else {
      try plan.groups[lead].merge(
        into: &candidates, from: start, through: end, least: least, terms(lead, rest: rest), txn,
        tables)
    }
    for index in others where candidates.count > 0 {
      rest -= peaks[index]
      var terms = terms(index, rest: rest)
      terms.pair = pair(lead, index)
      try plan.groups[index].join(&candidates, terms, txn, tables)
      if terms.pair != nil { try compare(lead, terms, txn) }
    }
    return candidates.count > 0
  }

  /// What joining a group of a query for all words takes.
  private func terms(_ group: Int, rest: Double) -> JoinTerms {
    JoinTerms(
      group: group, rest: rest + abs(rest) * 1e-9, isRequired: true, needed: neededByTier,
      tiers: tierCaps(group))
  }

  /// Gathers the documents of a window, inside of one block of the rarest list, that another list has
  /// too, and those after it by their bits.
  private mutating func intersect(
    _ lead: Int, _ second: Int, _ others: ArraySlice<Int>, _ start: UInt32, _ end: UInt32,
    least: SIMD4<UInt32>, rest: Double, _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    try plan.groups[lead].cursors[0].select(
      from: start, through: end, least: least, into: &selected, txn, tables)
    for index in others where plan.groups[index].cursors.count == 1 {
      guard let bits = plan.groups[index].cursors[0].bits else { continue }
      bits.keep(&selected, in: plan.groups[lead].cursors[0].documents)
    }
    guard !selected.isEmpty else { return }
    var terms = terms(second, rest: rest - peaks[second])
    terms.pair = pair(lead, second)
    let postings = LeadPostings(
      documents: plan.groups[lead].cursors[0].documents,
      impacts: plan.groups[lead].cursors[0].impacts, selected: selected,
      scale: ImpactScale(
        weight: plan.groups[lead].cursors[0].weight, plan.groups[lead].cursors[0].match,
        plan.groups[lead].inverseFrequency), terms: self.terms(lead, rest: rest))
    try plan.groups[second].cursors[0].intersect(
      postings, into: &candidates, terms, plan.groups[second].inverseFrequency, txn, tables)
    if terms.pair != nil { try compare(lead, terms, txn) }
  }

  /// How a group stands to the rarest one; nil where their places cannot be compared.
  private func pair(_ lead: Int, _ index: Int) -> GroupPair? {
    guard plan.groups[lead].hasPlaces, plan.groups[index].hasPlaces else { return nil }
    let (one, other) = (plan.elements[lead], plan.elements[index])
    return GroupPair(
      distance: Int64(other.position) - Int64(one.position), isLeadFirst: lead < index,
      isPhrase: mode != .any && one.clause == other.clause, lastMerged: facts.state.mergedDocument)
  }

  /// Drops the candidates that the places of the rarest group and the one just joined shut out.
  private mutating func compare(_ lead: Int, _ terms: JoinTerms, _ txn: borrowing ReadTransaction)
    throws(StorageError)
  {
    guard let pair = terms.pair else { return }
    var kept = 0
    for index in 0..<candidates.count {
      var entry = candidates[index]
      if terms.wantsPlaces(entry) {
        leadPlaces.removeAll(keepingCapacity: true)
        try plan.groups[lead].cursors[0].places(at: Int(entry.at), into: &leadPlaces, txn, tables)
        let relation = candidates.relation(entry, leadPlaces, pair)
        if pair.isPhrase, !relation.isPhrase { continue }
        entry.tier = min(entry.tier, relation.tier)
        if terms.shutsOut(entry.text, tier: entry.tier) { continue }
      }
      candidates[kept] = entry
      kept += 1
    }
    candidates.keep(kept)
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
    // A cursor as a whole would be copied with all it holds.
    let match = plan.groups[group].cursors[0].match
    let weight = plan.groups[group].cursors[0].weight
    let caps = tierCaps(group)
    var least = SIMD4<UInt32>()
    for place in 0..<4 {
      let limit = match == .whole ? 3 : 2
      let tier = match == .typo ? 0 : min(caps[min(place, limit)], best)
      let needed = needed[Int(tier)]
      least[place] = Self.units(
        reaching: needed - others - abs(needed) * 1e-9 - 1e-9, weight,
        plan.groups[group].inverseFrequency)
    }
    return least
  }
}
