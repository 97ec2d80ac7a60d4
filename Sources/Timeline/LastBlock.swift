internal import LMDB
internal import Projections

/// The block of the timeline that still grows.
struct LastBlock: ~Copyable {
  let number: UInt64
  private(set) var records = ByteWriter(capacity: Timeline.blockByteCount)
  /// The last record in it.
  private var last: TimelineRecord

  /// An empty one.
  init(_ number: UInt64) {
    self.number = number
    last = TimelineRecord(before: number)
  }

  /// The one that is stored; the first one, empty, where none is.
  static func stored(_ timeline: Timeline, in txn: borrowing ReadTransaction) throws(CairnError)
    -> LastBlock
  {
    guard let row = try txn.get(timeline.shared, SharedRows.timelineKey) else {
      return LastBlock(0)
    }
    guard row.byteCount >= 8 else { throw Timeline.damaged }
    var block = LastBlock(row.loadBigEndian64(at: 0))
    block.records.append(row.extracting(8..<row.byteCount))
    var last = block.last
    try Timeline.visit(block.records.bytes, block.number) { (record) throws(CairnError) in
      last = record
      return true
    }
    block.last = last
    return block
  }

  /// Adds the record of an event behind the others.
  mutating func append(_ record: TimelineRecord) {
    record.encode(after: last, into: &records)
    last = record
  }

  /// It as it is stored where it grows.
  var row: [UInt8] {
    var row: [UInt8] = []
    row.reserveCapacity(8 + records.count)
    row.appendBigEndian(number)
    row.append(records.bytes)
    return row
  }

  /// Writes it behind the others: no event comes to it any more.
  func close(_ timeline: Timeline, in txn: inout WriteTransaction) throws(CairnError) {
    guard records.count > 0 else { return }
    let key = Timeline.key(number)
    try txn.append(timeline.table, key.rawSpan, records.bytes)
  }
}
