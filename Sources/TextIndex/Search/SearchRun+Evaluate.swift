internal import LMDB

extension SearchRun {
  /// Most blocks of the closest list in a window: of one list alone, for all words, for any word.
  private static let windowBlockCounts = (alone: 64, all: 1, any: 4)
  /// The same of one list alone whose documents may have a bonus: in wide windows some have much.
  private static let boundedBlockCount = 32
  /// Blocks of the first window, and of those after it while anything can enter.
  private static let firstBlockCount = 8

  /// Runs the query; looks at some documents first, which get an extra.
  ///
  /// Documents with all words come first: of a query for any word they are looked for before the
  /// others, and with enough of them few others can enter.
  mutating func run(
    _ boosted: [UInt32], extra: TextIndex.Boosts.Extra? = nil, _ txn: borrowing ReadTransaction,
    bounds: Bounds = { nil }, bonus: Bonus, accept: Accept
  ) throws(CairnError) {
    try learnBounds(bounds)
    try runFirst(boosted, extra: extra, txn, bonus, accept)
    let haveAll = plan.groups.allSatisfy { !$0.cursors.isEmpty }
    if mode != .any || plan.groups.count == 1 {
      if haveAll { try evaluate(leastCount: plan.groups.count, txn, bounds, bonus, accept) }
      return
    }
    if hits.limit != nil, haveAll {
      let start = plan.groups
      try evaluate(leastCount: plan.groups.count, txn, bounds, bonus, accept)
      plan.groups = start
      leavesOutComplete = true
      completeHits = hits.documents
      let text = plan.groups.reduce(0) { $0 + $1.ceiling }
      leaveRange()
      mayTie = true
      guard admits(tier: 0, text: text) else { return }
    }
    try evaluate(leastCount: 1, txn, bounds, bonus, accept)
  }

  /// Takes in what single bonuses stay below as soon as it is known.
  private mutating func learnBounds(_ bounds: Bounds) throws(CairnError) {
    guard self.bounds == nil, maximumBonus > 0 else { return }
    guard let (items, documents) = try bounds() else { return }
    learn(items, documents)
  }

  /// Visits the documents that have at least so many groups, one or all, window by window, and
  /// passes over those that cannot hold a better hit.
  ///
  /// In a window the bounds of the groups tell which of them suffice alone. Documents of these are
  /// merged, those of the others only joined (block-max MAXSCORE: Turtle and Flood 1995, Ding and
  /// Suel 2011). For all groups it is the rarest one that is merged.
  private mutating func evaluate(
    leastCount: Int, _ txn: borrowing ReadTransaction, _ bounds: Bounds, _ bonus: Bonus,
    _ accept: Accept
  ) throws(CairnError) {
    let requiresAll = leastCount == plan.groups.count
    byCount = plan.groups.indices.sorted {
      plan.groups[$0].documentCount < plan.groups[$1].documentCount
    }
    guard let rarest = byCount.first else { return }
    isPhraseCompared =
      requiresAll && byCount.count == 2 && pair(rarest, byCount[1])?.isPhrase == true
    let counts = Self.windowBlockCounts
    let alone = documentWorths == nil ? counts.alone : Self.boundedBlockCount
    let most = plan.groups.count == 1 ? alone : requiresAll ? counts.all : counts.any
    var blockCount = min(Self.firstBlockCount, most)
    var target: UInt32 = 1
    while target <= lastDocument, !isLost, !isRepetitive {
      try learnBounds(bounds)
      let reach =
        requiresAll
        ? try plan.groups[rarest].reach(target, blocks: blockCount, txn, tables)
        : try windowEnd(from: target, blocks: blockCount, txn)
      if requiresAll, reach == TermCursor.end { return }
      let end = min(reach, lastDocument)
      let known = hits.threshold
      mayTie = target <= hits.worstDocument
      enter(target...end)
      if try gather(target, end, requiresAll: requiresAll, txn) {
        if matched != nil {
          try collectCandidates(txn, accept)
        } else {
          for index in 0..<candidates.count where !isRepetitive {
            try consider(candidates[index], txn, bonus, accept)
          }
        }
      }
      // What is found raises the bounds of the next window; the sooner, the fewer are scored in
      // vain.
      if matched != nil {
        blockCount = most
      } else if !hits.isFull {
        blockCount = min(Self.firstBlockCount, most)
      } else if hits.threshold == known {
        blockCount = min(2 * blockCount, most)
      } else {
        blockCount = min(counts.any, most)
      }
      guard end < lastDocument else { return }
      target = try skipDead(from: end + 1, txn)
    }
  }

