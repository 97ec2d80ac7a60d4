package import LMDB
import Projections

/// How many events there are of each kind, counted as they come.
struct KindCounts: Equatable {
  /// By raw value.
  private var counts: [UInt64] = []

  init() {}

  init(decoding row: RawSpan) throws(CairnError) {
    var reader = ByteReader(row)
    while !reader.isAtEnd { counts.append(try reader.readBigEndian64()) }
  }

  var encoded: [UInt8] {
    var row: [UInt8] = []
    for count in counts { row.appendBigEndian(count) }
    return row
  }

  mutating func add(_ kind: UInt8) {
    while counts.count <= Int(kind) { counts.append(0) }
    counts[Int(kind)] += 1
  }

  var byKind: [UInt8: Int] {
    var found: [UInt8: Int] = [:]
    for (kind, count) in counts.enumerated() where count > 0 {
      found[UInt8(truncatingIfNeeded: kind)] = Int(clamping: count)
    }
    return found
  }
}

extension Timeline {
  /// How many events of each kind there are, by its raw value, at the end of the timeline.
  /// - Complexity: O(1).
  package func kindCounts(in txn: borrowing ReadTransaction) throws(CairnError) -> [UInt8: Int] {
    try storedCounts(in: txn).byKind
  }

  /// The same, counted.
  /// - Complexity: O(events), some 10 ns each.
  package func kindCounts(through sequence: UInt64, in txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt8: Int]
  {
    var counts = KindCounts()
    try forEach(from: 1, through: sequence, in: txn) { (record) throws(CairnError) in
      counts.add(record.kind)
      return true
    }
    return counts.byKind
  }

  func storedCounts(in txn: borrowing ReadTransaction) throws(CairnError) -> KindCounts {
    guard let row = try txn.get(shared, SharedRows.kindCountsKey) else { return KindCounts() }
    return try KindCounts(decoding: row)
  }

  func write(_ counts: KindCounts, in txn: inout WriteTransaction) throws(CairnError) {
    try txn.put(shared, SharedRows.kindCountsKey, counts.encoded)
  }
}
