import CLMDB

extension Environment {
  /// Runs `body` on a consistent view of the file.
  ///
  /// Any number may run at once, also during a write. Keep it short: pages the view can see are
  /// not reused while it lives, so the file grows under a long one.
  /// - Complexity: the bookkeeping takes well under a microsecond; nothing is allocated.
  /// - Throws: what `body` throws; `.readersFull`; `.badArgument` after `close` or `fork`.
  ///   (`mdb_txn_renew`, `mdb_txn_reset`)
  package func read<R>(_ body: (borrowing ReadTransaction) throws(CairnError) -> R)
    throws(CairnError) -> R
  {
    let handle = try beginRead()
    defer { endRead(handle) }
    // A name of its own: the 6.3.1 optimiser crashes on a noncopyable temporary lent to a
    // generic body.
    let transaction = unsafe ReadTransaction(
      raw: handle.raw, environment: self, notesLookups: LongWork.isUnderWay)
    return try body(transaction)
  }

  private func beginRead() throws(CairnError) -> ReaderHandle {
    try checkProcess()
    while true {
      let idle = try readers.enter(takingReader: true)
      var raw = unsafe idle?.raw
      var status = unsafe start(&raw)
      if status == MDB_READERS_FULL {
        // Slots of dead processes are only found by looking.
        unsafe mdb_reader_check(self.raw, nil)
        status = unsafe start(&raw)
      }
      if status == 0, let raw = unsafe raw { return unsafe ReaderHandle(raw: raw) }
      if let raw = unsafe raw { unsafe mdb_txn_abort(raw) }
      _ = readers.leave(nil)
      guard status == MDB_MAP_RESIZED else { throw error(status, doing: "start a read") }
      try adoptMap()
    }
  }

  private func start(_ raw: inout OpaquePointer?) -> CInt {
    if let raw = unsafe raw { return unsafe mdb_txn_renew(raw) }
    return unsafe mdb_txn_begin(self.raw, nil, UInt32(MDB_RDONLY), &raw)
  }

  private func endRead(_ handle: ReaderHandle) {
    unsafe mdb_txn_reset(handle.raw)
    if let extra = readers.leave(handle) { unsafe mdb_txn_abort(extra.raw) }
  }
}
