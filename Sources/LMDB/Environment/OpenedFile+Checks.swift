import CLMDB
import Files
import Glibc

extension OpenedFile {
  /// Throws when the pages that list the tables are damaged: LMDB would follow them and crash.
  static func checkTables(_ raw: OpaquePointer, _ fileName: String) throws(CairnError) {
    let descriptor = unsafe Environment.descriptor(of: raw)
    // Where commits come too fast for the walk to start the file works.
    for _ in 0..<walkAttemptCount {
      let transaction = try unsafe Environment.begin(
        raw, UInt32(MDB_RDONLY), doing: "start a read", place: fileName)
      defer { unsafe mdb_txn_abort(transaction) }
      let meta = try MetaPage.newest(descriptor, place: fileName)
      // The walk is safe only on the pages that the transaction holds.
      guard meta.transaction == UInt64(unsafe mdb_txn_id(transaction)) else {
        usleep(500)
        continue
      }
      return try PageTree.checkTables(descriptor, meta, place: fileName)
    }
  }

  private static let walkAttemptCount = 20

  /// Throws when the lock file tells of another file than this one.
  ///
  /// It belongs to the path. When a file was renamed over one that a process still has open, both
  /// would share readers and transaction numbers, and the new file would be read at the old's.
  static func checkLockFile(_ raw: OpaquePointer, _ fileName: String) throws(CairnError) {
    let descriptor = unsafe Environment.descriptor(of: raw)
    let before = try MetaPage.newest(descriptor, place: fileName).transaction
    let transaction = try unsafe Environment.begin(
      raw, UInt32(MDB_RDONLY), doing: "start a read", place: fileName)
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
    let transaction = try unsafe Environment.begin(raw, 0, doing: "start a write", place: fileName)
    defer { unsafe mdb_txn_abort(transaction) }
    let descriptor = unsafe Environment.descriptor(of: raw)
    let meta = try MetaPage.newest(descriptor, place: fileName)
    let wanted = Int(meta.lastPage + 1) * meta.pageByteCount
    guard let file = FileStatus(descriptor: descriptor), file.byteCount < wanted else { return }
    guard ftruncate(descriptor, wanted) == 0 else {
      throw CairnError(status: errno, doing: "lengthen the file", place: fileName)
    }
  }
}
