import CLMDB
import Glibc
import Synchronization

extension Environment {
  /// Runs `body` in the write transaction and commits; nothing is kept when it throws.
  ///
  /// Runs on the writer thread while the caller waits. `body` may run again from the start when
  /// the map had to grow, so it must not add to anything outside the transaction. Not re-entrant
  /// for one environment; a write inside a read of the same environment would wait for itself.
  /// - Throws: what `body` throws; `.diskFull` and `.io` from the commit; `.readOnly`.
  ///   (`mdb_txn_begin`, `mdb_txn_commit`)
  package func write<R>(_ body: (inout WriteTransaction) throws(CairnError) -> R)
    throws(CairnError) -> R
  {
    try asWriter { () throws(CairnError) -> R in
      while true {
        do throws(CairnError) { if let result = try attempt(body) { return result } } catch {
          // What the write failed with is what to say; the next one tries again where a read that
          // is held open keeps the file from being closed.
          try? recover()
          throw error
        }
        try growMap()
      }
    }
  }

  /// Opens the file anew where LMDB answers everything with MDB_PANIC, as it does once it could not
  /// write a meta page: all that was committed before is whole.
  private func recover() throws(CairnError) {
    guard writeState.withLock({ $0.isVoid }) else { return }
    try reopen()
    writeState.withLock { $0.isVoid = false }
  }

  /// Runs `body` on the writer thread, where this process may write.
  func asWriter<R>(_ body: () throws(CairnError) -> R) throws(CairnError) -> R {
    guard configuration.access == .readWrite else {
      throw CairnError(.readOnly, "the store was opened for reading only", place: fileName)
    }
    try checkProcess()
    return try writer.run(body)
  }

  /// Runs `body` once; nil when the map is too small for it.
  private func attempt<R>(_ body: (inout WriteTransaction) throws(CairnError) -> R)
    throws(CairnError) -> R?
  {
    let raw = try unsafe beginWrite()
    defer { endWrite() }
    var transaction = unsafe WriteTransaction(raw: raw, environment: self)
    let result: R
    do throws(CairnError) { result = try body(&transaction) } catch {
      unsafe mdb_txn_abort(raw)
      if transaction.needsRoom { return nil }
      throw error
    }
    // A body may have swallowed the error; its changes are void all the same.
    if transaction.needsRoom {
      unsafe mdb_txn_abort(raw)
      return nil
    }
    let status = unsafe mdb_txn_commit(raw)
    if status == MDB_MAP_FULL { return nil }
    guard status == 0 else {
      noteVoid()
      throw commitError(status)
    }
    checkReaders()
    return result
  }

  /// Notes whether a commit failed at its meta page, which no status tells; where all slots for
  /// readers are taken nobody knows, and to open the file anew is no harm.
  private func noteVoid() {
    var probe: OpaquePointer?
    let status = unsafe mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &probe)
    if let probe = unsafe probe { unsafe mdb_txn_abort(probe) }
    writeState.withLock { $0.isVoid = status != 0 }
  }

  private func commitError(_ status: CInt) -> CairnError {
    // A page written short, which only a full device does, is an input/output error to LMDB.
    error(status == EIO && isDeviceFull ? ENOSPC : status, doing: "commit")
  }

  private var isDeviceFull: Bool {
    var status = statvfs()
    // SAFETY: the call fills what it is lent and keeps nothing.
    guard unsafe fstatvfs(descriptor, &status) == 0 else { return false }
    return status.f_bavail * status.f_frsize < Limits.fullDeviceByteCount
  }

  func beginWrite() throws(CairnError) -> OpaquePointer {
    writeState.withLock { state in
      precondition(!state.isInWrite, "a write cannot start inside another of the same store")
      state.isInWrite = true
    }
    while true {
      do throws(CairnError) { try readers.enter() } catch {
        writeState.withLock { $0.isInWrite = false }
        throw error
      }
      var raw: OpaquePointer?
      let status = unsafe mdb_txn_begin(self.raw, nil, 0, &raw)
      if status == 0, let raw = unsafe raw {
        do throws(CairnError) { try checkFreeList() } catch {
          unsafe mdb_txn_abort(raw)
          endWrite()
          throw error
        }
        return unsafe raw
      }
      guard status == MDB_MAP_RESIZED else {
        endWrite()
        throw error(status, doing: "start a write")
      }
      readers.leave()
      do throws(CairnError) { try adoptMap() } catch {
        writeState.withLock { $0.isInWrite = false }
        throw error
      }
    }
  }

  /// Checks, before the first write, that no page which the file calls free is in use.
  ///
  /// LMDB would write over it; what it notes from then on it has in memory. What is not synced at
  /// every commit can be made anew.
  private func checkFreeList() throws(CairnError) {
    guard configuration.durability == .synchronous,
      !writeState.withLock({ $0.isFreeListChecked })
    else { return }
    // Nobody else can commit meanwhile.
    let meta = try MetaPage.newest(descriptor, place: fileName)
    try PageTree.checkFree(descriptor, meta, place: fileName)
    writeState.withLock { $0.isFreeListChecked = true }
  }

  func endWrite() {
    readers.leave()
    writeState.withLock { $0.isInWrite = false }
  }

  private func checkReaders() {
    let isDue = writeState.withLock { state in
      state.commitCount += 1
      return state.commitCount % Limits.commitsPerReaderCheck == 0
    }
    if isDue { unsafe mdb_reader_check(raw, nil) }
  }
}
