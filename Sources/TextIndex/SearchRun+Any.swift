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
    if hits.isLimited, plan.groups.count > 1, plan.groups.allSatisfy({ !$0.cursors.isEmpty }) {
      // Documents with all words come first, and with enough of them few others can enter.
      let start = plan.groups
      try runAll(txn, bonus, accept)
      plan.groups = start
      leavesOutComplete = true
      let text = plan.groups.reduce(0) { $0 + $1.ceiling }
      guard admits(tier: 0, text: text) else { return }
    }
    var target: UInt32 = 1
    var bounds: [TermGroup.Bound] = []
    while target <= lastDocument {
      bounds.removeAll(keepingCapacity: true)
      var end = lastDocument
      for index in plan.groups.indices {
        let bound = try plan.groups[index].approach(target, txn, tables)
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
    var total = 0.0
    var least = UInt8.max
    var isAnyAbsent = false
    for bound in bounds {
      total += bound.score
      least = min(least, bound.place)
      if bound.score == 0 { isAnyAbsent = true }
    }
    let tier = isAnyAbsent ? 0 : tierBound(first: bounds[0].place, least: least)
    guard admits(tier: tier, text: total) else { return }
    var order = bounds.indices.filter { bounds[$0].score > 0 }
    order.sort { bounds[$0].score < bounds[$1].score }
    var weak = 0
    var weakText = 0.0
    var target = start
    while target <= end {
      // A little more than the sum, whatever order it is taken in.
      while weak < order.count - 1,
        (weakText + bounds[order[weak]].score) * (1 + 1e-9) < needed[0]
      {
        weakText += bounds[order[weak]].score
        weak += 1
      }
      var candidate = TermCursor.end
      for index in order[weak...] {
        candidate = min(candidate, try plan.groups[index].seek(target, txn, tables))
      }
      guard candidate <= end else { return }
      if try holds(candidate, order, weak, weakText, bounds, tier, txn) {
        try consider(candidate, txn, bonus, accept)
        guard admits(tier: tier, text: total) else { return }
      }
      target = candidate + 1
    }
  }

  /// Seeks the weak groups to a document as long as it may still enter.
  private mutating func holds(
    _ document: UInt32,
    _ order: [Int],
    _ weak: Int,
    _ weakText: Double,
    _ bounds: [TermGroup.Bound],
    _ tier: UInt8,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool {
    guard weak > 0 else { return true }
    var text = weakText
    for index in order[weak...] where plan.groups[index].document == document {
      text += plan.groups[index].evidence(document).score
    }
    for index in order[..<weak].reversed() {
      guard text * (1 + 1e-9) >= needed[Int(tier)] else { return false }
      text -= bounds[index].score
      if try plan.groups[index].seek(document, txn, tables) == document {
        text += plan.groups[index].evidence(document).score
      }
    }
    return text * (1 + 1e-9) + 1e-9 >= needed[Int(tier)]
  }
}
