import Synchronization

/// How many feeds are open, and how many were dropped by clients or for them.
package final class FeedCount: Sendable {
  private struct State {
    var open: [ObjectIdentifier: AnswerStream] = [:]
    var dropped = 0
  }

  private let state = Mutex(State())

  package init() {}

  package var open: Int { state.withLock { $0.open.count } }
  package var dropped: Int { state.withLock { $0.dropped } }

  /// Takes a place; false when all are taken.
  func enter(_ stream: AnswerStream) -> Bool {
    state.withLock { state in
      guard state.open.count < ServiceLimits.feedCount else { return false }
      state.open[ObjectIdentifier(stream)] = stream
      return true
    }
  }

  func leave(_ stream: AnswerStream) { state.withLock { $0.open[ObjectIdentifier(stream)] = nil } }

  /// Closes the connections of all, so that nobody waits any more for a client that does not read.
  package func closeAll() {
    for stream in state.withLock({ Array($0.open.values) }) { stream.abort() }
  }

  func noteDrop() { state.withLock { $0.dropped += 1 } }
}
