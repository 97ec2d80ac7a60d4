import Synchronization

/// How many feeds are open, and how many were dropped by clients or for them.
package final class FeedCount: Sendable {
  private struct State {
    var open = 0
    var dropped = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var open: Int { state.withLock { $0.open } }
  package var dropped: Int { state.withLock { $0.dropped } }

  /// Takes a place; false when all are taken.
  func enter() -> Bool {
    state.withLock { state in
      guard state.open < ServiceLimits.feedCount else { return false }
      state.open += 1
      return true
    }
  }

  func leave() { state.withLock { $0.open -= 1 } }

  func noteDrop() { state.withLock { $0.dropped += 1 } }
}
