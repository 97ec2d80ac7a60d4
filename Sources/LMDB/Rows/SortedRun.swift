import CLMDB
import CPageGuard

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

/// Reads and changes of one table one after the other, in the order of their keys.
///
/// A row next to the one before is found on the same page, without a way down from the root: half
/// the time of a row by itself where there are some for each page.
@safe package struct SortedRun: ~Copyable {
  private let raw: OpaquePointer
  private let table: Table
  private let environment: Environment
  private let flags: UInt32
  fileprivate var needsRoom = false

  fileprivate init(_ txn: borrowing ReadTransaction, _ table: Table, append: Bool)
    throws(CairnError)
  {
    self.table = table
    environment = txn.environment
    flags = UInt32(MDB_RESERVE) | (append ? UInt32(MDB_APPEND) : 0)
    unsafe raw = try txn.openCursor(table)
  }

  deinit { unsafe mdb_cursor_close(raw) }

  /// The value stored under `key`, or nil.
  ///
  /// Its checksum has been verified. (`MDB_SET`)
  /// - Throws: `.corrupt` when the checksum does not match.
  @_lifetime(&self) package mutating func get(_ key: RawSpan) throws(CairnError) -> RawSpan? {
    var data = unsafe MDB_val()
    let status = unsafe key.withUnsafeBytes { key in
      var name = unsafe MDB_val(lending: key)
      return unsafe cairn_guarded_move(
        UnsafeMutableRawPointer(raw), &name, &data, CInt(MDB_SET.rawValue))
    }
    environment.noteLookup()
    if status == MDB_NOTFOUND { return nil }
    guard status == 0 else { throw environment.error(status, doing: "read a row", in: table) }
    let value = try unsafe environment.unsealed(data, key: key, table)
    // SAFETY: the row stays in place until the next change or the end of the run, and both need
    // exclusive access while the value is alive.
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: value), mutating: &self)
  }

  /// Stores `value` under `key`, replacing what was there. (`mdb_cursor_put`)
  ///
  /// Of a key that `isLast`, after all others of the table, pages are filled.
  package mutating func put(_ key: RawSpan, _ value: RawSpan, isLast: Bool = false)
    throws(CairnError)
  {
    RowSize.check(key, value)
    let flags = isLast ? flags | UInt32(MDB_APPEND) : flags
    let status = unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in
        var name = unsafe MDB_val(lending: key)
        var room = unsafe MDB_val(mv_size: value.count + Limits.checksumByteCount, mv_data: nil)
        let status = unsafe mdb_cursor_put(raw, &name, &room, flags)
        if status == 0 { unsafe Seal.write(value, key: key, into: room) }
        return status
      }
    }
    try environment.accept(status, doing: "store a row", in: table, needsRoom: &needsRoom)
  }

  /// Removes the row under `key`, if there is one. (`mdb_cursor_del`)
  package mutating func delete(_ key: RawSpan) throws(CairnError) {
    let status = unsafe key.withUnsafeBytes { key in
      var name = unsafe MDB_val(lending: key)
      let found = unsafe mdb_cursor_get(raw, &name, nil, MDB_SET)
      return found == 0 ? unsafe mdb_cursor_del(raw, 0) : found
    }
    if status == MDB_NOTFOUND { return }
    try environment.accept(status, doing: "delete a row", in: table, needsRoom: &needsRoom)
  }
}

extension WriteTransaction {
  /// Changes rows one after the other in the order of their keys; any order is right, if slower.
  ///
  /// Where every key comes after all others of the table, `append` fills pages.
  /// - Throws: What ``put(_:_:_:)-(_,RawSpan,_)`` throws, and what `body` throws.
  package mutating func run(
    _ table: Table, append: Bool = false,
    _ body: (_ run: inout SortedRun) throws(CairnError) -> Void
  ) throws(CairnError) {
    var run = try SortedRun(reader, table, append: append)
    defer { if run.needsRoom { needsRoom = true } }
    try body(&run)
  }
}
