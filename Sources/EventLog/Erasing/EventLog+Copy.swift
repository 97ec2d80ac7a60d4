import Events
import HashTree
package import LMDB

extension EventLog {
  /// Writes the log up to a sequence into a fresh file, row by row.
  ///
  /// Salts come along, so that the copy has the same roots. What was erased or removed is nowhere
  /// in the file, free pages and slack included, which a copy of the file's pages would not give.
  /// Readers and writers go on meanwhile; what they append is left out.
  /// - Parameters:
  ///   - path: A file that does not exist, such as `log.mdb` in an empty folder.
  ///   - last: The last sequence to copy, at most the head.
  ///   - dropped: Keys of metadata that do not come along. Points beyond `last` do not either, nor
  ///     heads that were signed after the copy began.
  /// - Returns: The head of the copy, which is durable.
  /// - Throws: `.conflict` when a purge ran meanwhile: remove the file and try again;
  ///   `.badArgument` beyond the head.
  package func copy(
    toFile path: String, through last: UInt64 = .max, droppingMetadata dropped: [String] = []
  ) throws(CairnError) -> Head {
    let (before, row, signed) = try environment.read { (txn) throws(CairnError) in
      let before = try self.reader.head(in: txn)
      let row = try self.reader.head(cutTo: min(last, before.size), of: before, in: txn)
      // What was signed beyond the end is evidence that events are gone: it comes along.
      let signed = max(before.size, try self.reader.lastIssuedHead(in: txn)?.size ?? 0)
      return (before, row, signed)
    }
    guard last == .max || last <= before.size else {
      throw CairnError(.badArgument, "the log ends at sequence \(before.size)")
    }
    let copier = try LogCopier(source: self, path: path)
    let droppedKeys = dropped.map { EventLog.metadataKey($0) }
    do throws(CairnError) {
      try copier.copy(row, signedThrough: signed, dropping: droppedKeys)
    } catch {
      copier.abandon()
      throw error
    }
    try copier.close()
    try read(from: before.size + 1) { (event) throws(CairnError) in
      guard event.kind == .purge else { return true }
      throw CairnError(.conflict, "a purge ran during the copy; remove the copy and try again")
    }
    return Head(row)
  }
}

extension EventReader {
  func head(cutTo size: UInt64, of head: HeadRow, in txn: borrowing ReadTransaction)
    throws(CairnError) -> HeadRow
  {
    guard size < head.size else { return head }
    var row = HeadRow()
    row.compactRange = try compactRange(size: size, in: txn)
    row.root = row.compactRange.root
    guard size > 0 else { return row }
    row.recorded = try recorded(through: size, in: txn)
    return row
  }
}

/// Copies the tables of a log into a fresh file, a page of rows at a time.
private struct LogCopier {
  private let source: EventLog
  private let target: Environment
  private let tables: Tables

  init(source: EventLog, path: String) throws(CairnError) {
    self.source = source
    target = try Environment.open(
      path,
      Environment.Configuration(
        access: .readWrite, durability: .deferred, tables: Tables.names,
        writer: WriterThread(name: "cairn-log-copy"), create: true))
    tables = Tables(target)
    let isEmpty = try target.read { (txn) throws(CairnError) in
      try txn.count(self.tables.meta) == 0
    }
    guard isEmpty else {
      throw CairnError(.badArgument, "there is a log already; copy to a file that is not there")
    }
  }

  /// Copies what belongs to the head row, and the row itself last.
  func copy(_ head: HeadRow, signedThrough signed: UInt64, dropping dropped: [[UInt8]])
    throws(CairnError)
  {
    let source = source.tables
    try copy(source.events, to: tables.events) { (key, _) throws(CairnError) in
      var reader = ByteReader(key)
      return try reader.readBigEndian64() <= head.size
    }
    try copy(source.ids, to: tables.ids) { (_, value) throws(CairnError) in
      var reader = ByteReader(value)
      return try reader.readBigEndian64() <= head.size
    }
    try copy(source.tree, to: tables.tree) { (key, _) throws(CairnError) in
      var reader = ByteReader(key)
      let level = UInt64(try reader.readUInt8())
      return try reader.readBigEndian64() < head.size >> level
    }
    try copy(source.snapshots, to: tables.snapshots) { (_, value) throws(CairnError) in
      try NamedPoint(name: "", value).sequence <= head.size
    }
    let signedPrefix = EventLog.metadataKey(IssuedHead.keyPrefix)
    try copy(source.meta, to: tables.meta) { (key, value) throws(CairnError) in
      if let sequence = EventLog.schemaSequence(key) { return sequence <= head.size }
      if key.hasPrefix(signedPrefix.rawSpan), try IssuedHead(key: key, value).size > signed {
        return false
      }
      return !dropped.contains { key.equals($0.rawSpan) }
    }
    try target.write { (txn) throws(CairnError) in try EventLog.setHead(head, tables, &txn) }
  }

  /// Lets go of a copy that is of no use.
  func abandon() { target.close() }

  func close() throws(CairnError) {
    try target.sync()
    target.close()
  }

  private func copy(
    _ from: Table, to: Table,
    where isWanted: (_ key: RawSpan, _ value: RawSpan) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var next: [UInt8]? = []
    while let start = next {
      var rows: [(key: [UInt8], value: [UInt8])] = []
      next = try source.environment.read { (txn) throws(CairnError) in
        try LogCopier.page(of: from, from: start, into: &rows, where: isWanted, in: txn)
      }
      try target.write { (txn) throws(CairnError) in
        for row in rows { try txn.append(to, row.key, row.value) }
      }
    }
  }

  /// Gathers rows; returns the key to go on with.
  private static func page(
    of table: Table, from start: [UInt8], into rows: inout [(key: [UInt8], value: [UInt8])],
    where isWanted: (_ key: RawSpan, _ value: RawSpan) throws(CairnError) -> Bool,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt8]? {
    var next: [UInt8]?
    var visited = 0
    try txn.scan(table, from: start) { (key, value) throws(CairnError) in
      guard visited < LogLimits.copiedRowCount else {
        next = key.array()
        return false
      }
      visited += 1
      if try isWanted(key, value) { rows.append((key.array(), value.array())) }
      return true
    }
    return next
  }
}
