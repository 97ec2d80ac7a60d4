import LMDB
import Projections
import Synchronization

/// The digests of one projection, found on a thread of their own.
struct DigestTask {
  private let worker = WriterThread(name: "verify-digest")
  // Not this value itself: the thread must never be the one to let go of the worker last.
  private let outcome = Outcome()

  private final class Outcome: Sendable {
    let result = Mutex<Result<(stored: RowDigest, found: RowDigest), StorageError>?>(nil)
  }

  /// Begins.
  init(of part: Checkpoint.Part, in generation: Generation) {
    worker.submit { [outcome] in
      do throws(StorageError) {
        let digests = try generation.digests(of: part)
        outcome.result.withLock { $0 = .success(digests) }
      } catch {
        outcome.result.withLock { $0 = .failure(error) }
      }
    }
  }

  /// The digests, as soon as they are there.
  func value() throws(StorageError) -> (stored: RowDigest, found: RowDigest) {
    // Queued behind the work, so that it ends after it.
    try worker.run { () throws(StorageError) in }
    guard let result = outcome.result.withLock({ $0 }) else {
      throw StorageError(.internal, "a digest was not looked for")
    }
    return try result.get()
  }
}
