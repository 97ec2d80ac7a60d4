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
  /// The most that was held at one time.
  package private(set) var most = 0

  package init() {}

  func hold(_ bytes: Int) throws(QueryFailure) {
    guard held + bytes <= Self.limit else { throw Self.excess }
    held += bytes
    most = max(most, held)
  }

  func release(_ bytes: Int) { held -= bytes }

  /// Refuses what there is no room for beside what is held.
  func check(_ bytes: Int) throws(QueryFailure) {
    guard held + bytes <= Self.limit else { throw Self.excess }
  }

  /// What the allocator takes for so many bytes: its own mark, and the rest up to a multiple of 16.
  static func block(_ bytes: Int) -> Int { (bytes + 8 + 15) & ~15 }

  /// What an array of such values takes.
  static func array<Value>(of count: Int, _ type: Value.Type) -> Int {
    count == 0 ? 0 : block(32 + count * MemoryLayout<Value>.stride)
  }

  /// What a text takes beside its place: up to 15 bytes stand in that.
  static func text(_ text: String) -> Int {
    let count = text.utf8.count
    return count < 16 ? 0 : block(33 + count)
  }
}
