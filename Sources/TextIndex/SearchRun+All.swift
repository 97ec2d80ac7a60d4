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
    var target: UInt32 = 1
    var window = (end: UInt32(0), bound: Double.infinity)
    while target <= lastDocument {
      if hits.isFull {
        if target > window.end { window = try windowBound(target, txn) }
        if window.bound <= hits.threshold {
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

  /// What no document of the blocks around the one given exceeds, and where they end.
  private mutating func windowBound(
    _ target: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> (end: UInt32, bound: Double) {
    var end = TermCursor.end
    var text = 0.0
    var places: [UInt8] = []
    for index in plan.groups.indices {
      let bound = try plan.groups[index].approach(target, normalization, txn, tables)
      end = min(end, bound.end)
      text += bound.score
      places.append(bound.place)
    }
    return (end, upperBound(tier: tierBound { places[$0] }, text: text))
  }
}
