package import LMDB
import Projections

/// Now and then, who led at each scale of use: from there the best of any past sequence are found
/// without folding the history.
///
/// | table | key | value |
/// |---|---|---|
/// | `use-leaders` | ~sequence | the leaders' ordinals, and what all others stay below; in parts |
///
/// Where rows stand depends on how appends were batched, what is answered from them does not; so
/// they are not part of the digest.
package struct UseLeaders: Sendable {
  static let tableName: TableName = "use-leaders"

  /// How often leaders are noted, and how many.
  package struct Pace: Sendable {
    /// Events between two rows: what a question has to scan.
    package var interval: UInt64 = 32_768
    /// Leaders of each scale.
    package var count = 512

    /// What stores use.
    package init() {}
  }

  let table: Table
  private let interval: UInt64
  private let count: Int

  init(_ environment: Environment, _ pace: Pace) {
    table = environment[Self.tableName]
    interval = pace.interval
    count = pace.count
  }

  /// The leaders after a sequence.
  package struct Row: Sendable {
    package var sequence: UInt64
    /// What the sums of every item that is no leader stay below, at the latest use until then.
    package var others: Frecency
    /// The leaders, ascending.
    package var items: [UInt32]
    /// Whether every item that was ever used by then is one of them.
    package var isComplete: Bool

    /// The row before the first event.
    package static let first = Row(sequence: 0, others: Frecency(), items: [], isComplete: true)
  }

  /// The newest row at a sequence or before.
  /// - Complexity: O(leaders), some 10 µs.
  package func row(atOrBefore sequence: UInt64, in txn: borrowing ReadTransaction)
    throws(CairnError) -> Row
  {
    var found: UInt64?
    try txn.scan(table, from: UseTotals.key(sequence)) { (key, _) throws(CairnError) in
      found = ~key.loadBigEndian64(at: 0)
      return false
    }
    guard let found, let bytes = try Parted.get(txn, table, key: UseTotals.key(found)) else {
      return .first
    }
    var reader = ByteReader(bytes.rawSpan)
    let others = Frecency(try reader.readBytes(Frecency.byteCount), at: 0)
    var items: [UInt32] = []
    var item: UInt64 = 0
    while !reader.isAtEnd {
      item &+= try reader.readVarint()
      items.append(UInt32(truncatingIfNeeded: item))
    }
    // Of more items than these at least so many are leaders.
    return Row(sequence: found, others: others, items: items, isComplete: items.count < count)
  }

  /// Adds a row when enough events have passed since the last one.
  ///
  /// Looks for that now and then, after each of a few hundred parts of the way to the next row;
  /// most of the time in O(1), else with some ten thousand looks at items.
  func record(
    _ ranking: Ranking, _ events: [ResolvedEvent], after sequence: UInt64, latestUse: Int64,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    let part = max(1, interval / 512)
    if let first = events.first, (first.sequence &- 1) / part == sequence / part { return }
    var last: UInt64 = 0
    try txn.reader.scan(table) { (key, _) throws(CairnError) in
      last = ~key.loadBigEndian64(at: 0)
      return false
    }
    guard sequence >= last &+ interval else { return }
    var others: [6 of Double] = [0, 0, 0, 0, 0, 0]
    var leaders: Set<UInt32> = []
    for isViewed in [true, false] {
      for scale in others.indices {
        let measure = UseOrder.Measure.scale(scale, latestUse)
        let bound = try collect(&leaders, ranking, measure, isViewed, in: txn.reader)
        others[scale] = max(others[scale], bound)
      }
    }
    var row = Frecency(referenceMicroseconds: latestUse, values: others).row
    var previous: UInt32 = 0
    for item in leaders.sorted() {
      row.appendVarint(UInt64(item - previous))
      previous = item
    }
    try Parted.put(&txn, table, key: UseTotals.key(sequence), value: row.rawSpan)
  }

  /// Collects the leaders by one measure and returns what the others stay below.
  private func collect(
    _ leaders: inout Set<UInt32>, _ ranking: Ranking, _ measure: UseOrder.Measure, _ isViewed: Bool,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Double {
    var greatest = TopKThreshold(count: count)
    var seen: [(key: Double, item: UInt32)] = []
    let left = try ranking.order.forEachByBound(measure, isViewed: isViewed, in: txn) {
      (item) throws(CairnError) in
      guard let state = try ranking.state(of: item, in: txn) else { throw UseHistory.damaged }
      let key = measure.key(state.frecency)
      greatest.insert(key)
      seen.append((key, item))
      // Many that are equal must not make a row longer than what is asked of it.
      return seen.count >= 4 * count ? .infinity : greatest.needed
    }
    guard seen.count >= count else {
      for entry in seen { leaders.insert(entry.item) }
      return 0
    }
    var kept = 0
    for entry in seen where entry.key >= greatest.needed && kept < 2 * count {
      leaders.insert(entry.item)
      kept += 1
    }
    // A visit that ended early left items that nobody looked at.
    return max(greatest.needed, left) * (1 + 1e-9)
  }
}
