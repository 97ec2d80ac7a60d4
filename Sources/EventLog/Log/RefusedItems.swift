import Synchronization

/// Items that were refused for their domain since the log was opened, the newest ones.
///
/// What is told of one later without a domain is of that domain, too, as git tells which paths a
/// commit changed. Of so many that a server would grow with them the oldest are forgotten.
final class RefusedItems: Sendable {
  private struct State {
    /// The rows that block their domains, by hashes of items, whose names may be long.
    var rows: [Int: [UInt8]] = [:]
    /// Those of as many items before.
    var former: [Int: [UInt8]] = [:]
    /// Each row once, since many items share one.
    var known: Set<[UInt8]> = []
  }

  private let state = Mutex(State())
  private let countMax: Int

  /// - Parameter countMax: How many are remembered at least; twice as many at most.
  init(countMax: Int = 500_000) { self.countMax = countMax }

  /// The row that blocks the domain for which an item was refused last; nil where it was not.
  func row(of item: [UInt8]) -> [UInt8]? {
    let hash = item.hashValue
    return state.withLock { state in
      if let row = state.rows[hash] { return row }
      return state.former[hash]
    }
  }

  func add(_ item: [UInt8], for row: [UInt8]) {
    let hash = item.hashValue
    state.withLock { state in
      if state.rows.count >= countMax {
        state.former = state.rows
        state.rows = [:]
      }
      state.rows[hash] = state.known.insert(row).memberAfterInsert
    }
  }

  /// Forgets an item that was taken into another domain, or whose own is blocked no more.
  func remove(_ item: [UInt8]) {
    let hash = item.hashValue
    state.withLock { state in
      state.rows[hash] = nil
      state.former[hash] = nil
    }
  }
}
