import CLMDB
import Glibc

extension Environment {
  /// Walks all pages of the last commit and checks their structure.
  ///
  /// Values are not looked at: scan the tables with a cursor for that. Writers may go on.
  /// - Complexity: O(pages in use).
  /// - Throws: `.corrupt` naming the first page that is wrong; `.busy` when commits come too fast
  ///   for the walk to start.
  package func checkStructure() throws(StorageError) {
    try read { (txn) throws(StorageError) in
      var descriptor: CInt = -1
      var status = stat()
      guard unsafe mdb_env_get_fd(raw, &descriptor) == 0, unsafe fstat(descriptor, &status) == 0
      else { throw StorageError(status: errno, doing: "look at the file", place: fileName) }
      // The walk is safe only on the pages this view holds.
      let meta = try MetaPage.newest(descriptor, place: fileName)
      guard meta.transaction == UInt64(unsafe mdb_txn_id(txn.raw)) else {
        throw StorageError(.busy, "the store is being written; try again", place: fileName)
      }
      try PageTree.check(
        descriptor,
        meta,
        fileByteCount: Int(status.st_size),
        place: fileName
      )
    }
  }

  /// Reader slots taken so far, over all processes; never more than were in use at once.
  /// (`mdb_env_info`)
  package var readerSlotCount: Int {
    var info = unsafe MDB_envinfo()
    unsafe mdb_env_info(raw, &info)
    return unsafe Int(info.me_numreaders)
  }

  /// Address space reserved for the file, in bytes.
  package var mapByteCount: Int {
    var info = unsafe MDB_envinfo()
    unsafe mdb_env_info(raw, &info)
    return unsafe info.me_mapsize
  }
}
