import CLMDB

/// The one transaction that may change a file; all of it becomes visible, or nothing.
///
/// Lives only inside `Environment.write`, which commits it when the body returns and drops it
/// when the body throws. Rows are read through `reader`; a span or cursor must be gone before the
/// next change, and the compiler sees to that.
package struct WriteTransaction: ~Copyable {
  /// The view of this transaction, its own changes included.
  package let reader: ReadTransaction
  /// Set when the map was too small: the transaction is void and will be run again.
  var needsRoom = false

  init(raw: OpaquePointer, environment: Environment) {
    reader = unsafe ReadTransaction(
      raw: raw, environment: environment, notesLookups: true, cancellation: nil)
  }

  /// Stores `value` under `key` in place of what was there.
  ///
  /// The key must be 1…511 bytes and the value at most `Limits.valueByteCountMax`; longer values
  /// go through `Parted`.
  /// - Complexity: O(log n); no copy besides the one into the page. (`mdb_put`)
  package mutating func put(_ table: Table, _ key: RawSpan, _ value: RawSpan) throws(CairnError) {
    try store(table, key, value, flags: 0)
  }

  /// Stores `value` under `key`; see the other overload.
  package mutating func put(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws(CairnError) {
    try store(table, key.rawSpan, value.rawSpan, flags: 0)
  }

  /// Stores a row after all others, filling pages to the brim.
  /// - Complexity: O(1) amortised. (`MDB_APPEND`)
  /// - Throws: `.badArgument` when `key` does not come after every key of the table.
  package mutating func append(_ table: Table, _ key: RawSpan, _ value: RawSpan) throws(CairnError)
  { try store(table, key, value, flags: UInt32(MDB_APPEND)) }

  /// Stores a row after all others; see the other overload.
  package mutating func append(_ table: Table, _ key: [UInt8], _ value: [UInt8]) throws(CairnError)
  { try store(table, key.rawSpan, value.rawSpan, flags: UInt32(MDB_APPEND)) }

  /// Removes the row under `key` and tells whether there was one.
  /// - Complexity: O(log n). (`mdb_del`)
  @discardableResult package mutating func delete(_ table: Table, _ key: RawSpan)
    throws(CairnError) -> Bool
  {
    reader.environment.check(table)
    let status = unsafe key.withUnsafeBytes { key in
      var name = unsafe MDB_val(lending: key)
      return unsafe mdb_del(reader.raw, table.handle, &name, nil)
    }
    if status == MDB_NOTFOUND { return false }
    try accept(status, doing: "delete a row", in: table)
    return true
  }

  /// Removes the row under `key`; see the other overload.
  @discardableResult package mutating func delete(_ table: Table, _ key: [UInt8])
    throws(CairnError) -> Bool
  { try delete(table, key.rawSpan) }

  /// Removes all rows and keeps the table.
  /// - Complexity: O(pages of the table). (`mdb_drop`)
  package mutating func removeAll(_ table: Table) throws(CairnError) {
    reader.environment.check(table)
    let status = unsafe mdb_drop(reader.raw, table.handle, 0)
    try accept(status, doing: "empty a table", in: table)
  }

  private mutating func store(_ table: Table, _ key: RawSpan, _ value: RawSpan, flags: UInt32)
    throws(CairnError)
  {
    reader.environment.check(table)
    RowSize.check(key, value)
    let status = unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in
        var name = unsafe MDB_val(lending: key)
        var room = unsafe MDB_val(mv_size: value.count + Limits.checksumByteCount, mv_data: nil)
        let status = unsafe mdb_put(
          reader.raw, table.handle, &name, &room, flags | UInt32(MDB_RESERVE))
        if status == 0 { unsafe Seal.write(value, key: key, into: room) }
        return status
      }
    }
    try accept(status, doing: "store a row", in: table)
  }

  private mutating func accept(_ status: CInt, doing action: String, in table: Table)
    throws(CairnError)
  { try reader.environment.accept(status, doing: action, in: table, needsRoom: &needsRoom) }
}

extension Environment {
  /// Throws what a change failed with, and notes when that is a map too small.
  ///
  /// Notes the page as well that was looked up for it: a page is copied from the map.
  func accept(
    _ status: CInt, doing action: String, in table: Table, needsRoom: inout Bool
  ) throws(CairnError) {
    noteLookup()
    guard status != 0 else { return }
    if status == MDB_MAP_FULL { needsRoom = true }
    if status == MDB_KEYEXIST {
      throw CairnError(
        .badArgument, "appended keys must rise; sort the batch", place: place(of: table))
    }
    throw error(status, doing: action, in: table)
  }
}
