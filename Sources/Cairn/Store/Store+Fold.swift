import Catalog
import EventLog
import LMDB
import Projections
import Synchronization

/// Keeping the projections with the log.
extension Store {
  /// Folds what was committed; runs on the writer thread, under the writer lock.
  ///
  /// The events are in the log whatever happens here: what could not be folded now is folded with
  /// the next append, or when the store is next opened for writing.
  /// - Returns: Why it could not be folded.
  func project(_ range: ClosedRange<UInt64>, _ events: [StoredEvent]) -> CairnError? {
    appendedCount.add(UInt64(range.count), ordering: .relaxed)
    var failure: CairnError?
    do throws(CairnError) { try catchUp(through: range.upperBound, with: events) } catch {
      failure = error
    }
    foldFailure.withLock { $0 = failure }
    if range.count >= Self.largeCommitCount {
      log.releaseMemory()
      serving.withLock { $0 }?.environment.releaseMemory()
    }
    return failure
  }

  /// Events of a commit from which on the files' pages are given back after it, so that a long
  /// import takes no more memory the longer it goes on.
  private static let largeCommitCount = 8_192

  /// Why searches, items and ranks do not know the newest events yet, or are still those of another
  /// version; nil while all is well.
  ///
  /// An append whose events are in the log succeeds whatever becomes of the projections, and its
  /// result says so. What they could not take, for want of room say, they take with the next append
  /// or when the store is next opened; ``Moment/statistics()`` tells how far behind they are. Until
  /// then queries are answered as of the last event they took, or fail with this where they took
  /// none.
  /// - Complexity: O(1).
  public var projectionFailure: CairnError? {
    foldFailure.withLock { $0 } ?? upgradeFailure.withLock { $0 }
  }

  /// Refuses to tell which events there are while projections have no room for the newest ones.
  ///
  /// An answer would leave them out.
  func requireFolded() throws(CairnError) { if let failure = lackOfRoom { throw failure } }

  /// Refuses a point that the log has and the projections do not, since they have no room for it.
  ///
  /// An answer would be that of an earlier point.
  func requireFolded(through sequence: UInt64, of applied: UInt64) throws(CairnError) {
    guard sequence > applied, let failure = lackOfRoom else { return }
    guard sequence <= (try log.head().sequence) else { return }
    throw Self.lack("events up to that point", failure)
  }

  private static func lack(_ events: String, _ failure: CairnError) -> CairnError {
    CairnError(failure.code, "\(events) are in the log, but not yet in projections: \(failure)")
  }

  /// Why the projections could not follow the log.
  ///
  /// While another process writes, they are as of just before, which is no reason to say so.
  private var lackOfRoom: CairnError? {
    foldFailure.withLock { $0 }.flatMap { $0.code == .busy ? nil : $0 }
  }

  /// The events that are acknowledged and that the projections could not take; nil while there are
  /// none.
  func unfolded() throws(CairnError) -> ClosedRange<UInt64>? {
    guard lackOfRoom != nil else { return nil }
    let (applied, head) = (try visibleHead(), try log.head().sequence)
    return applied < head ? applied + 1...head : nil
  }

  /// The last event that is acknowledged: the log's own, where the projections could not follow it.
  /// - Throws: `corrupt`, `io`.
  /// - Note: Blocks the calling thread.
  package func acknowledgedHead() throws(CairnError) -> UInt64 {
    try lackOfRoom == nil ? visibleHead() : log.head().sequence
  }

  /// Refuses to call an item unknown that only the newest events tell of.
  func requireNoneUnfolded(about item: String, through sequence: UInt64) throws(CairnError) {
    guard let failure = lackOfRoom, let range = try unfolded(), sequence + 1 == range.lowerBound
    else { return }
    var query = EventQuery()
    (query.item, query.from, query.through) = (item, range.lowerBound, range.upperBound)
    var isFound = false
    try forEachUnfolded(query, in: range) { _ in
      isFound = true
      return false
    }
    guard isFound else { return }
    throw Self.lack("events about it", failure)
  }

  /// Folds what the projections could not take before; under the writer lock.
  /// - Returns: Whether there was something.
  func foldRest() throws(CairnError) -> Bool {
    let head = try log.head().sequence
    guard try visibleHead() < head else { return false }
    try catchUp(through: head)
    foldFailure.withLock { $0 = nil }
    return true
  }

  /// Brings the serving generation to a sequence; where there is none that can be relied on, folds
  /// the whole log.
  ///
  /// Under the writer lock. The last events are given where they are at hand.
  func catchUp(through target: UInt64, with events: [StoredEvent] = []) throws(CairnError) {
    let number = try servingNumber()
    let trust = try number.map { (number) throws(CairnError) in try files.trust(in: number) }
    guard let number, trust != .lost else { return try foldAnew(through: target) }
    if trust == .flushed { try files.markDirty(number) }
    try generation()?.advance(log, through: target, with: events)
  }

  /// Builds the generation that serves from here on, without gaps where it is large; under the
  /// writer lock.
  func foldAnew(through target: UInt64, compactedFrom least: Int = Store.worthwhileByteCount)
    throws(CairnError)
  {
    let (left, current) = (try files.all(), try files.current())
    // Numbers only rise, so that nobody takes new files for old ones that are still open: the last
    // stays until there is a next one, also where this fails.
    var number = (left.last ?? 0) + 1
    // Such as what was killed at this has left: nobody is served by any of them.
    for old in left.dropLast() where old != current { try files.remove(old) }
    // The lock of a file that was deleted is that of whoever has it open still.
    for next in [number, number + 1] { try files.remove(next) }
    try files.markDirty(number)
    do throws(CairnError) {
      // Rows are written beside the thread that gathers them, which is the store's writer.
      let fresh = try Generation(
        number, files: files, writer: WriterThread(name: "cairn-rebuild"), create: true)
      defer { fresh.environment.close() }
      if target > 0 {
        _ = try fresh.build(
          log, through: target, files: files, memory: Generation.BuildMemory(Self.rebuildMemory))
      }
      if fresh.environment.byteCount >= least, try hasCompacted(fresh) { number += 1 }
    } catch {
      // Why it ended is what the caller has to hear of.
      try? files.remove(number)
      throw error
    }
    serving.withLock { $0 = nil }
    try files.setCurrent(number)
    try removeGenerations(before: number)
  }

  /// Copies what was built into the next number; false where there is no room for that.
  private func hasCompacted(_ built: Generation) throws(CairnError) -> Bool {
    do throws(CairnError) {
      guard let copy = try candidate(built.number + 1, copying: built) else { return false }
      copy.environment.close()
    } catch  where error.code == .diskFull { return false }
    try files.unmarkCandidate(built.number + 1)
    return true
  }

  /// Whether an item is there as of the last event that the projections took.
  func isPresent(_ item: [UInt8]) throws(CairnError) -> Bool {
    guard let generation = try generation() else { return false }
    let catalog = generation.catalog
    return try generation.environment.read { (txn) throws(CairnError) in
      guard let ordinal = try catalog.ordinal(of: item, in: txn),
        let state = try catalog.state(of: ordinal, asOf: .max, in: txn)?.state
      else { return false }
      return state.isPresent || state.isPart
    }
  }
}
