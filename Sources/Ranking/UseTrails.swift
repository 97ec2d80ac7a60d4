import LMDB
import Projections

/// Which item was used last in a session, or by an actor outside of one.
///
/// | table | key | value |
/// |---|---|---|
/// | `use-trails` | 32-bit hash of the actor's name, or that of the session's xor a mark | ordinal |
struct UseTrails {
  static let tableName: TableName = "use-trails"

  /// Tells a session from an actor of the same name.
  private static let sessionMark: UInt32 = 0x5E55_1014

  let table: Table
  private var last: [UInt32: UInt32] = [:]
  private var changed: Set<UInt32> = []

  init(_ table: Table) {
    self.table = table
  }

  /// Notes a use and returns the item used before it; `none` for the same item again.
  mutating func use(
    _ event: ResolvedEvent,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> UInt32 {
    let trail = event.sessionHash != 0 ? event.sessionHash ^ Self.sessionMark : event.actorHash
    let previous =
      if let known = last[trail] { known } else { try Self.last(on: trail, table, in: txn) }
    if previous == event.item {
      last[trail] = previous
      return ResolvedEvent.none
    }
    last[trail] = event.item
    changed.insert(trail)
    return previous
  }

  /// Writes what changed.
  func write(in txn: inout WriteTransaction) throws(StorageError) {
    var row: [UInt8] = []
    for trail in changed.sorted() {
      row.removeAll(keepingCapacity: true)
      row.appendBigEndian(last[trail] ?? ResolvedEvent.none)
      try txn.put(table, Self.key(trail), row)
    }
  }

  static func last(
    on trail: UInt32,
    _ table: Table,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> UInt32 {
    guard let row = try txn.get(table, key(trail)) else { return ResolvedEvent.none }
    var reader = ByteReader(row)
    return try reader.readBigEndian32()
  }

  private static func key(_ trail: UInt32) -> [UInt8] {
    var key: [UInt8] = []
    key.appendBigEndian(trail)
    return key
  }
}
