import Glibc
import Synchronization

/// Decides how long a commit waits for company.
///
/// Callers released by one commit come back within microseconds. A commit that starts with the
/// first of them leaves the others to the next, so that each needs two commits where one would do.
/// Waiting for about as many as last time costs a fraction of a commit and saves a whole one; a
/// lone caller never waits.
final class GroupPace: Sendable {
  private struct State {
    var requestCount = 0
    var duration = Duration.zero
  }

  private let state = Mutex(State())

  /// Waits until about as many requests wait as the last group had, or a quarter of its time is over.
  func wait(for queue: AppendQueue) {
    let (wanted, limit) = state.withLock { state in
      (state.requestCount - state.requestCount / 8, min(state.duration / 4, GroupPace.waitMax))
    }
    guard wanted > 1, queue.count < wanted else { return }
    let deadline = ContinuousClock.now + limit
    while queue.count < wanted, ContinuousClock.now < deadline { usleep(20) }
  }

  /// Notes what the last group was like.
  func note(requestCount: Int, duration: Duration) {
    state.withLock { $0 = State(requestCount: requestCount, duration: duration) }
  }

  private static let waitMax = Duration.microseconds(500)
}
