import CLMDB

package struct TableSize: Sendable {
  package let name: TableName
  package let rowCount: Int
  /// Bytes of its pages, which need not be full.
  package let byteCount: Int
}

extension Environment {
  /// What each table takes, in the order of the configuration.
  ///
  /// What the file has beyond their sum is pages that the next commits use.
  /// - Complexity: O(tables). (`mdb_stat`)
  package func tableSizes() throws(CairnError) -> [TableSize] {
    try read { (txn) throws(CairnError) in
      var sizes: [TableSize] = []
      for name in configuration.tables {
        let found = try txn.statistics(of: self[name])
        let pageCount = found.ms_branch_pages + found.ms_leaf_pages + found.ms_overflow_pages
        sizes.append(
          TableSize(
            name: name, rowCount: found.ms_entries, byteCount: pageCount * Int(found.ms_psize)))
      }
      return sizes
    }
  }
}
