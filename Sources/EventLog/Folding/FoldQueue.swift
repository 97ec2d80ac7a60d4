import Synchronization

/// Commits whose events are folded on another thread while the writer commits the next, or later.
///
/// Those whose appends wait are folded before the writer lock is given back, so that no other process
/// sees more of it than a log that is ahead of the projections, as after any commit. Those that were
/// answered before stay until there are enough of them, somebody asks, or nothing more comes.
final class FoldQueue: Sendable {
  private struct State {
    var waiting: [Committed] = []
    var isRunning = false

    /// Of what waits: events, and requests that are not answered.
    var eventCount = 0
    var requestCount = 0

    /// Whether it is time to fold: somebody waits, or there is enough for a fold.
    var isDue: Bool { requestCount > 0 || eventCount >= LogLimits.laterFoldEventCount }

    mutating func add(_ commit: Committed) {
      waiting.append(commit)
      eventCount += commit.events.count
      requestCount += commit.requests.count
    }

    mutating func take() -> Committed? {
      guard var first = waiting.first else { return nil }
      var count = 1
      while count < waiting.count, first.join(waiting[count]) { count += 1 }
      waiting.removeFirst(count)
      eventCount -= first.events.count
      requestCount -= first.requests.count
      return first
    }
  }

  private let state = Mutex(State())
  private let unanswered = Atomic<Int>(0)
  private let unfoldedEvents = Atomic<Int>(0)
  private let unfoldedBytes = Atomic<Int>(0)

  /// Requests that are committed and not yet answered.
  var requestCount: Int { unanswered.load(ordering: .sequentiallyConsistent) }

  /// Whether events whose appends were answered are not folded yet.
  var isBehind: Bool { unfoldedEvents.load(ordering: .sequentiallyConsistent) > 0 }

  /// Whether the other thread is folding.
  var isRunning: Bool { state.withLock { $0.isRunning } }

  /// Adds commits, and tells whether the caller is to start the folding.
  func add(_ commits: [Committed]) -> Bool {
    guard !commits.isEmpty else { return false }
    let count = commits.reduce(0) { $0 + $1.requests.count }
    unanswered.add(count, ordering: .sequentiallyConsistent)
    return state.withLock { state in
      for commit in commits { state.add(commit) }
      guard !state.isRunning, state.isDue else { return false }
      state.isRunning = true
      return true
    }
  }

  /// Adds a commit whose appends are about to be answered, and tells whether the caller is to start
  /// the folding.
  func addForLater(_ commit: Committed) -> Bool {
    var commit = commit
    commit.requests = []
    commit.answers = []
    commit.isForLater = true
    unfoldedEvents.add(commit.events.count, ordering: .sequentiallyConsistent)
    unfoldedBytes.add(commit.byteCount, ordering: .relaxed)
    return add([commit])
  }

  /// Whether a commit may wait beside what waits already.
  func hasRoom(for commit: Committed) -> Bool {
    let events = unfoldedEvents.load(ordering: .relaxed) + commit.events.count
    let bytes = unfoldedBytes.load(ordering: .relaxed) + commit.byteCount
    return events <= LogLimits.laterEventCount && bytes <= LogLimits.laterByteCount
  }

  /// What is to be folded next, or nil when nothing is due.
  func next() -> Committed? {
    state.withLock { state in
      guard state.isDue else {
        state.isRunning = false
        return nil
      }
      return state.take()
    }
  }

  /// What waits to be folded, due or not; for the writer while the other thread folds nothing.
  func nextForLater() -> Committed? { state.withLock { $0.take() } }

  /// Notes that a commit was folded and its requests, if it had any, were answered.
  func noteDone(_ commit: Committed) {
    unanswered.subtract(commit.requests.count, ordering: .sequentiallyConsistent)
    guard commit.isForLater else { return }
    unfoldedBytes.subtract(commit.byteCount, ordering: .relaxed)
    unfoldedEvents.subtract(commit.events.count, ordering: .sequentiallyConsistent)
  }
}
