/// Values longer than one row, as rows keyed key ‖ part (`UInt16`, big-endian).
///
/// Part 0 starts with the byte count of the whole value (`UInt32`, big-endian). Each part is one
/// row inside a leaf page, so nothing is left in the tail of an overflow page. Keys may have up to
/// 509 bytes; keys of one table must not be prefixes of each other unless of equal length.
package enum Parted {
  /// Value bytes in part 0, after the count.
  package static let firstPartByteCount = Limits.valueByteCountMax - 4
  /// Value bytes in every further part.
  package static let partByteCount = Limits.valueByteCountMax

  /// Stores `value` under `key`, and removes parts a longer old value left.
  ///
  /// With `append` the key must come after all others of the table.
  /// - Complexity: O(parts · log n).
  package static func put(
    _ txn: inout WriteTransaction, _ table: Table, key: [UInt8], value: RawSpan,
    append: Bool = false
  ) throws(CairnError) {
    let oldCount = append ? 0 : try partCount(txn.reader, table, key)
    let newCount = partCount(of: value.byteCount)
    precondition(newCount <= 1 << 16, "a parted value has at most 65,536 parts")
    try forEachPart(key.rawSpan, value) { (name, row) throws(CairnError) in
      if append { try txn.append(table, name, row) } else { try txn.put(table, name, row) }
    }
    var name = ByteWriter(capacity: key.count + 2)
    for part in newCount..<max(oldCount, newCount) {
      setName(&name, key.rawSpan, part)
      try txn.delete(table, name.bytes)
    }
  }

  /// Makes the rows of a value, in the order of their keys.
  static func forEachPart(
    _ key: RawSpan, _ value: RawSpan,
    _ body: (_ name: RawSpan, _ row: RawSpan) throws(CairnError) -> Void
  ) throws(CairnError) {
    var row = ByteWriter(capacity: Limits.valueByteCountMax)
    var name = ByteWriter(capacity: key.byteCount + 2)
    var offset = 0
    for part in 0..<partCount(of: value.byteCount) {
      row.removeAll()
      if part == 0 { row.appendBigEndian(UInt32(value.byteCount)) }
      let room = part == 0 ? firstPartByteCount : partByteCount
      let end = min(offset + room, value.byteCount)
      row.append(value.extracting(offset..<end))
      offset = end
      setName(&name, key, part)
      try body(name.bytes, row.bytes)
    }
  }

  /// A copy of the value under `key`, or nil.
  /// - Throws: `.corrupt` when a part is missing or has the wrong length.
  package static func get(_ txn: borrowing ReadTransaction, _ table: Table, key: [UInt8])
    throws(CairnError) -> [UInt8]?
  {
    var value = ByteWriter()
    return try get(txn, table, key: key, into: &value) ? value.array() : nil
  }

  /// Adds the value under `key` to `value`, and tells whether there is one.
  /// - Complexity: O(parts · log n).
  package static func get(
    _ txn: borrowing ReadTransaction, _ table: Table, key: [UInt8], into value: inout ByteWriter
  ) throws(CairnError) -> Bool {
    var name = ByteWriter(capacity: key.count + 2)
    setName(&name, key.rawSpan, 0)
    guard let first = try txn.get(table, name.bytes) else { return false }
    var reader = ByteReader(first)
    let total = Int(try reader.readBigEndian32())
    let start = value.count
    value.append(try reader.readBytes(reader.remaining))
    for part in 1..<max(partCount(of: total), 1) {
      setName(&name, key.rawSpan, part)
      guard let row = try txn.get(table, name.bytes) else { throw Self.damage(txn, table) }
      value.append(row)
    }
    guard value.count - start == total else { throw Self.damage(txn, table) }
    return true
  }

  /// Replaces `value` by the value that a cursor stands before, and gives the number that is its
  /// key; nil after the last one.
  ///
  /// For tables keyed by four bytes, big-endian. With `from` it is the first value whose number is
  /// not below that one, wherever the cursor stands.
  /// - Complexity: O(parts), with `from` O(parts + log n).
  /// - Throws: `.corrupt` when a part is missing or has the wrong length.
  package static func nextNumbered(
    _ cursor: inout Cursor, from least: UInt32? = nil, into value: inout ByteWriter
  ) throws(CairnError) -> UInt32? {
    value.removeAll()
    guard let (number, total) = try firstNumbered(&cursor, from: least, into: &value) else {
      return nil
    }
    for part in 1..<max(partCount(of: total), 1) {
      guard let row = try cursor.next(), row.key.byteCount == 6,
        row.key.loadBigEndian32(at: 0) == number, row.key.loadBigEndian16(at: 4) == part
      else { throw damage }
      value.append(row.value)
    }
    guard value.count == total else { throw damage }
    return number
  }

  /// Adds the bytes of part 0 of the next value.
  private static func firstNumbered(
    _ cursor: inout Cursor, from least: UInt32?, into value: inout ByteWriter
  ) throws(CairnError) -> (number: UInt32, total: Int)? {
    if let least {
      var key = ByteWriter(capacity: 6)
      key.appendBigEndian(least)
      key.appendBigEndian(UInt16(0))
      guard let row = try cursor.seek(key.bytes) else { return nil }
      return try firstNumbered(row, into: &value)
    }
    guard let row = try cursor.next() else { return nil }
    return try firstNumbered(row, into: &value)
  }

  private static func firstNumbered(_ row: borrowing Entry, into value: inout ByteWriter)
    throws(CairnError) -> (number: UInt32, total: Int)
  {
    guard row.key.byteCount == 6, row.key.loadBigEndian16(at: 4) == 0 else { throw damage }
    var reader = ByteReader(row.value)
    let total = Int(try reader.readBigEndian32())
    guard reader.remaining == min(total, firstPartByteCount) else { throw damage }
    value.append(try reader.readBytes(reader.remaining))
    return (row.key.loadBigEndian32(at: 0), total)
  }

  /// Removes the value under `key` and tells whether there was one.
  @discardableResult package static func delete(
    _ txn: inout WriteTransaction, _ table: Table, key: [UInt8]
  ) throws(CairnError) -> Bool {
    let count = try partCount(txn.reader, table, key)
    var name = ByteWriter(capacity: key.count + 2)
    for part in 0..<count {
      setName(&name, key.rawSpan, part)
      try txn.delete(table, name.bytes)
    }
    return count > 0
  }

  private static func partCount(of byteCount: Int) -> Int {
    let rest = max(byteCount - firstPartByteCount, 0)
    return 1 + (rest + partByteCount - 1) / partByteCount
  }

  private static func partCount(_ txn: borrowing ReadTransaction, _ table: Table, _ key: [UInt8])
    throws(CairnError) -> Int
  {
    var name = ByteWriter(capacity: key.count + 2)
    setName(&name, key.rawSpan, 0)
    guard let first = try txn.get(table, name.bytes) else { return 0 }
    var reader = ByteReader(first)
    return partCount(of: Int(try reader.readBigEndian32()))
  }

  private static func setName(_ name: inout ByteWriter, _ key: RawSpan, _ part: Int) {
    name.removeAll()
    name.append(key)
    name.appendBigEndian(UInt16(part))
  }

  private static func damage(_ txn: borrowing ReadTransaction, _ table: Table) -> CairnError {
    var error = damage
    error.place = txn.environment.place(of: table)
    return error
  }

  private static var damage: CairnError {
    CairnError(.corrupt, "a part of a long value is missing")
  }
}
