import Synchronization

/// A group that is on disk and waits for its events to be folded, and then for its answers.
struct Committed: Sendable {
  /// The sequences appended, if any were.
  var appended: ClosedRange<UInt64>?
  /// The events, or none where the hook is to read them.
  var events: [StoredEvent]
  var requests: [AppendRequest]
  var answers: [AppendRequest.Answer]

  private var isAtHand: Bool { events.count == appended?.count ?? 0 }

  /// Answers the appends that are not in the commit: they wait for no fold, and those that were
  /// handed over after them have to know before they are committed.
  mutating func answerFailures() {
    for (request, answer) in zip(requests, answers) {
      if case .failure = answer { request.complete(answer) }
    }
    requests.removeAll { $0.answer != nil }
    answers.removeAll { if case .failure = $0 { true } else { false } }
  }

  /// Answers the appends of the commit.
  func answer() {
    for (request, answer) in zip(requests, answers) { request.complete(answer) }
  }

  /// Adds the next commit, when both are small enough to be folded as one.
  mutating func join(_ next: Committed) -> Bool {
    guard isAtHand, next.isAtHand,
      events.count + next.events.count <= LogLimits.joinedEventCount
    else { return false }
    if let range = next.appended {
      appended = (appended?.lowerBound ?? range.lowerBound)...range.upperBound
    }
    events += next.events
    requests += next.requests
    answers += next.answers
    return true
  }
}

/// Commits whose events are folded on another thread while the writer commits the next.
///
/// All of them are folded before the writer lock is given back, so that no other process sees
/// more of it than a log that is ahead of the projections, as after any commit.
final class FoldQueue: Sendable {
  private struct State {
    var waiting: [Committed] = []
    var isRunning = false
  }

  private let state = Mutex(State())
  private let unanswered = Atomic<Int>(0)

  /// Requests that are committed and not yet answered.
  var requestCount: Int { unanswered.load(ordering: .sequentiallyConsistent) }

  /// Adds commits, and tells whether the caller is to start the folding.
  func add(_ commits: [Committed]) -> Bool {
    guard !commits.isEmpty else { return false }
    let count = commits.reduce(0) { $0 + $1.requests.count }
    unanswered.add(count, ordering: .sequentiallyConsistent)
    return state.withLock { state in
      state.waiting += commits
      defer { state.isRunning = true }
      return !state.isRunning
    }
  }

  /// What is to be folded next, or nil when nothing waits.
  func next() -> Committed? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isRunning = false
        return nil
      }
      var first = state.waiting[0]
      var count = 1
      while count < state.waiting.count, first.join(state.waiting[count]) { count += 1 }
      state.waiting.removeFirst(count)
      return first
    }
  }

  /// Notes that requests were answered.
  func noteAnswered(_ count: Int) { unanswered.subtract(count, ordering: .sequentiallyConsistent) }
}
