import LMDB
import Synchronization

/// Work that is done once, by whichever thread comes first; the others wait for what came of it.
final class AuditTask<Found: Sendable>: Sendable {
  private let audit: @Sendable () throws(StorageError) -> Found
  private let isTaken = Atomic<Bool>(false)
  private let isOver = Atomic<Bool>(false)
  private let outcome = Mutex<Result<Found, StorageError>?>(nil)

  /// Nothing begins before somebody asks.
  init(_ audit: @escaping @Sendable () throws(StorageError) -> Found) { self.audit = audit }

  /// Whether what came of it is there.
  var isDone: Bool { isOver.load(ordering: .acquiring) }

  /// Does it, unless somebody else does or did.
  func runIfFirst() {
    guard !isTaken.exchange(true, ordering: .relaxed) else { return }
    _ = result()
  }

  /// What came of it: does it, or waits for whoever does.
  func value() throws(StorageError) -> Found {
    isTaken.store(true, ordering: .relaxed)
    return try result().get()
  }

  private func result() -> Result<Found, StorageError> {
    // Held while it is done: this is what the others wait for.
    outcome.withLock { outcome in
      if let outcome { return outcome }
      let found = Result { () throws(StorageError) in try audit() }
      outcome = found
      isOver.store(true, ordering: .releasing)
      return found
    }
  }
}
