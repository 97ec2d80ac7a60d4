import Catalog
import LMDB
import Projections
import Ranking
import TextIndex
import Timeline

extension Generation {
  /// The digest kept with a projection's rows, and that of the rows as they are.
  ///
  /// - Complexity: O(rows).
  func digests(
    of part: Checkpoint.Part
  ) throws(StorageError) -> (stored: RowDigest, found: RowDigest) {
    try environment.read { (txn) throws(StorageError) in
      let stored = try checkpoint(in: txn)[part]
      let found: RowDigest
      switch part {
      case .catalog:
        found = try catalog.recomputedDigest(in: txn)
      case .text:
        found = try text.recomputedDigest(in: txn)
      case .ranking:
        found = try ranking.recomputedDigest(
          in: txn,
          itemKey: { (item) throws(StorageError) in try catalog.nameKey(of: item, in: txn) },
          domainKey: { (domain) throws(StorageError) in
            let name = try catalog.domainName(domain, in: txn)
            return NameKey(name, name.indices)
          }
        )
      case .timeline:
        found = try timeline.recomputedDigest(
          in: txn,
          itemKey: { (item) throws(StorageError) in try catalog.nameKey(of: item, in: txn) },
          domainKey: { (domain) throws(StorageError) in
            let name = try catalog.domainName(domain, in: txn)
            return NameKey(name, name.indices)
          }
        )
      }
      return (stored, found)
    }
  }
}
