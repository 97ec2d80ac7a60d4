/// What one query holds in memory, in bytes as near as they can be told.
///
/// Values add themselves when they are made and leave when they go, so that a query is refused for
/// what it holds at one time, not for what it ever held. One thread runs a query.
final class QueryMemory {
  /// The most a query may hold.
  static let limit = 256 << 20

  static let excess = QueryFailure.function(
    "The query needs more than 256 MiB; ask for a shorter period.")

  private(set) var held = 0

  func hold(_ bytes: Int) throws(QueryFailure) {
    guard held + bytes <= Self.limit else { throw Self.excess }
    held += bytes
  }

  func release(_ bytes: Int) { held -= bytes }
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
