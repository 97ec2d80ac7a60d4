package import LMDB
import Projections

/// How items and domains fared in results.
///
/// | table | key | value |
/// |---|---|---|
/// | `engagement` | kind ‖ ordinal ‖ ~sequence | the state after that event (`EngagementState`) |
///
/// Each change adds a row, so that every past sequence is there.
package struct Engagement: Sendable {
  static let tableName: TableName = "engagement"

  /// What a row is about.
  package enum Kind: UInt8, Sendable {
    case item = 0
    case domain = 1
  }

  let table: Table

  init(_ environment: Environment) { table = environment[Self.tableName] }

  package func isEmpty(in txn: borrowing ReadTransaction) throws(CairnError) -> Bool {
    try rowCount(in: txn) == 0
  }

  /// How often something was noted.
  func rowCount(in txn: borrowing ReadTransaction) throws(CairnError) -> Int {
    try txn.count(table)
  }

  /// Visits items, ascending, then domains, with their states as of the last change and the event
  /// that made it.
  /// - Complexity: O(rows), some 100 ns each.
  func forEachLatest(
    in txn: borrowing ReadTransaction,
    _ body: (Kind, _ ordinal: UInt32, _ made: UInt64, EngagementState) throws(CairnError) -> Void
  ) throws(CairnError) {
    var last: (kind: Kind, ordinal: UInt32)?
    try txn.scan(table) { (key, row) throws(CairnError) in
      guard key.byteCount == 13, let kind = Kind(rawValue: key.byte(at: 0)) else {
        throw Self.damaged
      }
      let ordinal = key.loadBigEndian32(at: 1)
      if last?.kind == kind, last?.ordinal == ordinal { return true }
      last = (kind, ordinal)
      try body(kind, ordinal, ~key.loadBigEndian64(at: 5), try EngagementState(decoding: row))
      return true
    }
  }

  /// The newest state as of a sequence that was made at `since` or later.
  /// - Complexity: O(log *n*).
  package func state(
    _ kind: Kind, _ ordinal: UInt32, since: UInt64, asOf sequence: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> EngagementState? {
    var found: EngagementState?
    try txn.scan(table, from: Self.key(kind, ordinal, sequence)) {
      (key, row) throws(CairnError) in
      guard key.byteCount == 13 else { throw Self.damaged }
      guard key.byte(at: 0) == kind.rawValue, key.loadBigEndian32(at: 1) == ordinal,
        ~key.loadBigEndian64(at: 5) >= since
      else { return false }
      found = try EngagementState(decoding: row)
      return false
    }
    return found
  }

  /// Sequences of the latest events that made the state, newest first.
  /// - Complexity: O(log *n* + `count`).
  package func events(
    _ count: Int, _ kind: Kind, _ ordinal: UInt32, since: UInt64, asOf sequence: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt64] {
    var events: [UInt64] = []
    try txn.scan(table, from: Self.key(kind, ordinal, sequence)) { (key, _) throws(CairnError) in
      guard key.byteCount == 13 else { throw Self.damaged }
      let made = ~key.loadBigEndian64(at: 5)
      guard key.byte(at: 0) == kind.rawValue, key.loadBigEndian32(at: 1) == ordinal, made >= since,
        events.count < count
      else { return false }
      events.append(made)
      return true
    }
    return events
  }

  func put(
    _ state: EngagementState, _ kind: Kind, _ ordinal: UInt32, at sequence: UInt64,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    var row: [UInt8] = []
    state.encode(into: &row)
    try txn.put(table, Self.key(kind, ordinal, sequence), row)
  }

  func recomputedDigest(
    in txn: borrowing ReadTransaction, itemKey: (UInt32) throws(CairnError) -> NameKey,
    domainKey: (UInt32) throws(CairnError) -> NameKey
  ) throws(CairnError) -> RowDigest {
    var digest = RowDigest()
    try txn.scan(table) { (key, row) throws(CairnError) in
      guard key.byteCount == 13 else { throw Self.damaged }
      let kind = key.byte(at: 0)
      let ordinal = key.loadBigEndian32(at: 1)
      let name = kind == Kind.item.rawValue ? try itemKey(ordinal) : try domainKey(ordinal)
      digest.add(try EngagementState(decoding: row).digestRow(kind: kind, name: name))
      return true
    }
    return digest
  }

  private static func key(_ kind: Kind, _ ordinal: UInt32, _ sequence: UInt64) -> [UInt8] {
    [kind.rawValue] + [UInt8](bigEndian: ordinal, ~sequence)
  }

  static let damaged = CairnError(
    .corrupt, "how items fared in results is damaged", place: "table engagement", remedy: .rebuild)
}
