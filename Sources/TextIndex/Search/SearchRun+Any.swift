internal import LMDB

extension SearchRun {
  /// Blocks of the list with the closest ones that make a window.
  private static let windowBlockCount = 4

  /// Visits the documents that some group has, window by window.
  ///
  /// Inside a window the groups are split by their bounds: documents of the weak ones alone cannot
  /// enter, so only those of the strong ones are visited (MAXSCORE of Turtle and Flood, applied per
  /// window).
  mutating func runAny(_ txn: borrowing ReadTransaction, _ bonus: Bonus, _ accept: Accept)
    throws(StorageError)
  {
    if hits.isLimited, plan.groups.count > 1, plan.groups.allSatisfy({ !$0.cursors.isEmpty }) {
      // Documents with all words come first, and with enough of them few others can enter.
      let start = plan.groups
      try runAll(txn, bonus, accept)
      plan.groups = start
      leavesOutComplete = true
      completeHits = hits.documents
      let text = plan.groups.reduce(0) { $0 + $1.ceiling }
      guard admits(tier: 0, text: text) else { return }
    }
    var target: UInt32 = 1
    while target <= lastDocument {
      var end = lastDocument
      // Until there are hits enough every document of a window is taken.
      let blockCount = hits.isFull ? Self.windowBlockCount : 1
      for index in plan.groups.indices {
        end = min(end, try plan.groups[index].reach(target, blocks: blockCount, txn, tables))
      }
      if try gatherAny(target, end, txn) {
        for index in 0..<candidates.count { try consider(candidates[index], txn, bonus, accept) }
      }
      guard end < lastDocument else { return }
      target = try skipDead(from: end + 1, txn)
    }
  }

  /// Gathers the documents of a window that may enter; false when there are none.
  private mutating func gatherAny(_ start: UInt32, _ end: UInt32, _ txn: borrowing ReadTransaction)
    throws(StorageError) -> Bool
  {
    candidates.removeAll()
    var total = 0.0
    var place: UInt8 = 3
    var first: UInt8 = 0
    for index in plan.groups.indices {
      let bound = try plan.groups[index].peak(from: start, through: end, txn, tables)
      peaks[index] = bound.score
      total += bound.score
      place = min(place, bound.place)
      if index == 0 { first = bound.place }
    }
    let weakest = peaks.reduce(.infinity, min)
    // Documents with all groups were seen before: the others lack the weakest one at least.
    if leavesOutComplete { total = (total - weakest) * (1 + 1e-9) }
    let isPartial = weakest == 0 || leavesOutComplete
    let tier = isPartial ? 0 : tierBound(first: first, least: place)
    guard total > 0, admits(tier: tier, text: total) else { return false }
    order.removeAll(keepingCapacity: true)
    for index in peaks.indices where peaks[index] > 0 { order.append(index) }
    order.sort { peaks[$0] < peaks[$1] }
    var weak = 0
    var rest = 0.0
    // A little more than the sum, whatever order it is taken in.
    while weak < order.count - 1, (rest + peaks[order[weak]]) * (1 + 1e-9) < needed[0] {
      rest += peaks[order[weak]]
      weak += 1
    }
    let isShared = if isPartial { try gatherShared(start, end, txn) } else { false }
    if !isShared { try gatherAny(start, end, weak, rest, isPartial: isPartial, txn) }
    return candidates.count > 0
  }

  /// Gathers the documents of a window that two groups have, or one has enough of, by their bits;
  /// false where lists have none.
  private mutating func gatherShared(
    _ start: UInt32, _ end: UInt32, _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool {
    guard hits.isFull, end <= facts.state.mergedDocument,
      order.allSatisfy({
        plan.groups[$0].cursors.count == 1 && plan.groups[$0].cursors[0].bits != nil
      })
    else { return false }
    overlap.begin(from: start, through: end)
    for index in order {
      guard let bits = plan.groups[index].cursors[0].bits else { continue }
      overlap.add(bits)
      guard peaks[index] * (1 + 1e-9) >= needed[0] else { continue }
      let least = leastUnits(index, 0, best: 0)
      try plan.groups[index].cursors[0].visit(from: start, through: end, least: least, txn, tables)
      { document, _, _ in overlap.include(document) }
    }
    overlap.documents(into: &selected)
    for index in order {
      guard let bits = plan.groups[index].cursors[0].bits else { continue }
      let terms = JoinTerms(group: index, rest: 0, isRequired: false, tiers: SIMD4())
      candidates.beginMerge()
      plan.groups[index].cursors[0].merge(
        selected, bits, into: &candidates, terms, plan.groups[index].inverseFrequency)
      candidates.endMerge()
    }
    return true
  }

  /// Merges the strong groups of a window and joins the weak ones, which give at most so much.
  private mutating func gatherAny(
    _ start: UInt32, _ end: UInt32, _ weak: Int, _ weakText: Double, isPartial: Bool,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    var rest = weakText
    for place in (0..<order.count).reversed() {
      let index = order[place]
      if place < weak { rest = max(0, rest - peaks[index]) }
      let terms = JoinTerms(
        group: index, rest: rest * (1 + 1e-9), isRequired: false, needed: neededByTier,
        tiers: isPartial ? SIMD4() : tierCaps(index))
      if place < weak {
        try plan.groups[index].join(&candidates, terms, txn, tables)
        continue
      }
      var least = SIMD4<UInt32>()
      if hits.isFull, isPartial, plan.groups[index].cursors.count == 1 {
        least = leastUnits(index, textOfOthers(index), best: 0)
      }
      try plan.groups[index].merge(
        into: &candidates, from: start, through: end, least: least, terms, txn, tables)
    }
  }

  /// What the groups of a window besides one give a document at most that lacks one of them.
  ///
  /// A posting that does not enter even with so much is passed over, also in documents that other
  /// groups bring in: their text is then less than it is, which did not suffice either.
  private func textOfOthers(_ group: Int) -> Double {
    var sum = 0.0
    var least = Double.infinity
    for index in peaks.indices where index != group {
      sum += peaks[index]
      least = min(least, peaks[index])
    }
    return (sum - least) * (1 + 1e-9)
  }
}
