package import LMDB
import Synchronization

extension EventLog {
  /// Overwrites what erased events left in the file; durable when it returns.
  ///
  /// Appends wait meanwhile, readers of the present go on. Call it once more when it was killed.
  /// - Parameter wait: How long to wait for the writer lock, and for readers of earlier commits.
  /// - Returns: Bytes outside of rows that are not zero afterwards, or nil when readers held on.
  /// - Throws: `.busy`, `.corrupt`, and what the disk says.
  /// - Complexity: O(bytes of the file).
  package func scrub(wait: Duration = .seconds(10)) throws(CairnError) -> Int? {
    try withWriterLock(wait: wait) { () throws(CairnError) in
      // This process's own page buffers hold what was erased, too.
      try environment.reopen()
      knownErasure.store(try lastErasure(), ordering: .relaxed)
      // The older meta page leads to the commit before the last: both are to be after the erasure.
      let key = EventLog.lastErasureKey
      for _ in 0..<2 {
        try environment.write { (txn) throws(CairnError) in
          // 0 where nothing was ever purged, which says the same as no row.
          let none = [UInt8](repeating: 0, count: MemoryLayout<UInt64>.size)
          let value = try txn.reader.get(tables.meta, key)?.array() ?? none
          try txn.put(tables.meta, key, value)
        }
      }
      return try environment.scrub(wait: wait)?.residueByteCount
    }
  }

  /// The sequence of the purge event that erased last, 0 when none ever did.
  /// - Throws: `.corrupt` for a damaged row.
  /// - Complexity: one row, about a microsecond.
  package func lastErasure() throws(CairnError) -> UInt64 {
    try environment.read { (txn) throws(CairnError) in try self.lastErasure(in: txn) }
  }

  private func lastErasure(in txn: borrowing ReadTransaction) throws(CairnError) -> UInt64 {
    guard let value = try txn.find(tables.meta, EventLog.lastErasureKey) else { return 0 }
    var reader = ByteReader(value)
    return try reader.readBigEndian64()
  }

  static func setLastErasure(_ purge: UInt64, _ tables: Tables, _ txn: inout WriteTransaction)
    throws(CairnError)
  {
    var value = ByteWriter()
    value.appendBigEndian(purge)
    try txn.put(tables.meta, lastErasureKey.rawSpan, value.bytes)
  }

  private static let lastErasureKey = Array("erasure".utf8)

  /// Lets go of buffers that hold what another process erased since this one opened the file.
  ///
  /// Under the writer lock, before anything is written: LMDB writes such buffers out in the gaps of
  /// new pages.
  func forgetErasedPages() throws(CairnError) {
    // A commit writes the file first and then tells readers. Who was killed in between leaves it to
    // the next transaction that writes: until then they would take the log to end before.
    let last = try environment.write { (txn) throws(CairnError) in
      try self.lastErasure(in: txn.reader)
    }
    guard last != knownErasure.load(ordering: .relaxed) else { return }
    try environment.reopen()
    knownErasure.store(last, ordering: .relaxed)
  }
}
