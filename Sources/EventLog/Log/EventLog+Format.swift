package import LMDB

extension EventLog {
  /// The version of everything in `log.mdb` that this program writes.
  ///
  /// 1: headers of 88 bytes that name the event. 2: headers of 48 bytes that name nothing; headers
  /// of version 1 stay where they are.
  package static let format: UInt16 = 2

  /// The version of a log with a schema in it: as version 2, and kind 9.
  ///
  /// Programs that know no schemas would answer and accept otherwise than it says, so that they are
  /// to refuse it.
  package static let schemaFormat: UInt16 = 3

  /// The version of a log whose projections are more than a fold of its events: a horizon lets old
  /// versions go, or an application's upcasters bring events up to date.
  ///
  /// Programs that know neither would answer otherwise.
  package static let settingsFormat: UInt16 = 4

  /// The newest version that this program reads and appends to.
  package static let newestFormat = settingsFormat

  /// The oldest version that this program reads and appends to.
  package static let oldestFormat: UInt16 = 1

  private static let formatKey: [UInt8] = Array("format".utf8)

  /// Reads the format of an old log, or writes it into a new one.
  /// - Throws: `.unsupportedFormat` on a newer one, `.notAStore` on a file that names none.
  func checkFormat() throws(CairnError) {
    let stored = try environment.read { (txn) throws(CairnError) in
      try EventLog.storedFormat(tables, in: txn)
    }
    if let stored { return try EventLog.check(stored) }
    guard access == .readWrite else {
      throw CairnError(.notAStore, "the log names no format", place: EventLog.metadataPlace)
    }
    try environment.write { (txn) throws(CairnError) in
      // Another process may have made the log meanwhile.
      if let stored = try EventLog.storedFormat(tables, in: txn.reader) {
        return try EventLog.check(stored)
      }
      guard try txn.reader.count(tables.events) == 0 else {
        throw CairnError(
          .corrupt, "the log names no format; restore it from a backup",
          place: EventLog.metadataPlace)
      }
      var row = ByteWriter()
      row.appendBigEndian(EventLog.format)
      let key = EventLog.formatKey
      try txn.put(tables.meta, key.rawSpan, row.bytes)
    }
  }

  private static func storedFormat(_ tables: Tables, in txn: borrowing ReadTransaction)
    throws(CairnError) -> UInt16?
  {
    guard let value = try txn.find(tables.meta, formatKey) else { return nil }
    var reader = ByteReader(value)
    let format = try reader.readBigEndian16()
    try reader.requireEnd()
    return format
  }

  /// The version that the log names: an older one has only events of that version.
  package func storedFormat() throws(CairnError) -> UInt16 {
    let stored = try environment.read { (txn) throws(CairnError) in
      try EventLog.storedFormat(tables, in: txn)
    }
    return stored ?? EventLog.format
  }

  /// Raises the format that a log of an older version names to the present one, as its next event
  /// would.
  /// - Throws: `.busy`, `.readOnly`, `.diskFull`.
  package func raiseFormat(wait: Duration) throws(CairnError) {
    try withWriterLock(wait: wait) { () throws(CairnError) in
      try environment.write { (txn) throws(CairnError) in
        try EventLog.raiseFormat(tables, &txn)
      }
    }
  }

  /// Names the format that what is appended now makes of the log, so that programs that know only
  /// an older one refuse it.
  static func raiseFormat(
    _ tables: Tables, to format: UInt16 = format, _ txn: inout WriteTransaction
  ) throws(CairnError) {
    guard let stored = try storedFormat(tables, in: txn.reader), stored < format else { return }
    var row = ByteWriter()
    row.appendBigEndian(format)
    try txn.put(tables.meta, formatKey.rawSpan, row.bytes)
  }

  private static func check(_ format: UInt16) throws(CairnError) {
    guard !(oldestFormat...newestFormat).contains(format) else { return }
    throw CairnError(
      .unsupportedFormat,
      "the log has format \(format), this program reads \(oldestFormat) to \(newestFormat)",
      place: EventLog.metadataPlace, remedy: .newerProgram)
  }
}
