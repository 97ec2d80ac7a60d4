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
    guard configuration.access == .readWrite else {
      // Another process is about to make them.
      guard try hasTables() else {
        throw CairnError(.missing, "nothing was written to it yet", place: fileName)
      }
      throw CairnError(
        .unsupportedFormat, "a table is missing; open the file once for writing", place: fileName)
    }
    guard let handles = try attempt(0, creating: UInt32(MDB_CREATE)) else {
      throw CairnError(.internal, "a table could not be made", place: fileName)
    }
    return handles
  }

  /// Whether any table was ever made in the file.
  private func hasTables() throws(CairnError) -> Bool {
    var begun: OpaquePointer?
    let status = unsafe mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &begun)
    guard status == 0, let transaction = unsafe begun else {
      throw CairnError(status: status, doing: "look at the tables", place: fileName)
    }
    defer { unsafe mdb_txn_abort(transaction) }
    var handle: UInt32 = 0
    var found = MDB_stat()
    guard unsafe mdb_dbi_open(transaction, nil, 0, &handle) == 0,
      unsafe mdb_stat(transaction, handle, &found) == 0
    else { return true }
    return found.ms_entries > 0
  }

  private func attempt(_ flags: UInt32, creating: UInt32) throws(CairnError) -> [TableName:
    UInt32]?
  {
    var begun: OpaquePointer?
    let status = unsafe mdb_txn_begin(raw, nil, flags, &begun)
    guard status == 0, let transaction = unsafe begun else {
      throw CairnError(status: status, doing: "open the tables", place: fileName)
    }
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
