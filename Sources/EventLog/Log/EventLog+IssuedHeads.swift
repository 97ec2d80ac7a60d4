import HashTree
import LMDB
package import Values

/// A head of the tree for which the log has given its signature.
///
/// A row of the engine's values under "checkpoint/" ‖ size, 16 hexadecimal digits: version (1) ‖
/// root (32) ‖ time (12). Kept for ever, so that the log never signs what contradicts it.
package struct IssuedHead: Sendable, Equatable {
  /// How many events the tree had.
  package var size: UInt64
  package var root: Hash32
  /// When it was first signed.
  package var time: Timestamp
}

extension IssuedHead {
  private static let version: UInt8 = 1
  static let keyPrefix = "checkpoint/"

  static func key(_ size: UInt64) -> String { keyPrefix + String(size, radix: 16, digits: 16) }

  func append(to writer: inout ByteWriter) {
    writer.append(IssuedHead.version)
    root.withSpan { writer.append($0) }
    time.append(to: &writer)
  }

  /// Reads a row; `key` is the row's key in table `meta`.
  init(key: RawSpan, _ value: RawSpan) throws(CairnError) {
    var reader = ByteReader(value)
    guard try reader.readUInt8() == IssuedHead.version else {
      throw CairnError(
        .unsupportedFormat, "a signed head has an unknown version",
        place: EventLog.metadataPlace, remedy: .newerProgram)
    }
    let digits = String(decoding: key.array().suffix(16), as: UTF8.self)
    guard let size = UInt64(digits, radix: 16) else {
      throw CairnError(
        .corrupt, "a signed head names no size", place: EventLog.metadataPlace, remedy: .verify)
    }
    self.size = size
    root = try Hash32(&reader)
    time = try Timestamp(&reader)
  }
}

extension EventLog {
  /// Remembers that the head of that size, or the newest, is about to be signed; durable when it
  /// returns.
  /// - Returns: The head to sign; its time is that of the first signature.
  /// - Throws: `.corrupt`, and nothing may be signed, when the log is no longer what it has signed
  ///   before. `.badArgument` beyond the head.
  /// - Complexity: O(log n) rows and hashes, and one commit for a size not signed yet.
  package func noteIssuedHead(size: UInt64?, time: Timestamp) throws(CairnError) -> IssuedHead {
    try environment.write { (txn) throws(CairnError) in
      let head = try reader.head(in: txn.reader)
      let size = size ?? head.size
      let issued = IssuedHead(
        size: size, root: try reader.root(at: size, of: head, in: txn.reader), time: time)
      if let last = try reader.lastIssuedHead(in: txn.reader) {
        guard last.size <= head.size,
          try reader.root(at: last.size, of: head, in: txn.reader) == last.root
        else {
          throw CairnError(
            .corrupt, "the log is not the one that was signed at \(last.size) events",
            place: EventLog.metadataPlace, remedy: .verify)
        }
      }
      let key = EventLog.metadataKey(IssuedHead.key(size))
      if let row = try txn.reader.find(tables.meta, key) {
        let earlier = try IssuedHead(key: key.rawSpan, row)
        guard earlier.root == issued.root else {
          throw CairnError(
            .corrupt, "another root was signed at \(size) events",
            place: EventLog.metadataPlace, remedy: .verify)
        }
        return earlier
      }
      var row = ByteWriter()
      issued.append(to: &row)
      try txn.put(tables.meta, key.rawSpan, row.bytes)
      return issued
    }
  }

  /// Every head that was signed, by size.
  package func issuedHeads() throws(CairnError) -> [IssuedHead] {
    try environment.read { (txn) throws(CairnError) in
      var heads: [IssuedHead] = []
      try self.reader.forEachIssuedHead(in: txn) { head in heads.append(head) }
      return heads
    }
  }

  /// Forgets every head that was signed: for a copy, which is a log of its own.
  package func removeIssuedHeads() throws(CairnError) {
    for head in try issuedHeads() { try setMetadata(nil, for: IssuedHead.key(head.size)) }
  }

  /// The exact bytes of some leaves.
  /// - Throws: `.corrupt` naming an event that is missing or damaged.
  /// - Complexity: one read transaction and a row for each leaf.
  package func leaves(_ range: ClosedRange<UInt64>) throws(CairnError) -> [[UInt8]] {
    try environment.read { (txn) throws(CairnError) in
      var leaves: [[UInt8]] = []
      leaves.reserveCapacity(Int(clamping: range.count))
      for sequence in range {
        guard let header = try self.reader.header(at: sequence, in: txn) else {
          throw EventReader.gap(at: sequence)
        }
        leaves.append(header.bytes)
      }
      return leaves
    }
  }
}

extension EventReader {
  /// The root over the first `size` headers.
  func root(at size: UInt64, of head: HeadRow, in txn: borrowing ReadTransaction)
    throws(CairnError) -> Hash32
  {
    if size == head.size { return head.root }
    guard size < head.size else {
      throw CairnError(.badArgument, "the log ends at sequence \(head.size)")
    }
    return try compactRange(size: size, in: txn).root
  }

  func lastIssuedHead(in txn: borrowing ReadTransaction) throws(CairnError) -> IssuedHead? {
    let prefix = EventLog.metadataKey(IssuedHead.keyPrefix)
    // Beyond every hexadecimal digit.
    let end = prefix + [UInt8(ascii: "~")]
    var cursor = try txn.cursor(tables.meta)
    guard let entry = try cursor.seek(atMost: end.rawSpan), entry.key.hasPrefix(prefix.rawSpan)
    else { return nil }
    return try IssuedHead(key: entry.key, entry.value)
  }

  func forEachIssuedHead(
    in txn: borrowing ReadTransaction, _ body: (IssuedHead) throws(CairnError) -> Void
  ) throws(CairnError) {
    let prefix = EventLog.metadataKey(IssuedHead.keyPrefix)
    try txn.scan(tables.meta, prefix: prefix) { (key, value) throws(CairnError) in
      try body(try IssuedHead(key: key, value))
    }
  }
}
