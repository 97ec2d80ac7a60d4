internal import LMDB

/// Neighbouring merged documents in one row, under the number of the last one.
///
/// Version 3, how many documents there are, then each: how many bytes its `DocumentRecord` has, how
/// far the sequence it is from lies behind that of the document before (of the first: behind 0),
/// and the record. All numbers are varints.
enum DocumentBlock {
  static let version: UInt8 = 3

  /// Longest block of more than one document: four rows fill a page, short enough that finding a
  /// document in it takes no longer than finding the row.
  static let byteCountMax =
    Limits.leafByteCount / 4 - Limits.rowOverheadByteCount - keyByteCount - 4

  /// Most documents of a block, so that walking to one is bounded for documents without titles too.
  static let countMax = 128

  /// Bytes of the key with the number of the part.
  private static let keyByteCount = 6

  /// Visits the documents of the block that ends with `last`, until `body` gives false.
  /// - Complexity: O(documents).
  /// - Throws: `.corrupt` when the bytes make no block, as far as it is visited; what `body`
  ///   throws.
  @inline(__always) static func visit(
    _ bytes: borrowing RawSpan, through last: UInt32,
    _ body: (_ document: UInt32, _ from: UInt64, _ record: RawSpan) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var row = ByteReader(copy bytes)
    var from: UInt64 = 0
    for document in try readHead(&row, through: last) {
      let byteCount = try row.readVarint()
      let step = try row.readVarint()
      let (sum, isTooMuch) = from.addingReportingOverflow(step)
      guard byteCount <= UInt64(row.remaining), !isTooMuch else { throw DocumentRecord.damaged }
      from = sum
      guard try body(document, from, try row.readBytes(Int(byteCount))) else { return }
    }
    guard row.isAtEnd else { throw DocumentRecord.damaged }
  }

  /// The documents of the block that ends with `last`.
  static func documents(_ bytes: borrowing RawSpan, through last: UInt32) throws(CairnError)
    -> ClosedRange<UInt32>
  {
    var row = ByteReader(copy bytes)
    return try readHead(&row, through: last)
  }

  private static func readHead(_ row: inout ByteReader, through last: UInt32) throws(CairnError)
    -> ClosedRange<UInt32>
  {
    guard try row.readUInt8() == version else { throw DocumentRecord.damaged }
    let count = try row.readVarint()
    guard count > 0, count <= UInt64(min(UInt32(countMax), last)) else {
      throw DocumentRecord.damaged
    }
    return last - UInt32(count) + 1...last
  }

  /// Grows one block document by document; can go on from a stored one.
  struct Builder: ~Copyable {
    private var records = ByteWriter(capacity: DocumentBlock.byteCountMax)
    private var count: UInt32 = 0
    /// Number of the last document.
    private(set) var last: UInt32 = 0
    private var from: UInt64 = 0

    var isEmpty: Bool { count == 0 }

    /// Starts an empty block behind the document given.
    mutating func begin(after document: UInt32) {
      records.removeAll()
      count = 0
      last = document
      from = 0
    }

    /// Goes on from a stored block that ends with `last`.
    /// - Throws: `.corrupt` when it is none.
    mutating func resume(_ bytes: borrowing RawSpan, last: UInt32) throws(CairnError) {
      var known: (count: UInt32, from: UInt64) = (0, 0)
      try DocumentBlock.visit(bytes, through: last) { (_, from, _) throws(CairnError) in
        known = (known.count + 1, from)
        return true
      }
      begin(after: last)
      (count, from) = known
      var row = ByteReader(copy bytes)
      _ = try DocumentBlock.readHead(&row, through: last)
      records.append(try row.readBytes(row.remaining))
    }

    /// Whether one more record surely fits; an empty block takes any.
    func hasRoom(for byteCount: Int) -> Bool {
      // Version, count, byte count and step.
      let more = byteCount + 1 + 2 + 5 + 10
      return isEmpty
        || count < DocumentBlock.countMax && records.count + more <= DocumentBlock.byteCountMax
    }

    /// Adds the document after the last one; it must not be from before that.
    mutating func append(from sequence: UInt64, _ record: RawSpan) throws(CairnError) {
      guard sequence >= from else { throw DocumentRecord.damaged }
      records.appendVarint(UInt64(record.byteCount))
      records.appendVarint(sequence - from)
      records.append(record)
      from = sequence
      last += 1
      count += 1
    }

    /// The same for a record in a writer.
    mutating func append(from sequence: UInt64, _ record: borrowing ByteWriter) throws(CairnError) {
      try append(from: sequence, record.bytes)
    }

    func write(to row: inout ByteWriter) {
      row.removeAll()
      row.append(DocumentBlock.version)
      row.appendVarint(UInt64(count))
      row.append(records)
    }
  }
}
