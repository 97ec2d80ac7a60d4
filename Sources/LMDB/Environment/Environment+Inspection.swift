import CLMDB
import Glibc

extension Environment {
  /// Bytes up to which a file's structure is checked whenever it is opened: about a millisecond.
  private static let checkedAtOpeningByteCount = 4 << 20

  /// Checks the structure of a small file.
  ///
  /// Rows carry checksums, pages of LMDB do not: a damaged one can make a search miss a row, or
  /// crash. Large files are checked by `verify` only.
  /// - Throws: `.corrupt` naming the first page that is wrong.
  package func checkStructureIfSmall() throws(CairnError) {
    if byteCount <= Self.checkedAtOpeningByteCount { try checkStructure() }
  }

  /// Walks all pages of the last commit and checks their structure.
  ///
  /// Values are not looked at: scan the tables with a cursor for that. Writers may go on.
  /// - Complexity: O(pages in use).
  /// - Throws: `.corrupt` naming the first page that is wrong. Nothing when commits come too fast
  ///   for the walk to start: a file that is being written that fast works.
  package func checkStructure() throws(CairnError) {
    for _ in 0..<Self.walkAttemptCount {
      do throws(CairnError) { return try walkPages() } catch  where error.code == .busy {
        usleep(500)
      }
    }
  }

  /// Reads every row of some tables, and so checks its checksum.
  /// - Complexity: O(bytes of the rows).
  /// - Throws: `.corrupt` naming the first row that is wrong.
  package func checkRows(of names: [TableName]) throws(CairnError) {
    for name in names {
      let table = self[name]
      try read { (txn) throws(CairnError) in
        try txn.scan(table) { (_, _) throws(CairnError) in true }
      }
    }
  }

  private static let walkAttemptCount = 20

  private func walkPages() throws(CairnError) {
    try read { (txn) throws(CairnError) in
      // The walk is safe only on the pages this view holds.
      let meta = try MetaPage.newest(descriptor, place: fileName)
      guard meta.transaction == UInt64(unsafe mdb_txn_id(txn.raw)) else {
        throw CairnError(.busy, "the store is being written; try again", place: fileName)
      }
      try PageTree.check(descriptor, meta, place: fileName)
    }
  }

  /// Address space reserved for the file, in bytes.
  package var mapByteCount: Int {
    var info = unsafe MDB_envinfo()
    unsafe mdb_env_info(raw, &info)
    return unsafe info.me_mapsize
  }
}
