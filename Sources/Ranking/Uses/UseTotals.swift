package import LMDB
package import Projections

/// How much was used altogether, now and at past sequences: what an item's share is measured by.
///
/// | table | key | value |
/// |---|---|---|
/// | `use-totals` | ~sequence | all uses of all items until then, summed on six scales |
///
/// Uses are added in order of sequences, so that the sums have the same bits whatever the batches
/// were. The newest row lags behind for a while. Where rows stand depends on batches; what is
/// answered from a row and the timeline after it does not. Not part of the digest: the timeline
/// says the same.
package struct UseTotals: Sendable {
  static let tableName: TableName = "use-totals"
  /// Events from one row that stays to the next.
  private static let interval: UInt64 = 4_096
  /// Events that the newest row may lag behind, and as many without a use: a look adds up the
  /// timeline after it, some 10 ns an event.
  private static let lag: UInt64 = 64
  private static let idleLag: UInt64 = 256

  let table: Table

  init(_ environment: Environment) { table = environment[Self.tableName] }

  /// The newest sums at a sequence or before, and the sequence they are of.
  /// - Complexity: O(log rows).
  package func newest(atOrBefore sequence: UInt64, in txn: borrowing ReadTransaction)
    throws(CairnError) -> (sequence: UInt64, total: Frecency)
  {
    var found: (sequence: UInt64, total: Frecency) = (0, Frecency())
    try txn.scan(table, from: Self.key(sequence)) { (key, row) throws(CairnError) in
      found = (try Self.sequence(key), try Self.decoded(row))
      return false
    }
    return found
  }

  /// Adds the uses since the newest row now and then, when a batch ends in another part of the
  /// events than it began in; at most one row more than one for each interval stays.
  ///
  /// The batch ends at `applied`; `missed` visits the uses in the timeline from an event on.
  /// - Complexity: O(1) for most single events; else O(events since the newest row), some 40 ns a
  ///   use.
  package func fold(
    _ events: [ResolvedEvent], through applied: UInt64, in txn: inout WriteTransaction,
    missed: (
      _ first: UInt64, _ txn: borrowing ReadTransaction,
      _ body: (_ sequence: UInt64, _ use: Use) -> Void
    ) throws(CairnError) -> Void
  ) throws(CairnError) {
    guard let first = events.first?.sequence, (first &- 1) / Self.lag != applied / Self.lag else {
      return
    }
    var (open, kept, total) = try newest(in: txn.reader)
    var uses: [(sequence: UInt64, use: Use)] = []
    if open &+ 1 < first {
      try missed(open &+ 1, txn.reader) { if $0 < first { uses.append(($0, $1)) } }
    }
    for event in events where event.item != ResolvedEvent.none && event.isUse {
      uses.append((event.sequence, Use(event)))
    }
    guard !uses.isEmpty || applied >= open + Self.idleLag else { return }
    if open >= kept + Self.interval {
      kept = open
    } else if open > 0 {
      try txn.delete(table, Self.key(open))
    }
    for (sequence, use) in uses {
      if sequence > kept + Self.interval {
        kept = sequence - 1
        try txn.put(table, Self.key(kept), total.row)
      }
      total.add(weight: Double(use.weight), atMicroseconds: use.heldMicroseconds)
    }
    open = applied
    try txn.put(table, Self.key(open), total.row)
  }

  /// The newest row, and the sequence of the one before it.
  private func newest(in txn: borrowing ReadTransaction) throws(CairnError) -> (
    open: UInt64, kept: UInt64, total: Frecency
  ) {
    var found: (open: UInt64, kept: UInt64, total: Frecency) = (0, 0, Frecency())
    var rowCount = 0
    try txn.scan(table) { (key, row) throws(CairnError) in
      if rowCount == 0 {
        (found.open, found.total) = (try Self.sequence(key), try Self.decoded(row))
      } else {
        found.kept = try Self.sequence(key)
      }
      rowCount += 1
      return rowCount < 2
    }
    return found
  }

  private static func decoded(_ row: RawSpan) throws(CairnError) -> Frecency {
    guard row.byteCount == Frecency.byteCount else { throw damaged }
    return Frecency(row, at: 0)
  }

  private static func sequence(_ key: RawSpan) throws(CairnError) -> UInt64 {
    guard key.byteCount == 8 else { throw damaged }
    return ~key.loadBigEndian64(at: 0)
  }

  /// The latest first.
  static func key(_ sequence: UInt64) -> [UInt8] { [UInt8](bigEndian: ~sequence) }

  private static let damaged = CairnError(
    .corrupt, "the sums of all uses are damaged", place: "table use-totals", remedy: .rebuild)
}
