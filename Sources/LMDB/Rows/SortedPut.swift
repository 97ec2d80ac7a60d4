import CLMDB

/// What a row may hold.
enum RowSize {
  static func check(_ key: RawSpan, _ value: RawSpan) {
    precondition(
      key.byteCount >= 1 && key.byteCount <= Limits.keyByteCountMax, "a key has 1…511 bytes")
    precondition(
      value.byteCount <= Limits.valueByteCountMax
        || key.byteCount + value.byteCount <= Limits.rowByteCountMax,
      "values over 1,896 bytes go through Parted")
  }
}

/// Rows put into one table one after the other, in the order of their keys.
///
/// A row next to the one before is found on the same page, without a way down from the root: half
/// the time of a row by itself where there are some for each page.
@safe struct SortedPut: ~Copyable {
  private let raw: OpaquePointer

  fileprivate init(raw: OpaquePointer) { unsafe self.raw = raw }

  deinit { unsafe mdb_cursor_close(raw) }

  /// Stores `value` under `key`, replacing what was there. (`mdb_cursor_put`)
  fileprivate mutating func put(_ key: RawSpan, _ value: RawSpan, flags: UInt32) -> CInt {
    RowSize.check(key, value)
    return unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in
        var name = unsafe MDB_val(lending: key)
        var room = unsafe MDB_val(mv_size: value.count + Limits.checksumByteCount, mv_data: nil)
        let status = unsafe mdb_cursor_put(raw, &name, &room, flags | UInt32(MDB_RESERVE))
        if status == 0 { unsafe Seal.write(value, key: key, into: room) }
        return status
      }
    }
  }
}

extension WriteTransaction {
  /// Stores rows one after the other in the order of their keys; any order is right, if slower.
  ///
  /// Where every key comes after all others of the table, `append` fills pages.
  /// - Throws: What ``put(_:_:_:)-(_,RawSpan,_)`` throws, and what `body` throws.
  package mutating func putRun(
    _ table: Table, append: Bool = false,
    _ body: (_ put: (RawSpan, RawSpan) throws(CairnError) -> Void) throws(CairnError) -> Void
  ) throws(CairnError) {
    var run = try unsafe SortedPut(raw: reader.openCursor(table))
    let flags = append ? UInt32(MDB_APPEND) : 0
    try body { (key, value) throws(CairnError) in
      try acceptStore(run.put(key, value, flags: flags), in: table)
    }
  }
}
