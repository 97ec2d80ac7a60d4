package import Events
package import LMDB

extension EventLog {
  /// The last sequence recorded at or before a time; 0 when the first event came later.
  ///
  /// - Complexity: O(log n) rows, where erased events of the hour in question are stepped over.
  package func sequence(atOrBefore time: Timestamp) throws(StorageError) -> UInt64 {
    try environment.read { (txn) throws(StorageError) in
      let head = try self.reader.head(in: txn)
      guard let last = head.recorded else { return 0 }
      guard time < last else { return head.size }
      // Events below `low` were recorded by then, those from `high` on were not.
      var low: UInt64 = 1
      var high = head.size
      while low < high {
        let middle = low + (high - low) / 2
        if try self.reader.isRecorded(middle, by: time, in: txn) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low - 1
    }
  }
}

extension EventReader {
  /// Whether an event was recorded at or before a time.
  ///
  /// An erased event keeps only its hour; where that does not decide, the next live event does, so
  /// that the answer changes once along the log.
  func isRecorded(_ sequence: UInt64, by time: Timestamp, in txn: borrowing ReadTransaction)
    throws(StorageError) -> Bool
  {
    var cursor = try txn.cursor(tables.events)
    let last = try head(in: txn).size
    var next = sequence
    while next <= last {
      guard let part = try firstPart(&cursor, isSought: true, next) else {
        throw EventReader.gap(at: next)
      }
      if let recorded = part.front.recorded { return recorded <= time }
      if part.front.header.hour != time.hours { return part.front.header.hour < time.hours }
      next += 1
    }
    return false
  }
}
