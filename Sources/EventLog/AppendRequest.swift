import Events
import LMDB
import Synchronization

/// One append on its way through the queue.
final class AppendRequest: Sendable {
  typealias Answer = Result<AppendReceipt, StorageError>

  let events: [EncodedEvent]
  let byteCount: Int
  let expected: ExpectedSequence
  /// Until when the caller waits for the writer lock.
  let deadline: ContinuousClock.Instant
  private let continuation: CheckedContinuation<Answer, Never>?
  private let state = Mutex<Answer?>(nil)

  init(
    events: [EncodedEvent],
    expected: ExpectedSequence,
    wait: Duration,
    continuation: CheckedContinuation<Answer, Never>? = nil
  ) {
    self.events = events
    self.byteCount = events.reduce(0) { $0 + $1.payload.count }
    self.expected = expected
    self.deadline = .now + wait
    self.continuation = continuation
  }

  /// The answer once there is one.
  var answer: Answer? { state.withLock { $0 } }

  /// Gives the answer, once.
  func complete(_ answer: Answer) {
    let isFirst = state.withLock { state in
      guard state == nil else { return false }
      state = answer
      return true
    }
    precondition(isFirst, "an append is answered once")
    continuation?.resume(returning: answer)
  }
}
