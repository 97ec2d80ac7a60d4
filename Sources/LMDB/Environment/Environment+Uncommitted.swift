import CLMDB

/// Changes that are committed some at a time.
///
/// Each commit writes every page its changes touched and those above them, a dozen for a change of one
/// row in each of a few tables. Changes that follow one another share most of these pages. For files
/// whose changes can be made again from elsewhere: what is not committed is lost with the process.
extension Environment {
  /// Runs `body` in a write transaction that stays open, for more changes and for questions.
  ///
  /// To be called on the keeper's thread, on which the transaction is committed: before any other
  /// use of this environment by this process, as soon as anybody else wants to write on the same
  /// writer thread, after `Limits.uncommittedChangeCountMax` changes or a tenth of a second, and when
  /// the keeper had nothing to do for half of that. Where it cannot stay open, or questions come from several threads at once, it
  /// is committed when `body` returns. Other processes that want to write wait for the commit.
  ///
  /// - Parameters:
  ///   - keeper: The thread of the caller.
  ///   - changeCount: How many changes the body makes.
  ///   - onEnd: Called on the keeper's thread when the transaction has ended, with the error when it could
  ///     not be committed: the file is then as after the last one that could.
  ///   - body: May run again from the start when the map had to grow.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws; everything since the last commit is undone then, and what `write`
  ///   throws.
  package func writeUncommitted<R>(
    on keeper: WriterThread, changeCount: Int, onEnd: @escaping @Sendable (StorageError?) -> Void,
    _ body: (inout WriteTransaction) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    precondition(keeper.isCurrent, "an open transaction belongs to its keeper's thread")
    guard configuration.access == .readWrite, try beginUncommitted(on: keeper, onEnd) else {
      return try write(body)
    }
    guard let raw = unsafe open.enter() else { return try write(body) }
    let result: R
    do throws(StorageError) { result = try unsafe change(raw, body) } catch {
      unsafe mdb_txn_abort(raw)
      endUncommitted(nil)
      throw error
    }
    open.noteChanges(changeCount)
    let isDue = open.isDue || open.isCrowded
    open.leave()
    if open.keeper == nil {
      // Until here others read what is committed, which is all that anybody was told of.
      open.setKeeper(keeper)
      keeper.submitWhenIdle(after: Limits.uncommittedPause) { [self] in commitOnKeeper() }
    }
    if isDue { commitOnKeeper() }
    return result
  }

  private func change<R>(
    _ raw: OpaquePointer, _ body: (inout WriteTransaction) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    ThreadDepth.current += 1
    defer { ThreadDepth.current -= 1 }
    var transaction = unsafe WriteTransaction(raw: raw, environment: self)
    let result = try body(&transaction)
    // A body may have swallowed the error; its changes are void all the same.
    if transaction.needsRoom { throw error(MDB_MAP_FULL, doing: "store a row") }
    return result
  }

  /// Runs `body` on the changes made so far, committed or not.
  ///
  /// While a transaction is open, the body looks into it and holds up changes and commits: keep it short.
  /// See ``read(_:)``.
  package func readUncommitted<R>(_ body: (borrowing ReadTransaction) throws(StorageError) -> R)
    throws(StorageError) -> R
  {
    try checkProcess()
    guard let keeper = open.keeper, !open.isMine, open.beginQuestion() else {
      return try read(body)
    }
    let start = ContinuousClock.now
    defer { open.endQuestion(after: start.duration(to: .now)) }
    guard let raw = unsafe open.enter() else { return try read(body) }
    ThreadDepth.current += 1
    defer {
      ThreadDepth.current -= 1
      let isDue = open.isDue
      open.leave()
      if isDue { keeper.submit { [self] in commitOnKeeper() } }
    }
    let transaction = unsafe ReadTransaction(raw: raw, environment: self)
    return try body(transaction)
  }

  /// Whether changes wait to be committed.
  package var isUncommitted: Bool { open.keeper != nil }

  /// Commits the changes that wait for it, if any do.
  ///
  /// Waits for what the keeper is doing. Within one of the changes or questions it does nothing.
  package func commitUncommitted() {
    guard let keeper = open.keeper, isOwnProcess, !open.isMine else { return }
    // Nothing throws in there.
    try? keeper.run { () throws(StorageError) in commitOnKeeper() }
  }

  /// Opens the transaction unless it is open; false when others need the writer's turn.
  private func beginUncommitted(
    on keeper: WriterThread, _ onEnd: @escaping @Sendable (StorageError?) -> Void
  ) throws(StorageError) -> Bool {
    try checkProcess()
    if open.keeper === keeper { return !open.isMine }
    guard open.keeper == nil, !open.isCrowded, writer !== keeper else { return false }
    let isKept = writer.keepTurn { [self] in
      if keeper.isCurrent { commitOnKeeper() } else { keeper.submit { [self] in commitOnKeeper() } }
    }
    guard isKept else { return false }
    do throws(StorageError) {
      let raw = try unsafe beginWrite()
      unsafe open.begin(raw, onEnd: onEnd)
    } catch {
      writer.giveTurnBack()
      throw error
    }
    // Between changes the thread is in no transaction as far as others are concerned.
    ThreadDepth.current -= 1
    return true
  }

  private func commitOnKeeper() {
    // A change asks only after its end.
    guard !open.isMine, let raw = unsafe open.enter() else { return }
    let status = unsafe mdb_txn_commit(raw)
    endUncommitted(status == 0 ? nil : commitError(status))
  }

  /// Ends what the caller entered, and is neither to be committed nor aborted any more.
  private func endUncommitted(_ failure: StorageError?) {
    open.setKeeper(nil)
    let onEnd = open.end()
    checkReaders()
    ThreadDepth.current += 1
    endWrite()
    writer.giveTurnBack()
    onEnd?(failure)
  }
}
