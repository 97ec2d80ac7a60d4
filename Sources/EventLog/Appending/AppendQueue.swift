import LMDB
import Synchronization

/// Appends that wait for the writer, first come first served.
final class AppendQueue: Sendable {
  private struct State {
    var waiting: [AppendRequest] = []
    /// Whether a job that commits for asynchronous appends is with the writer thread.
    var isDrainQueued = false
  }

  private let state = Mutex(State())
  private let waitingCount = Atomic<Int>(0)

  /// How many requests wait.
  var count: Int { waitingCount.load(ordering: .relaxed) }

  /// Wakes the writer, where it waits for appends and for folds alike.
  let news = News()

  /// Adds a request at the end, and tells whether the caller is to queue a drain for it.
  ///
  /// - Throws: `.busy` when the queue is full.
  func enqueueForDrain(_ request: AppendRequest) throws(StorageError) -> Bool {
    let startsDrain = try state.withLock { (state) throws(StorageError) in
      guard state.waiting.count < LogLimits.queuedRequestCount else {
        throw StorageError(
          .busy,
          "\(LogLimits.queuedRequestCount) appends wait already; append larger batches, or later")
      }
      state.waiting.append(request)
      waitingCount.store(state.waiting.count, ordering: .relaxed)
      guard !state.isDrainQueued else { return false }
      state.isDrainQueued = true
      return true
    }
    news.tell()
    return startsDrain
  }

  /// Whether the drain has to be queued once more, because requests came meanwhile.
  func continueDrain() -> Bool {
    state.withLock { state in
      if state.waiting.isEmpty { state.isDrainQueued = false }
      return state.isDrainQueued
    }
  }

  /// Takes the requests that the next transaction is to hold.
  ///
  /// At least one when any waits, further ones while they stay within the limits of a group.
  ///
  /// - Parameters:
  ///   - folding: How many requests are committed and not yet answered.
  ///   - halves: Whether half of all that are under way are taken at most, so that one half is
  ///     folded while the other is committed.
  /// - Returns: The requests, first come first.
  func takeGroup(folding: Int = 0, halves: Bool = false) -> [AppendRequest] {
    state.withLock { state in
      let underWay = state.waiting.count + folding
      let limit = halves && underWay >= LogLimits.halvedRequestCount ? (underWay + 1) / 2 : underWay
      var count = 0
      var events = 0
      var bytes = 0
      while count < min(limit, state.waiting.count) {
        events += state.waiting[count].events.count
        bytes += state.waiting[count].byteCount
        if count > 0, events > LogLimits.groupEventCount || bytes > LogLimits.groupByteCount {
          break
        }
        count += 1
      }
      let group = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(count)
      waitingCount.store(state.waiting.count, ordering: .relaxed)
      return group
    }
  }
}
