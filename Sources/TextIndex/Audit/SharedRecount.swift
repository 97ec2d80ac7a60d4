package import LMDB
internal import Synchronization

/// The longest part of a recount of the text index, its postings, in pieces for threads to share.
///
/// The thread that recounts offers them; others may help as long as they see the same state of
/// the file, which nobody writes to as a rule.
package final class SharedRecount: Sendable {
  /// What every thread needs.
  struct Work: Sendable {
    let documents: AuditedDocuments
    let terms: [AuditedTerm]
    let tables: IndexTables
    let snapshot: UInt64
    /// Where pieces begin and the last one ends, terms by number.
    let starts: [Int]
  }

  private struct State {
    var work: Work?
    var isOver = false
    var waitingCount = 0
    var helperCount = 0
    var documents: [[AuditedDocuments.Entry]] = []
    var longRunCount = 0
    var failure: StorageError?
  }

  private let state = Mutex(State())
  private let claimed = Atomic<Int>(0)
  private let offering = Semaphore()
  private let leaving = Semaphore()

  package init() {}

  /// Looks at pieces until there are none.
  ///
  /// - Parameters:
  ///   - environment: The file.
  ///   - waits: Whether to wait for them when they are not offered yet.
  ///   - goOn: Asked after each piece.
  /// - Throws: What beginning to read throws; damage goes to the thread that recounts.
  package func help(
    _ environment: Environment, waits: Bool = true, while goOn: () -> Bool = { true }
  ) throws(StorageError) {
    guard let work = work(waits: waits) else { return }
    defer {
      state.withLock { $0.helperCount -= 1 }
      leaving.signal()
    }
    try environment.read { (txn) throws(StorageError) in
      guard txn.snapshot == work.snapshot, claimed.load(ordering: .relaxed) + 1 < work.starts.count
      else { return }
      var audit = PostingAudit(work.tables, work.documents)
      look(at: work, &audit, txn, while: goOn)
    }
  }

  private func work(waits: Bool) -> Work? {
    while true {
      let (work, isOver) = state.withLock { state -> (Work?, Bool) in
        if state.isOver || !waits && state.work == nil { return (nil, true) }
        if state.work == nil { state.waitingCount += 1 } else { state.helperCount += 1 }
        return (state.work, false)
      }
      if work != nil || isOver { return work }
      offering.wait()
    }
  }

  /// Looks at the pieces with whoever helps, going on with what an audit found already.
  ///
  /// - Returns: The sums over tokens by document, one array for each thread, and how many long runs
  ///   of positions there were.
  /// - Throws: The first disagreement that a thread found.
  func run(_ work: Work, _ audit: consuming PostingAudit, _ txn: borrowing ReadTransaction)
    throws(StorageError) -> (documents: [[AuditedDocuments.Entry]], longRunCount: Int)
  {
    wakeWaiting { $0.work = work }
    look(at: work, &audit, txn)
    end()
    return try state.withLock { (state) throws(StorageError) in
      if let failure = state.failure { throw failure }
      return (state.documents, state.longRunCount)
    }
  }

  /// Lets nobody begin to help any more, and waits for those who do.
  package func end() {
    wakeWaiting { $0.isOver = true }
    while state.withLock({ $0.helperCount }) > 0 { leaving.wait() }
  }

  private func wakeWaiting(_ change: (inout State) -> Void) {
    let count = state.withLock { state in
      change(&state)
      defer { state.waitingCount = 0 }
      return state.waitingCount
    }
    for _ in 0..<count { offering.signal() }
  }

  private func look(
    at work: Work, _ audit: inout PostingAudit, _ txn: borrowing ReadTransaction,
    while goOn: () -> Bool = { true }
  ) {
    do throws(StorageError) {
      while goOn() {
        let piece = claimed.wrappingAdd(1, ordering: .relaxed).oldValue
        guard piece + 1 < work.starts.count else { break }
        try audit.look(at: work.starts[piece]..<work.starts[piece + 1], of: work.terms, txn)
      }
    } catch {
      claimed.store(work.starts.count, ordering: .relaxed)
      state.withLock { if $0.failure == nil { $0.failure = error } }
      return
    }
    state.withLock {
      $0.documents.append(audit.documents)
      $0.longRunCount += audit.longRunCount
    }
  }
}
