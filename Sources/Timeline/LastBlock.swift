internal import LMDB
internal import Projections

/// The block of the timeline that still grows.
struct LastBlock: ~Copyable {
  let number: UInt64
  var records = ByteWriter(capacity: Int(Timeline.blockCount) * TimelineRecord.byteCount)

  /// An empty one.
  init(_ number: UInt64) { self.number = number }

  /// Reads it; the first one, empty, when nothing is stored.
  init(_ timeline: Timeline, in txn: borrowing ReadTransaction) throws(CairnError) {
    guard let row = try txn.get(timeline.shared, SharedRows.timelineKey) else {
      number = 0
      return
    }
    guard row.byteCount >= 8 else {
      throw CairnError(
        .corrupt, "a block has a wrong length", place: "table timeline", remedy: .rebuild)
    }
    number = row.loadBigEndian64(at: 0)
    records.append(row.extracting(8..<row.byteCount))
  }

  /// Writes it where it grows.
  func write(_ timeline: Timeline, in txn: inout WriteTransaction) throws(CairnError) {
    var row = ByteWriter(capacity: 8 + records.count)
    row.appendBigEndian(number)
    row.append(records.bytes)
    let key = SharedRows.timelineKey
    try txn.put(timeline.shared, key.rawSpan, row.bytes)
  }

  /// Writes it behind the others: no event comes to it any more.
  func close(_ timeline: Timeline, in txn: inout WriteTransaction) throws(CairnError) {
    guard records.count > 0 else { return }
    let key = Timeline.key(number)
    try txn.append(timeline.table, key.rawSpan, records.bytes)
  }
}
