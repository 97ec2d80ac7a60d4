import LMDB

extension EventLog {
  /// The version of everything in `log.mdb` that this program writes and reads.
  package static let format: UInt16 = 1

  private static let formatKey: [UInt8] = Array("format".utf8)

  /// Reads the format of an old log, or writes it into a new one.
  ///
  /// - Throws: `.unsupportedFormat` on a newer one, `.notAStore` on a file that names none.
  func checkFormat() throws(StorageError) {
    let tables = tables
    let stored = try environment.read { (txn) throws(StorageError) -> UInt16? in
      guard let value = try txn.get(tables.meta, EventLog.formatKey) else { return nil }
      var reader = ByteReader(value)
      return try reader.readBigEndian16()
    }
    switch stored {
    case EventLog.format: return
    case .some(let other):
      throw StorageError(
        .unsupportedFormat,
        "the log has format \(other), this program reads \(EventLog.format); use a newer program",
        place: "log.mdb, table meta"
      )
    case nil:
      guard access == .readWrite else {
        throw StorageError(.notAStore, "the log names no format", place: "log.mdb, table meta")
      }
      try environment.write { (txn) throws(StorageError) in
        let count = try txn.reader.count(tables.events)
        guard count == 0 else {
          throw StorageError(.corrupt, "the log names no format", place: "log.mdb, table meta")
        }
        var row = ByteWriter()
        row.appendBigEndian(EventLog.format)
        try txn.put(tables.meta, EventLog.formatKey.rawSpan, row.bytes)
      }
    }
  }
}
