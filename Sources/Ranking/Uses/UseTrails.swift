import LMDB
import Projections

/// Which item was used last in a session, or by an actor outside of one.
///
/// | table | key | value |
/// |---|---|---|
/// | `use-trails` | 32-bit hash of the actor's name, or of the session's xor a mark | ordinal |
struct UseTrails {
  static let tableName: TableName = "use-trails"

  /// Tells a session from an actor of the same name.
  private static let sessionMark: UInt32 = 0x5E55_1014

  let table: Table
  /// What was asked for so far, and whether it is another item by now.
  private var last: [UInt32: (item: UInt32, isChanged: Bool)] = [:]

  init(_ table: Table) { self.table = table }

  /// Notes a use and returns the item used before it; `none` for the same item again.
  mutating func use(_ event: ResolvedEvent, in txn: borrowing ReadTransaction) throws(CairnError)
    -> UInt32
  {
    let trail = event.sessionHash != 0 ? event.sessionHash ^ Self.sessionMark : event.actorHash
    let known = last[trail]
    let previous = if let known { known.item } else { try Self.last(on: trail, table, in: txn) }
    guard previous != event.item else {
      if known == nil { last[trail] = (previous, false) }
      return ResolvedEvent.none
    }
    last[trail] = (event.item, true)
    return previous
  }

  func write(in txn: inout WriteTransaction) throws(CairnError) {
    let changed = last.filter(\.value.isChanged).map { ($0.key, $0.value.item) }
    for (trail, item) in changed.sorted(by: { $0.0 < $1.0 }) {
      try txn.put(table, [UInt8](bigEndian: trail), [UInt8](bigEndian: item))
    }
  }

  static func last(on trail: UInt32, _ table: Table, in txn: borrowing ReadTransaction)
    throws(CairnError) -> UInt32
  {
    guard let row = try txn.get(table, [UInt8](bigEndian: trail)) else { return ResolvedEvent.none }
    var reader = ByteReader(row)
    return try reader.readBigEndian32()
  }
}
