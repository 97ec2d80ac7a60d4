import Glibc
import Synchronization

/// Decides how long a commit waits for company.
///
/// Callers released by one commit come back within microseconds. A commit that starts with the
/// first of them leaves the others to the next, so that each needs two commits where one would do.
/// Waiting for about as many as last time costs a fraction of a commit and saves a whole one; a
/// lone caller never waits. While others are being folded, it waits until about half of all that are
/// under way are there: a smaller group would be answered no sooner, after those.
final class GroupPace: Sendable {
  private struct State {
    var requestCount = 0
    var duration = Duration.zero
  }

  private let state = Mutex(State())

  /// Waits for requests, for a quarter of the last group's time at most, or for all of it while
  /// others are being folded.
  func wait(for queue: AppendQueue, beside folds: FoldQueue) {
    let last = state.withLock { $0 }
    let short = min(last.duration / 4, Self.waitMax)
    let start = ContinuousClock.now
    let latest = start + min(last.duration, Self.waitMax * 4)
    var deadline = start + short
    while true {
      let waiting = queue.count
      let folding = folds.requestCount
      let wanted = max(last.requestCount, (waiting + folding) / 2)
      guard wanted > 1, waiting < wanted - wanted / 8 else { return }
      let now = ContinuousClock.now
      if folding > 0, now < latest { deadline = now + short } else if now >= deadline { return }
      usleep(20)
    }
  }

  /// Notes what the last group was like.
  func note(requestCount: Int, duration: Duration) {
    state.withLock { $0 = State(requestCount: requestCount, duration: duration) }
  }

  private static let waitMax = Duration.microseconds(500)
}
