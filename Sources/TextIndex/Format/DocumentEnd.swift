internal import LMDB

/// What is kept of a document version that is no longer the present one of its item.
struct DocumentEnd: Hashable, Sendable {
  /// The sequence from which on it is not.
  var sequence: UInt64
  /// `ContentHash` of its tokens, which the item's entry forgets.
  var content: UInt64
}

extension DocumentEnd {
  /// Reads a row.
  /// - Throws: `.corrupt` when it is none.
  init(_ row: borrowing RawSpan) throws(CairnError) {
    var offset = 0
    sequence = try Varint.read(row, &offset)
    guard row.byteCount == offset + 8 else { throw DocumentRecord.damaged }
    content = row.loadLittleEndian64(at: offset)
  }

  func write(to row: inout ByteWriter) {
    row.appendVarint(sequence)
    row.appendLittleEndian(content)
  }
}

/// The end of a document that the columns do not show yet.
///
/// Stands among the buffered documents behind the last one there was, so that a new version and the
/// end of the one before it are in one page.
struct Tombstone: Hashable, Sendable {
  /// The last document there was.
  var anchor: UInt32
  /// How many documents had ended before.
  var number: UInt32
  /// The document that ended, and its item.
  var document: UInt32
  var item: UInt32
  var end: DocumentEnd
}

extension Tombstone {
  /// Whether a key of the pending rows is that of an end.
  static func isKey(_ key: borrowing RawSpan) -> Bool { key.byteCount == 10 }

  /// Reads a row.
  /// - Throws: `.corrupt` when it is none.
  init(_ key: borrowing RawSpan, _ row: borrowing RawSpan) throws(CairnError) {
    guard Self.isKey(key), key.loadBigEndian16(at: 4) == .max, row.byteCount >= 8 else {
      throw DocumentRecord.damaged
    }
    anchor = key.loadBigEndian32(at: 0)
    number = key.loadBigEndian32(at: 6)
    document = row.loadBigEndian32(at: 0)
    item = row.loadBigEndian32(at: 4)
    end = try DocumentEnd(row.extracting(8..<row.byteCount))
    guard document >= 1, document <= anchor else { throw DocumentRecord.damaged }
  }

  /// The key: behind all parts of the document before it.
  static func key(anchor: UInt32, number: UInt32) -> [UInt8] {
    IndexTables.key(anchor) + [0xFF, 0xFF] + IndexTables.key(number)
  }

  var key: [UInt8] { Self.key(anchor: anchor, number: number) }

  func write(to row: inout ByteWriter) {
    row.appendBigEndian(document)
    row.appendBigEndian(item)
    end.write(to: &row)
  }
}
