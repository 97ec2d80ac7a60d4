import HashTree
import LMDB

/// The one row that every commit rewrites: where the log ends.
///
/// In the main table under "head", whose page every commit writes anyway.
/// Value: `recorded` of the last event (12; zero when empty) ‖ root (32) ‖ compact range, see
/// `CompactRange.encoded`. The root repeats what that implies, so that asking for the head hashes
/// nothing.
struct HeadRow: Sendable {
  static let key: [UInt8] = Array("head".utf8)

  var recorded: Timestamp?
  var root: Hash32
  var compactRange: CompactRange

  /// The head of a log without events.
  init() {
    recorded = nil
    compactRange = CompactRange()
    root = compactRange.root
  }

  init(_ value: RawSpan) throws(CairnError) {
    var reader = ByteReader(value)
    let recorded = try Timestamp(&reader)
    root = try Hash32(&reader)
    guard let compactRange = CompactRange(encoded: try reader.readBytes(reader.remaining)) else {
      throw CairnError(.corrupt, "the head's hash tree is cut short", place: "log.mdb, table head")
    }
    self.compactRange = compactRange
    self.recorded = compactRange.size == 0 ? nil : recorded
  }

  var size: UInt64 { compactRange.size }

  func append(to writer: inout ByteWriter) {
    (recorded ?? Timestamp(seconds: 0, nanoseconds: 0)).append(to: &writer)
    root.withSpan { writer.append($0) }
    writer.append(compactRange.encoded)
  }
}

extension EventLog.Head {
  init(_ row: HeadRow) { self.init(sequence: row.size, recorded: row.recorded, root: row.root) }
}

extension EventLog {
  static func setHead(_ head: HeadRow, _ tables: Tables, _ txn: inout WriteTransaction)
    throws(CairnError)
  {
    var row = ByteWriter()
    head.append(to: &row)
    try txn.put(tables.main, HeadRow.key, row.array())
  }
}
