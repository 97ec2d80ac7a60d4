import CLMDB
import CPageGuard

/// One consistent view of a file: nothing committed later shows.
///
/// Lives only inside `Environment.read` or `Environment.write`. What it lends — spans, cursors —
/// points into the file itself and cannot outlive it; the compiler refuses that.
/// Not for use from two threads at once.
@safe package struct ReadTransaction: ~Copyable {
  let raw: OpaquePointer
  let environment: Environment
  /// Whether its lookups add up: those of a write transaction do, over a large batch.
  let notesLookups: Bool
  /// Whether its reads are wanted still; nil where they always are.
  let cancellation: Cancellation?

  /// The value stored under `key`, or nil.
  ///
  /// Its checksum has been verified.
  /// - Complexity: O(log n), no allocation.
  /// - Throws: `.corrupt` when the checksum does not match; `.badArgument` for an empty
  ///   key; `.aborted` once nobody waits for it. (`mdb_get`)
  @_lifetime(borrow self) package func get(_ table: Table, _ key: RawSpan) throws(CairnError)
    -> RawSpan?
  {
    environment.check(table)
    var data = unsafe MDB_val()
    let status = unsafe key.withUnsafeBytes { key in
      var name = unsafe MDB_val(lending: key)
      return unsafe cairn_guarded_get(UnsafeMutableRawPointer(raw), table.handle, &name, &data)
    }
    if notesLookups { environment.noteLookup() }
    try cancellation?.check()
    if status == MDB_NOTFOUND { return nil }
    guard status == 0 else { throw environment.error(status, doing: "read a row", in: table) }
    let value = try unsafe environment.unsealed(data, key: key, table)
    // SAFETY: LMDB keeps the page as it is until the transaction ends or, in a write
    // transaction, until the next change; both need exclusive access to `self`.
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: value), borrowing: self)
  }

  /// The value stored under `key`, or nil; see the other overload.
  @_lifetime(borrow self) package func get(_ table: Table, _ key: [UInt8]) throws(CairnError)
    -> RawSpan?
  {
    let found = try get(table, key.rawSpan)
    // SAFETY: the value lies in the file, not in `key`; the same reason as above.
    return unsafe _overrideLifetime(found, borrowing: self)
  }

  /// A cursor before the first row.
  ///
  /// Pages that a walk has passed are given back when they add up to much; not those of a question
  /// whose next one mostly walks there again, but in long work.
  /// - Throws: `.io` when memory runs out. (`mdb_cursor_open`)
  @_lifetime(borrow self) package func cursor(_ table: Table, keepsPages: Bool = false)
    throws(CairnError) -> Cursor
  { try Cursor(self, table, keepsPages: keepsPages) }

  /// LMDB's cursor over a table, which the caller closes.
  func openCursor(_ table: Table) throws(CairnError) -> OpaquePointer {
    environment.check(table)
    var opened: UnsafeMutableRawPointer?
    let status = unsafe cairn_guarded_open(
      UnsafeMutableRawPointer(raw), table.handle, &opened)
    guard status == 0, let opened = unsafe opened else {
      throw environment.error(status, doing: "open a cursor", in: table)
    }
    return OpaquePointer(opened)
  }

  /// How many rows the table holds.
  /// - Complexity: O(1). (`mdb_stat`)
  package func count(_ table: Table) throws(CairnError) -> Int {
    try statistics(of: table).ms_entries
  }

  /// How many pages hold the rows of the table.
  /// - Complexity: O(1). (`mdb_stat`)
  package func leafCount(_ table: Table) throws(CairnError) -> Int {
    try statistics(of: table).ms_leaf_pages
  }

  func statistics(of table: Table) throws(CairnError) -> MDB_stat {
    environment.check(table)
    var statistics = MDB_stat()
    let status = unsafe cairn_guarded_stat(
      UnsafeMutableRawPointer(raw), table.handle, &statistics)
    guard status == 0 else { throw environment.error(status, doing: "count rows", in: table) }
    return statistics
  }
}

extension MDB_val {
  /// Lends `bytes` to LMDB for the length of one call; LMDB does not write to them.
  init(lending bytes: UnsafeRawBufferPointer) {
    unsafe self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  /// The bytes LMDB lent.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: mv_data, count: mv_size)
  }
}
