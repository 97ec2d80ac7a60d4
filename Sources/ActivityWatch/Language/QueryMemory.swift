/// What one query holds in memory, in bytes as near as they can be told.
///
/// Values add themselves when they are made and leave when they go, so that a query is refused for
/// what it holds at one time, not for what it ever held. Those of several periods share one, and
/// what is written of their answers counts too. One thread runs a query.
package final class QueryMemory {
  /// The most a query may hold.
  static let limit = 256 << 20

  static let excess = QueryFailure.function(
    "The query needs more than 256 MiB; ask for a shorter period.")

  private var held = 0

  package init() {}

  func hold(_ bytes: Int) throws(QueryFailure) {
    guard held + bytes <= Self.limit else { throw Self.excess }
    held += bytes
  }

  func release(_ bytes: Int) { held -= bytes }

  /// Refuses an output that has become longer than there is room for: while it grows, it stands
  /// there twice.
  func check(_ output: [UInt8]) throws(QueryFailure) {
    guard held + 2 * output.count <= Self.limit else { throw Self.excess }
  }
}

/// Bytes that are held for as long as this lives.
final class HeldMemory {
  private let memory: QueryMemory
  private let bytes: Int

  init(_ bytes: Int, of memory: QueryMemory) throws(QueryFailure) {
    try memory.hold(bytes)
    self.memory = memory
    self.bytes = bytes
  }

  deinit { memory.release(bytes) }
}
