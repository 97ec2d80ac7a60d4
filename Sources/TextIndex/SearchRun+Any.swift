internal import LMDB

extension SearchRun {
  /// Visits the documents that some group has, window by window.
  ///
  /// Inside a window the groups are split by their bounds: documents of the weak ones alone cannot
  /// enter, so only those of the strong ones are visited (MAXSCORE of Turtle and Flood, applied per
  /// block window).
  mutating func runAny(
    _ txn: borrowing ReadTransaction,
    _ bonus: Bonus,
    _ accept: Accept
  ) throws(StorageError) {
    var target: UInt32 = 1
    var bounds: [TermGroup.Bound] = []
    while target <= lastDocument {
      bounds.removeAll(keepingCapacity: true)
      var end = lastDocument
      for index in plan.groups.indices {
        let bound = try plan.groups[index].approach(target, normalization, txn, tables)
        bounds.append(bound)
        end = min(end, bound.end)
      }
      try visitWindow(target, through: end, bounds, txn, bonus, accept)
      guard end < lastDocument else { return }
      target = end + 1
    }
  }

  private mutating func visitWindow(
    _ start: UInt32,
    through end: UInt32,
    _ bounds: [TermGroup.Bound],
    _ txn: borrowing ReadTransaction,
    _ bonus: Bonus,
    _ accept: Accept
  ) throws(StorageError) {
    let total = bounds.reduce(0) { $0 + $1.score }
    let isAnyAbsent = bounds.contains { $0.score == 0 }
    let tier = isAnyAbsent ? 0 : tierBound { bounds[$0].place }
    let order = bounds.indices.filter { bounds[$0].score > 0 }
      .sorted { bounds[$0].score < bounds[$1].score }
    var weak = 0
    var target = start
    while target <= end {
      guard upperBound(tier: tier, text: total) > hits.threshold else { return }
      weak = weakCount(order, bounds, from: weak)
      var candidate = TermCursor.end
      for index in order[weak...] {
        candidate = min(candidate, try plan.groups[index].seek(target, txn, tables))
      }
      guard candidate <= end else { return }
      for index in order[..<weak] { _ = try plan.groups[index].seek(candidate, txn, tables) }
      try consider(candidate, txn, bonus, accept)
      target = candidate + 1
    }
  }

  /// How many of the groups, weakest first, cannot make a hit by themselves.
  private func weakCount(
    _ order: [Int],
    _ bounds: [TermGroup.Bound],
    from start: Int
  ) -> Int {
    guard hits.isFull else { return start }
    var count = start
    while count < order.count - 1 {
      // Summed in the order of the query, as the score itself is.
      var text = 0.0
      let members = Set(order[...count])
      for index in bounds.indices where members.contains(index) { text += bounds[index].score }
      guard upperBound(tier: 0, text: text) <= hits.threshold else { break }
      count += 1
    }
    return count
  }
}
