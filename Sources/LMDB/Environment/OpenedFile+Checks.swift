import CLMDB
import Glibc

extension OpenedFile {
  /// Throws when the lock file tells of another file than this one.
  ///
  /// It belongs to the path. When a file was renamed over one that a process still has open, both
  /// would share readers and transaction numbers, and the new file would be read at the old's.
  static func checkLockFile(_ raw: OpaquePointer, _ fileName: String) throws(CairnError) {
    var descriptor: CInt = -1
    unsafe mdb_env_get_fd(raw, &descriptor)
    var transaction: OpaquePointer?
    let before = try MetaPage.newest(descriptor, place: fileName).transaction
    let status = unsafe mdb_txn_begin(raw, nil, UInt32(MDB_RDONLY), &transaction)
    guard status == 0, let transaction = unsafe transaction else {
      throw CairnError(status: status, doing: "start a read", place: fileName)
    }
    let seen = UInt64(unsafe mdb_txn_id(transaction))
    unsafe mdb_txn_abort(transaction)
    let after = try MetaPage.newest(descriptor, place: fileName).transaction
    // A commit writes the meta page first and then tells the lock file: in between, or when it
    // was killed there, the lock file is one behind.
    guard before <= seen + 1, seen <= after else {
      throw CairnError(
        .busy, "another process still has open the file that this one replaced; close it there",
        place: fileName)
    }
  }

  /// Makes the file as long as its last page says, so that later openings need not walk it.
  ///
  /// Runs in a write transaction: another writer may be adding pages at the end.
  static func lengthen(_ raw: OpaquePointer, _ fileName: String) throws(CairnError) {
    var transaction: OpaquePointer?
    let status = unsafe mdb_txn_begin(raw, nil, 0, &transaction)
    guard status == 0, let transaction = unsafe transaction else {
      throw CairnError(status: status, doing: "start a write", place: fileName)
    }
    defer { unsafe mdb_txn_abort(transaction) }
    var descriptor: CInt = -1
    unsafe mdb_env_get_fd(raw, &descriptor)
    let meta = try MetaPage.newest(descriptor, place: fileName)
    let wanted = Int(meta.lastPage + 1) * meta.pageByteCount
    var file = stat()
    guard unsafe fstat(descriptor, &file) == 0, Int(file.st_size) < wanted else { return }
    guard ftruncate(descriptor, wanted) == 0 else {
      throw CairnError(status: errno, doing: "lengthen the file", place: fileName)
    }
  }
}
