import LMDB
package import Values

extension EventLog {
  /// The last sequence recorded at or before a time; 0 when the first event came later.
  /// - Complexity: O(log n) rows, and one for each erased event on the way.
  package func sequence(atOrBefore time: Timestamp) throws(CairnError) -> UInt64 {
    try environment.read { (txn) throws(CairnError) in
      let head = try self.reader.head(in: txn)
      guard let last = head.recorded else { return 0 }
      guard time < last else { return head.size }
      // Events below `low` were recorded by then, those from `high` on were not.
      var low: UInt64 = 1
      var high = head.size
      while low < high {
        let middle = low + (high - low) / 2
        // An erased event has no time: it goes with the next live one.
        let live = try self.reader.firstLive(from: middle, through: high - 1, in: txn)
        if let live, live.recorded <= time { low = live.sequence + 1 } else { high = middle }
      }
      return low - 1
    }
  }
}

extension EventReader {
  /// The first live event of a range, and when it was recorded; `nil` when all are erased.
  /// - Complexity: one row, and one for each erased event before it.
  func firstLive(
    from first: UInt64, through last: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> (sequence: UInt64, recorded: Timestamp)? {
    var found: (sequence: UInt64, recorded: Timestamp)?
    try forEachFront(from: first, through: last, in: txn) { front in
      guard let live = front.live else { return true }
      found = (front.header.sequence, live.facts.recorded)
      return false
    }
    return found
  }
}
