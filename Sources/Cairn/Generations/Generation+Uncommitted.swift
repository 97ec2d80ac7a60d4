import EventLog
import LMDB
import Projections
import Synchronization
import TextIndex

/// Folding a few events without a commit of their own.
extension Generation {
  /// Folds what it lacks of a few events into a transaction that stays open.
  ///
  /// On the log's writer thread. What is open is lost with the process and folded again by the next
  /// that opens the store, like all that was answered before it was folded.
  /// - Parameters:
  ///   - log: The log.
  ///   - target: The last event.
  ///   - recent: The last events up to the target.
  ///   - keeper: The log's writer thread.
  ///   - onEnd: Called when the transaction ends, with the error when what was folded is lost.
  /// - Throws: What a fold throws; all that was folded since the last commit is undone then.
  func advanceUncommitted(
    _ log: EventLog, through target: UInt64, with recent: [StoredEvent], on keeper: WriterThread,
    onEnd: @escaping @Sendable (StorageError?) -> Void
  ) throws(StorageError) {
    defer { unsafe foldContext.endAhead() }
    let source = EventSource(log: log, target: target, recent: recent)
    let (applied, isMergeDue) = try environment.writeUncommitted(
      on: keeper, changeCount: max(recent.count, 1), onEnd: onEnd
    ) { (txn) throws(StorageError) in
      var upcoming: EventBatch?
      let folded = try self.foldBatch(source, &upcoming, in: &txn)
      uncommittedHead.store(folded.applied, ordering: .releasing)
      guard folded.hasText else { return (folded.applied, false) }
      let isDue = try unsafe self.text.isMergeDue(in: txn.reader, context: self.foldContext)
      return (folded.applied, isDue)
    }
    guard applied >= target else { return try advance(log, through: target, with: recent) }
    if isMergeDue { try mergeText() }
  }

  /// The last event folded, committed or not.
  ///
  /// - Complexity: O(1).
  func head() throws(StorageError) -> UInt64 {
    if environment.isUncommitted { return uncommittedHead.load(ordering: .acquiring) }
    return try checkpoint().applied
  }
}
