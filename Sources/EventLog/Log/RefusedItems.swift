import Synchronization

/// Items that were refused for their domain since the log was opened.
///
/// What is told of one later without a domain is of that domain, too, as git tells which paths a
/// commit changed.
final class RefusedItems: Sendable {
  private struct State {
    /// The rows that block their domains, by items.
    var rows: [[UInt8]: [UInt8]] = [:]
    /// Each row once, since many items share one.
    var known: Set<[UInt8]> = []
  }

  private let state = Mutex(State())

  /// The row that blocks the domain for which an item was refused last; nil where it was not.
  func row(of item: [UInt8]) -> [UInt8]? { state.withLock { $0.rows[item] } }

  func add(_ item: [UInt8], for row: [UInt8]) {
    state.withLock { $0.rows[item] = $0.known.insert(row).memberAfterInsert }
  }

  /// Forgets an item that was taken into another domain, or whose own is blocked no more.
  func remove(_ item: [UInt8]) { state.withLock { _ = $0.rows.removeValue(forKey: item) } }
}
