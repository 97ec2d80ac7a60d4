import CLMDB

extension Environment {
  /// Runs `body` on a consistent view of the file.
  ///
  /// Any number may run at once, also during a write. Keep it short: pages the view can see are
  /// not reused while it lives, so the file grows under a long one.
  /// - Complexity: the bookkeeping takes well under a microsecond.
  /// - Throws: what `body` throws; `.readersFull`; `.badArgument` after `close` or `fork`.
  ///   (`mdb_txn_begin`, `mdb_txn_abort`)
  package func read<R>(_ body: (borrowing ReadTransaction) throws(CairnError) -> R)
    throws(CairnError) -> R
  {
    let raw = unsafe try beginRead()
    defer {
      unsafe mdb_txn_abort(raw)
      readers.leave()
    }
    // A name of its own: the 6.3.1 optimiser crashes on a noncopyable temporary lent to a
    // generic body.
    let transaction = unsafe ReadTransaction(
      raw: raw, environment: self, notesLookups: LongWork.isUnderWay,
      cancellation: Cancellation.current)
    return try body(transaction)
  }

  private func beginRead() throws(CairnError) -> OpaquePointer {
    try checkProcess()
    while true {
      try readers.enter()
      var begun: OpaquePointer?
      var status = unsafe mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &begun)
      if status == MDB_READERS_FULL {
        // Slots of dead processes are only found by looking.
        unsafe mdb_reader_check(raw, nil)
        status = unsafe mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &begun)
      }
      if status == 0, let begun = unsafe begun { return unsafe begun }
      readers.leave()
      guard status == MDB_MAP_RESIZED else { throw error(status, doing: "start a read") }
      try adoptMap()
    }
  }
}
