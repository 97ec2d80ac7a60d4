import Events
import LMDB
import Synchronization

/// One append on its way through the queue.
final class AppendRequest: Sendable {
  typealias Answer = Result<AppendReceipt, CairnError>

  let events: [EncodedEvent]
  let byteCount: Int
  let expected: ExpectedSequence
  let knownIDs: KnownIDs
  /// Whether nothing of it is appended where an event is refused; see `AppendReceipt.checkWhole`.
  let isWhole: Bool
  /// Until when the caller waits for the writer lock.
  let deadline: ContinuousClock.Instant
  private let continuation: CheckedContinuation<Answer, Never>?
  private let isAnswered: Semaphore?
  private let state: Mutex<State>

  private struct State {
    var answer: Answer?
    /// Let go with the answer: a long import would keep all its events.
    var predecessor: AppendRequest?
  }

  init(
    events: [EncodedEvent], expected: ExpectedSequence, wait: Duration,
    knownIDs: KnownIDs = .compared, isWhole: Bool = false, predecessor: AppendRequest? = nil,
    continuation: CheckedContinuation<Answer, Never>? = nil
  ) {
    self.events = events
    self.byteCount = events.reduce(0) { $0 + $1.payload.count }
    self.expected = expected
    self.knownIDs = knownIDs
    self.isWhole = isWhole
    self.deadline = .now + wait
    state = Mutex(State(predecessor: predecessor))
    self.continuation = continuation
    isAnswered = continuation == nil ? Semaphore() : nil
  }

  /// The answer once there is one.
  var answer: Answer? { state.withLock { $0.answer } }

  /// Why this append is not to be: the one before it failed, answered or in the same group.
  func priorFailure(_ failures: [ObjectIdentifier: CairnError]) -> CairnError? {
    guard let predecessor = state.withLock({ $0.predecessor }) else { return nil }
    if case .failure(let error)? = predecessor.answer { return error }
    return failures[ObjectIdentifier(predecessor)]
  }

  /// Waits on the calling thread for the answer of a request without a continuation.
  func waitForAnswer() throws(CairnError) -> AppendReceipt {
    isAnswered?.wait()
    // There is one answer and may be more calls.
    isAnswered?.signal()
    guard let answer else { throw CairnError(.internal, "a committed append is not answered") }
    return try answer.get()
  }

  /// Gives the answer, once.
  func complete(_ answer: Answer) {
    let isFirst = state.withLock { state in
      guard state.answer == nil else { return false }
      state = State(answer: answer)
      return true
    }
    precondition(isFirst, "an append is answered once")
    continuation?.resume(returning: answer)
    isAnswered?.signal()
  }
}
