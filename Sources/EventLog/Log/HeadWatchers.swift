import Synchronization

/// Who in this process wants to know of new heads.
final class HeadWatchers: Sendable {
  typealias Watcher = AsyncStream<EventLog.Head>.Continuation

  private struct State {
    var watchers: [UInt64: Watcher] = [:]
    var nextToken: UInt64 = 0
    var isPolling = false
  }

  private let state = Mutex(State())

  /// Adds a watcher.
  /// - Returns: Its token, and whether the caller is to start polling for other processes' commits.
  func add(_ watcher: Watcher) -> (token: UInt64, startsPolling: Bool) {
    state.withLock { state in
      state.nextToken += 1
      state.watchers[state.nextToken] = watcher
      defer { state.isPolling = true }
      return (state.nextToken, !state.isPolling)
    }
  }

  func remove(_ token: UInt64) { state.withLock { _ = $0.watchers.removeValue(forKey: token) } }

  var isEmpty: Bool { state.withLock { $0.watchers.isEmpty } }

  func notify(_ head: EventLog.Head) {
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { watcher.yield(head) }
  }

  /// Tells all watchers that no head will come.
  func end() {
    let watchers = state.withLock { Array($0.watchers.values) }
    for watcher in watchers { watcher.finish() }
  }

  /// Whether polling is still wanted; when not, the next watcher starts it again.
  func continuePolling() -> Bool {
    state.withLock { state in
      if state.watchers.isEmpty { state.isPolling = false }
      return state.isPolling
    }
  }
}
