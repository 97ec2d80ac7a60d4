internal import LMDB

extension SearchRun {
  /// Visits the documents that all groups have, skipping windows that cannot hold a better hit.
  mutating func runAll(
    _ txn: borrowing ReadTransaction,
    _ bonus: Bonus,
    _ accept: Accept
  ) throws(StorageError) {
    let order = plan.groups.indices.sorted {
      plan.groups[$0].documentCount < plan.groups[$1].documentCount
    }
    guard let lead = order.first else { return }
    if plan.groups[lead].cursors.count == 1 {
      return try runLed(by: lead, order.dropFirst(), txn, bonus, accept)
    }
    var target: UInt32 = 1
    var window = Window()
    while target <= lastDocument {
      if hits.isFull {
        if target > window.end { window = try approach(target, txn) }
        if !admits(window) {
          guard window.end < lastDocument else { return }
          target = window.end + 1
          continue
        }
      }
      let candidate = try plan.groups[lead].seek(target, txn, tables)
      guard candidate <= lastDocument else { return }
      if hits.isFull, candidate > window.end {
        target = candidate
        continue
      }
      target = candidate
      var isCommon = true
      for index in order.dropFirst() {
        let found = try plan.groups[index].seek(candidate, txn, tables)
        if found != candidate {
          target = found
          isCommon = false
          break
        }
      }
      guard isCommon else { continue }
      try consider(candidate, txn, bonus, accept)
      target = candidate + 1
    }
  }

  /// What no document of a stretch exceeds.
  struct Window {
    var end: UInt32 = 0
    /// Sum of the groups' bounds.
    var text = Double.infinity
    /// The same for documents that have all groups in titles, and their tier; 0 when there are none.
    var titleText = Double.infinity
    var tier: UInt8 = 4
  }

  /// Whether a document of a window may enter.
  func admits(_ window: Window) -> Bool {
    if admits(tier: 1, text: window.text) { return true }
    return window.tier > 1 && admits(tier: window.tier, text: window.titleText)
  }

  /// The bounds of the blocks around a document, and where they end.
  private mutating func approach(
    _ target: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Window {
    var window = Window(end: TermCursor.end, text: 0, titleText: 0, tier: 0)
    var first: UInt8 = 0
    var least = UInt8.max
    for index in plan.groups.indices {
      let bound = try plan.groups[index].approach(target, txn, tables)
      window.end = min(window.end, bound.end)
      window.text += bound.score
      window.titleText += bound.titleScore
      if index == 0 { first = bound.place }
      least = min(least, bound.place)
    }
    window.tier = tierBound(first: first, least: least)
    // One word: its places tell the tiers apart, the text of the best one bounds them all.
    if plan.groups.count == 1, window.tier > 1 { window.titleText = window.text }
    return window
  }
}
