internal import LMDB

/// What is kept of a document version that is no longer the present one of its item.
struct DocumentEnd: Hashable, Sendable {
  /// The sequence from which on it is not.
  var sequence: UInt64
  /// `ContentHash` of its tokens, which the item's entry forgets.
  var content: UInt64

  init(sequence: UInt64, content: UInt64) {
    self.sequence = sequence
    self.content = content
  }

  /// Reads a row.
  ///
  /// - Throws: `.corrupt` when it is none.
  init(_ row: borrowing RawSpan) throws(StorageError) {
    var offset = 0
    sequence = try PostingCode.varint(row, &offset)
    guard row.byteCount == offset + 8 else { throw DocumentRecord.damaged }
    content =
      UInt64(row.loadLittleEndian32(at: offset))
      | UInt64(row.loadLittleEndian32(at: offset + 4)) << 32
  }

  func write(to row: inout ByteWriter) {
    row.appendVarint(sequence)
    row.appendLittleEndian(content)
  }
}