  /// The last document of so many blocks from a document on, of the list whose blocks end first.
  private mutating func windowEnd(
    from target: UInt32, blocks count: Int, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt32 {
    var end = TermCursor.end
    for group in plan.groups.indices {
      end = min(end, try plan.groups[group].reach(target, blocks: count, txn, tables))
    }
    return end
  }

  /// Gathers the documents of a window that may enter; false when there are none.
  private mutating func gather(
    _ start: UInt32, _ end: UInt32, requiresAll: Bool, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    candidates.removeAll()
    window = Window()
    for index in plan.groups.indices {
      let bound = try plan.groups[index].peak(from: start, through: end, txn, tables)
      if requiresAll, bound.score == 0 { return false }
      peaks[index] = bound.score
      places[index] = bound.place
      window.text += bound.score
    }
    let weakest = peaks.reduce(.infinity, min)
    // Documents with all groups were seen before: the others lack the weakest one at least.
    if leavesOutComplete { window.text = (window.text - weakest) * (1 + 1e-9) }
    window.isPartial = !requiresAll && (weakest == 0 || leavesOutComplete)
    let best = tierBound(first: places[0], least: places.reduce(3, min))
    guard window.text > 0, admits(tier: window.isPartial ? 0 : best, text: window.text) else {
      return false
    }
    let mergedCount = arrange(requiresAll: requiresAll)
    var rest = 0.0
    for index in order[mergedCount...] { rest += peaks[index] }
    for (place, index) in order.enumerated() {
      if place < mergedCount {
        let terms = joinTerms(index, rest: rest, requiresAll: requiresAll)
        let (least, bounded) = (least(index), bounded(index))
        try plan.groups[index].merge(
          into: &candidates, from: start, through: end, least: least, bounded, terms, txn, tables)
        continue
      }
      guard candidates.count > 0 else { return false }
      rest = max(0, rest - peaks[index])
      var terms = joinTerms(index, rest: rest, requiresAll: requiresAll)
      if requiresAll { terms.pair = pair(order[0], index) }
      try plan.groups[index].join(&candidates, terms, txn, tables)
      if terms.pair != nil { try compare(order[0], terms, txn) }
    }
    return candidates.count > 0
  }

  /// Puts the groups in the order in which they are taken in, and tells how many of them are
  /// merged: of all groups the rarest, else as many of the strongest as no document can do without.
  private mutating func arrange(requiresAll: Bool) -> Int {
    order.removeAll(keepingCapacity: true)
    if requiresAll {
      order.append(contentsOf: byCount)
      return 1
    }
    for index in peaks.indices where peaks[index] > 0 { order.append(index) }
    order.sort { peaks[$0] > peaks[$1] }
    var merged = order.count
    var weak = 0.0
    // A little more than the sum, whatever order it is taken in.
    while merged > 1, (weak + peaks[order[merged - 1]]) * (1 + 1e-9) < needed[0] {
      merged -= 1
      weak += peaks[order[merged]]
    }
    return merged
  }

  /// What taking a group in has to know.
  ///
  /// Changes nothing; `mutating` has it called in place, where else the run would be copied.
  private mutating func joinTerms(_ group: Int, rest: Double, requiresAll: Bool) -> JoinTerms {
    JoinTerms(
      group: group, rest: rest * (1 + 1e-9), isRequired: requiresAll, needed: neededByTier,
      worths: documentWorths, tiers: window.isPartial ? SIMD4() : tierCaps(group))
  }

  /// By place in a title, the units below which a posting of a group's only list cannot enter,
  /// whatever the other groups give.
  ///
  /// A posting that does not enter even so is passed over, also in documents that other groups
  /// bring in: their text is then less than it is, which did not suffice either.
  private mutating func least(_ group: Int) -> SIMD4<UInt32> {
    var least = SIMD4<UInt32>()
    guard hits.isFull, plan.groups[group].cursors.count == 1 else { return least }
    let others = others(of: group)
    // A cursor as a whole would be copied with all it holds.
    let weight = plan.groups[group].cursors[0].weight
    let tiers = tiers(group, others.best)
    for place in 0..<4 {
      let needed = needed[Int(tiers[place])]
      least[place] = ScoreFormula.units(
        reaching: needed - others.text - abs(needed) * 1e-9 - 1e-9, weight: weight,
        inverseFrequency: plan.groups[group].inverseFrequency)
    }
    return least
  }

  /// How a group's only list is held against the bonuses that documents may have; nil where these
  /// are not known, and while anything can enter.
  private mutating func bounded(_ group: Int) -> BoundedPostings? {
    guard let documentWorths, hits.isFull, plan.groups[group].cursors.count == 1 else { return nil }
    let others = others(of: group)
    let tiers = tiers(group, others.best)
    var needed = SIMD4<Double>()
    for place in 0..<4 { needed[place] = 1 + neededAlone[Int(tiers[place])] }
    let scale = ImpactScale(
      weight: plan.groups[group].cursors[0].weight, plan.groups[group].cursors[0].match,
      plan.groups[group].inverseFrequency)
    return BoundedPostings(documentWorths, scale, others: others.text, needed: needed)
  }

  /// What the other groups of a document give at most, and the best tier that they allow for.
  private mutating func others(of group: Int) -> (text: Double, best: UInt8) {
    var sum = 0.0
    var weakest = Double.infinity
    var place: UInt8 = 3
    for index in peaks.indices where index != group {
      sum += peaks[index]
      weakest = min(weakest, peaks[index])
      place = min(place, places[index])
    }
    if window.isPartial {
      // One of the others is missing at least.
      return (peaks.count > 1 ? (sum - weakest) * (1 + 1e-9) : 0, 0)
    }
    return (sum * (1 + 1e-9), peaks.count == 1 || place > 0 ? 4 : 1)
  }

  /// By place in a title, the best tier of a document that has a group's only list there.
  private mutating func tiers(_ group: Int, _ best: UInt8) -> SIMD4<UInt8> {
    let match = plan.groups[group].cursors[0].match
    let caps = tierCaps(group)
    var tiers = SIMD4<UInt8>()
    for place in 0..<4 {
      let limit = match == .whole ? 3 : 2
      tiers[place] = match == .typo ? 0 : min(caps[min(place, limit)], best)
    }
    return tiers
  }

  /// By place in a title, the best tier of a document that has the group there.
  private mutating func tierCaps(_ group: Int) -> SIMD4<UInt8> {
    var caps = SIMD4<UInt8>()
    for place in 0..<4 {
      caps[place] = tierBound(first: group == 0 ? UInt8(place) : 3, least: UInt8(place))
    }
    return caps
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
    throws(CairnError)
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
        if terms.shutsOut(entry, with: 0, tier: entry.tier) { continue }
      }
      candidates[kept] = entry
      kept += 1
    }
    candidates.keep(kept)
  }
}
