import CLMDB

/// Opens all tables of a file in one transaction, making those that are not there.
@safe struct TableOpening {
  let raw: OpaquePointer
  let fileName: String
  let configuration: Environment.Configuration

  /// The handle of each table.
  ///
  /// The write lock is taken only when a table has to be made.
  func run() throws(CairnError) -> [TableName: UInt32] {
    if let handles = try attempt(UInt32(MDB_RDONLY), creating: 0) { return handles }
    let found = try mainKeys()
    if let name = damagedName(among: found) {
      // Made anew it would be empty, and answers would be wrong in silence.
      throw CairnError(
        .corrupt, "the name of a table is damaged", place: "\(fileName), table \(name.rawValue)")
    }
    guard configuration.access == .readWrite else {
      // Another process is about to make them.
      guard !found.isEmpty else {
        throw CairnError(.missing, "nothing was written to it yet", place: fileName)
      }
      // They may have been made between the two looks.
      if let handles = try attempt(UInt32(MDB_RDONLY), creating: 0) { return handles }
      throw CairnError(
        .unsupportedFormat, "a table is missing; open the file once for writing", place: fileName)
    }
    guard let handles = try attempt(0, creating: UInt32(MDB_CREATE)) else {
      throw CairnError(.internal, "a table could not be made", place: fileName)
    }
    return handles
  }

  /// A table that is not there, while one of almost its name is that nobody knows.
  ///
  /// LMDB keeps the names beside the rows of its main table, under no checksum.
  private func damagedName(among keys: [[UInt8]]) -> TableName? {
    let known = Set(configuration.tables.map { Array($0.rawValue.utf8) })
    let strangers = keys.filter { $0.count > 1 && !known.contains($0) }
    return configuration.tables.first { table in
      let name = Array(table.rawValue.utf8)
      return table != .main && !keys.contains(name)
        && strangers.contains { Self.isForm($0, of: name) }
    }
  }

  /// Whether names differ in one byte or in their length alone.
  private static func isForm(_ one: [UInt8], of other: [UInt8]) -> Bool {
    one.count == other.count
      ? zip(one, other).count { $0 != $1 } == 1
      : one.starts(with: other) || other.starts(with: one)
  }

  /// The keys of the main table: names of tables, and rows of ours with keys of one byte.
  private func mainKeys() throws(CairnError) -> [[UInt8]] {
    let transaction = try unsafe Environment.begin(
      raw, UInt32(MDB_RDONLY), doing: "look at the tables", place: fileName)
    defer { unsafe mdb_txn_abort(transaction) }
    var handle: UInt32 = 0
    var opened: OpaquePointer?
    guard unsafe mdb_dbi_open(transaction, nil, 0, &handle) == 0,
      unsafe mdb_cursor_open(transaction, handle, &opened) == 0, let cursor = unsafe opened
    else { throw CairnError(.corrupt, "the main table cannot be read", place: fileName) }
    defer { unsafe mdb_cursor_close(cursor) }
    var keys: [[UInt8]] = []
    var key = unsafe MDB_val()
    var data = unsafe MDB_val()
    while true {
      let step = unsafe mdb_cursor_get(cursor, &key, &data, MDB_NEXT)
      if step == MDB_NOTFOUND { return keys }
      guard step == 0 else {
        throw CairnError(status: step, doing: "look at the tables", place: fileName)
      }
      // SAFETY: a key lies in the map for the time of the transaction.
      keys.append(unsafe Array(UnsafeRawBufferPointer(start: key.mv_data, count: key.mv_size)))
    }
  }

  private func attempt(_ flags: UInt32, creating: UInt32) throws(CairnError) -> [TableName: UInt32]?
  {
    let transaction = try unsafe Environment.begin(
      raw, flags, doing: "open the tables", place: fileName)
    var handles: [TableName: UInt32] = [:]
    for name in configuration.tables {
      var handle: UInt32 = 0
      let status =
        name == .main
        ? unsafe mdb_dbi_open(transaction, nil, 0, &handle)
        : unsafe mdb_dbi_open(transaction, name.rawValue, creating, &handle)
      if status == 0 {
        handles[name] = handle
        continue
      }
      unsafe mdb_txn_abort(transaction)
      if status == MDB_NOTFOUND { return nil }
      throw CairnError(
        status: status, doing: "open a table", place: "\(fileName), table \(name.rawValue)")
    }
    // Committing also the read transaction is what keeps the handles.
    let outcome = unsafe mdb_txn_commit(transaction)
    guard outcome == 0 else {
      throw CairnError(status: outcome, doing: "make the tables", place: fileName)
    }
    return handles
  }
}
