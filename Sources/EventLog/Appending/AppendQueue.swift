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

  /// Adds a request at the end, and tells whether the caller is to queue a drain for it.
  /// - Throws: `.busy` when the queue is full.
  func enqueueForDrain(_ request: AppendRequest) throws(CairnError) -> Bool {
    try state.withLock { (state) throws(CairnError) in
      guard state.waiting.count < LogLimits.queuedRequestCount else {
        throw CairnError(
          .busy,
          "\(LogLimits.queuedRequestCount) appends wait already; append larger batches, or later")
      }
      state.waiting.append(request)
      guard !state.isDrainQueued else { return false }
      state.isDrainQueued = true
      return true
    }
  }

  /// Whether the drain has to be queued once more, because requests came meanwhile.
  func continueDrain() -> Bool {
    state.withLock { state in
      if state.waiting.isEmpty { state.isDrainQueued = false }
      return state.isDrainQueued
    }
  }

  /// Takes the requests that the next transaction is to hold, first come first.
  ///
  /// At least one when any waits, further ones while they stay within the limits of a group.
  func takeGroup() -> [AppendRequest] {
    state.withLock { state in
      var count = 0
      var events = 0
      var bytes = 0
      while count < state.waiting.count {
        events += state.waiting[count].events.count
        bytes += state.waiting[count].byteCount
        if count > 0, events > LogLimits.groupEventCount || bytes > LogLimits.groupByteCount {
          break
        }
        count += 1
      }
      let group = Array(state.waiting.prefix(count))
      state.waiting.removeFirst(count)
      return group
    }
  }
}
