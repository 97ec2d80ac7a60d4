internal import LMDB
internal import Projections

/// The block of the timeline that still grows.
struct LastBlock: ~Copyable {
  let number: UInt64
  private(set) var records = ByteWriter(capacity: Timeline.blockByteCount)
  private var last: TimelineRecord

  init(_ number: UInt64) {
    self.number = number
    last = TimelineRecord(before: number)
  }

  /// The one that is stored, to go on with it; the first one, empty, where none is.
  static func stored(_ timeline: Timeline, in txn: borrowing ReadTransaction) throws(CairnError)
    -> LastBlock
  {
    var block = LastBlock(0)
    try read(timeline, in: txn) { (records, number) throws(CairnError) in
      block = LastBlock(number)
      block.records.append(records)
      try Timeline.visit(records, number) { (record) throws(CairnError) in
        block.last = record
        return true
      }
    }
    return block
  }

  /// Hands on the records and the number of the one that is stored, if any is.
  static func read(
    _ timeline: Timeline, in txn: borrowing ReadTransaction,
    _ body: (_ records: RawSpan, _ number: UInt64) throws(CairnError) -> Void
  ) throws(CairnError) {
    guard let row = try txn.get(timeline.shared, SharedRows.timelineKey) else { return }
    guard row.byteCount >= 8 else { throw Timeline.damaged }
    try body(row.extracting(8..<row.byteCount), row.loadBigEndian64(at: 0))
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
