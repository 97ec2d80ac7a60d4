import EventLog
import LMDB
import Projections
import Synchronization

/// Keeping the projections with the log.
extension Store {
  /// Folds what was committed; runs on the writer thread, under the writer lock.
  ///
  /// The events are in the log and acknowledged whatever happens here: what could not be folded
  /// now is folded with the next append, or when the store is next opened.
  func project(_ range: ClosedRange<UInt64>, _ events: [StoredEvent]) {
    appendedCount.add(UInt64(range.count), ordering: .relaxed)
    noteFold { () throws(StorageError) in
      if try !foldUncommitted(range, events) {
        try catchUp(through: range.upperBound, with: events)
      }
    }
  }

  /// Folds a few events without a commit of their own; false where each fold is to be committed.
  private func foldUncommitted(_ range: ClosedRange<UInt64>, _ events: [StoredEvent])
    throws(StorageError) -> Bool
  {
    guard range.count <= Limits.uncommittedChangeCountMax, let keeper = log.keeper,
      let generation = serving.withLock({ $0 })
    else { return false }
    if !generation.environment.isUncommitted {
      guard try servingNumber() == generation.number,
        try files.trust(in: generation.number) == .dirty
      else { return false }
    }
    do throws(StorageError) {
      try generation.advanceUncommitted(log, through: range.upperBound, with: events, on: keeper) {
        [weak self, log] failure in
        log.giveLockBack()
        if failure != nil { self?.foldLost() }
      }
      // Others then wait for the lock as long as they like, and not for LMDB's own without an end.
      if generation.environment.isUncommitted { log.keepLock() }
      return true
    } catch {
      // What was open is undone; all of it is folded once more, with a commit.
      return false
    }
  }

  /// Folds again what was folded and could not be committed.
  private func foldLost() {
    noteFold { () throws(StorageError) in
      try log.withWriterLock(wait: patience) { () throws(StorageError) in
        try self.catchUp(through: try self.log.head().sequence)
      }
    }
  }

  private func noteFold(_ fold: () throws(StorageError) -> Void) {
    var failure: StorageError?
    do throws(StorageError) { try fold() } catch { failure = error }
    foldFailure.withLock { $0 = failure }
  }

  /// Commits what was folded without a commit.
  func commitFolds() { serving.withLock { $0 }?.environment.commitUncommitted() }

  /// Why searches, items and ranks do not know the newest events yet, or nil while they do.
  ///
  /// An append whose events are in the log succeeds whatever becomes of the projections. What they
  /// could not take, for want of room say, they take with the next append or when the store is next
  /// opened; ``Moment/statistics()`` tells how far behind they are. Until then queries are answered as
  /// of the last event they took, or fail with this where they took none.
  /// - Complexity: the commit of what was folded since the last one, some hundred microseconds.
  public var projectionFailure: CairnError? {
    commitFolds()
    return foldFailure.withLock { $0 }.map { CairnError($0) }
  }

  /// Refuses to tell which events there are while projections have no room for the newest ones.
  ///
  /// An answer would leave them out. While another process writes them, it is one as of just before.
  func requireFolded() throws(CairnError) {
    if let failure = projectionFailure, failure.code != .busy { throw failure }
  }

  /// Brings the serving generation to a sequence, making one if need be.
  ///
  /// Under the writer lock. The last events are given where they are at hand.
  func catchUp(through target: UInt64, with events: [StoredEvent] = []) throws(StorageError) {
    let number = try servingNumber()
    let trust = try number.map { (number) throws(StorageError) in try files.trust(in: number) }
    guard let number, trust != .lost else {
      let next = (try files.all().last ?? 0) + 1
      try files.markDirty(next)
      let fresh = try Generation(next, files: files, writer: folder, create: true)
      try fresh.advance(log, through: target, with: events)
      try files.setCurrent(next)
      try removeGenerations(before: next)
      serving.withLock { $0 = fresh }
      return
    }
    if trust == .flushed { try files.markDirty(number) }
    try servingGeneration()?.advance(log, through: target, with: events)
  }
}
