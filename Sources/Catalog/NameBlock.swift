package import LMDB
package import Projections

/// Identifiers of neighbouring items in one row: their ordinals follow from their places.
///
/// Each is a varint of its byte count, then its bytes; a count of 0 is an item that was erased.
enum NameBlock {
  /// Items of one row: a row of common identifiers is a tenth of a page.
  static let itemCount: UInt32 = 16

  static func number(of item: UInt32) -> UInt32 { item / itemCount }

  /// Visits the names of a row with their ordinals, until the body returns false.
  /// - Throws: `.corrupt` for bytes that are no row of that number; what the body throws.
  static func visit(
    _ row: RawSpan, _ number: UInt32, _ body: (UInt32, RawSpan) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var reader = ByteReader(row)
    var item = number &* itemCount
    while !reader.isAtEnd {
      let count = try reader.readVarint()
      guard count <= UInt64(reader.remaining), item / itemCount == number else { throw damaged }
      let name = try reader.readBytes(Int(count))
      if count > 0 { guard try body(item, name) else { return } }
      item &+= 1
    }
  }

  /// A row that grows by names in order of ordinals.
  struct Writer: ~Copyable {
    private(set) var row = ByteWriter(capacity: 512)
    private var next: UInt32

    init(_ number: UInt32) { next = number &* itemCount }

    /// Adds the name of an item behind those it has; the items between have none.
    mutating func append(_ item: UInt32, _ name: RawSpan) {
      while next < item {
        row.append(0)
        next += 1
      }
      row.appendVarint(UInt64(name.byteCount))
      row.append(name)
      next += 1
    }
  }

  static let damaged = CairnError(
    .corrupt, "a row of identifiers is damaged", place: "table names", remedy: .rebuild)
}

extension Catalog {
  package func name(of item: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> [UInt8]
  {
    var name: [UInt8] = []
    try forEachName(of: CollectionOfOne(item), in: txn) { (_, bytes) in name.append(bytes) }
    return name
  }

  /// Visits the identifiers of some items, whose ordinals ascend and do not repeat.
  /// - Complexity: O(log n) for each row that has some; neighbours stand in one.
  /// - Throws: `.corrupt` where one has none; what the body throws.
  package func forEachName(
    of items: some RandomAccessCollection<UInt32>, in txn: borrowing ReadTransaction,
    _ body: (_ item: UInt32, _ name: RawSpan) throws(CairnError) -> Void
  ) throws(CairnError) {
    var row = ByteWriter(capacity: 512)
    var rest = items[...]
    while let first = rest.first {
      let number = NameBlock.number(of: first)
      row.removeAll()
      if try Parted.get(txn, names, key: Self.ordinalKey(number), into: &row) {
        try NameBlock.visit(row.bytes, number) { (item, name) throws(CairnError) in
          guard item == rest.first else { return true }
          rest.removeFirst()
          try body(item, name)
          return rest.first.map(NameBlock.number(of:)) == number
        }
      }
      guard rest.first.map(NameBlock.number(of:)) != number else {
        throw CairnError(.corrupt, "an item has no name", place: "table names", remedy: .rebuild)
      }
    }
  }

  package func itemKey(_ item: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> NameKey
  {
    let name = try name(of: item, in: txn)
    return NameKey(name, name.indices)
  }

  /// Visits the identifiers of all items ever named, in order of ordinals.
  /// - Complexity: O(items).
  func forEachName(
    in txn: borrowing ReadTransaction, _ body: (UInt32, RawSpan) throws(CairnError) -> Void
  ) throws(CairnError) {
    var rows = try txn.cursor(names)
    var row = ByteWriter(capacity: 512)
    while let number = try Parted.nextNumbered(&rows, into: &row) {
      try NameBlock.visit(row.bytes, number) { (item, name) throws(CairnError) in
        try body(item, name)
        return true
      }
    }
  }

  func copyNames(
    to table: Table, _ writer: RowWriter, _ erasure: Erasure, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    var batch = RowBatch()
    var source = try txn.cursor(names)
    var row = ByteWriter(capacity: 512)
    while let number = try Parted.nextNumbered(&source, into: &row) {
      var kept = NameBlock.Writer(number)
      try NameBlock.visit(row.bytes, number) { (item, name) in
        if !erasure.isGone(item: item) { kept.append(item, name) }
        return true
      }
      if kept.row.count > 0 {
        try batch.appendParted(Self.ordinalKey(number).rawSpan, kept.row.bytes)
      }
      if batch.isFull { try writer.append(&batch, to: table) }
    }
    try writer.append(&batch, to: table)
  }
}
