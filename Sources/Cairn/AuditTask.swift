import LMDB
import Synchronization

/// An audit of projections on a thread of its own.
struct AuditTask<Found: Sendable> {
  private let worker = WriterThread(name: "verify-digest")
  // Not this value itself: the thread must never be the one to let go of the worker last.
  private let outcome = Outcome()

  private final class Outcome: Sendable {
    let result = Mutex<Result<Found, StorageError>?>(nil)
  }

  /// Begins.
  init(_ audit: @escaping @Sendable () throws(StorageError) -> Found) {
    worker.submit { [outcome] in
      do throws(StorageError) {
        let found = try audit()
        outcome.result.withLock { $0 = .success(found) }
      } catch {
        outcome.result.withLock { $0 = .failure(error) }
      }
    }
  }

  /// What was found, as soon as it is there.
  func value() throws(StorageError) -> Found {
    // Queued behind the work, so that it ends after it.
    try worker.run { () throws(StorageError) in }
    guard let result = outcome.result.withLock({ $0 }) else {
      throw StorageError(.internal, "an audit did not run")
    }
    return try result.get()
  }
}
