import Catalog
import LMDB
import Projections
import TextIndex

/// The digest kept with a projection's rows, and that of the rows as they are.
typealias DigestPair = (stored: RowDigest, found: RowDigest)

extension Generation {
  /// What `textDigest` and `otherDigests` together do not read from end to end.
  private static let rowsOnlyTables: [TableName] = {
    let audited = projections.flatMap { $0.auditedTables }
    // Of the shared rows each is read with what it belongs to.
    return tables.filter { !audited.contains($0) && $0 != SharedRows.tableName }
  }()

  /// The text index compared with its digest, each of its rows read once.
  ///
  /// `names` is asked when all postings were read; names it does not give are looked up one by one.
  /// - Complexity: O(rows).
  /// - Throws: `.corrupt` for damaged rows.
  func textDigest(names: () -> CatalogNames?) throws(CairnError) -> DigestPair {
    try environment.read { (txn) throws(CairnError) in
      var known: CatalogNames??
      let found = try text.recomputedDigest(in: txn) { (item) throws(CairnError) in
        let kept = known ?? names()
        known = .some(kept)
        // They may be of an earlier moment.
        if let key = try? kept?.itemKey(item) { return key }
        return try catalog.itemKey(item, in: txn)
      }
      return (try checkpoint(in: txn)[TextProjection.name], found)
    }
  }

  /// All projections but the text index compared with their digests, the checksums of rows that are
  /// in none, and the names that were read on the way.
  /// - Complexity: O(rows).
  func otherDigests() throws(CairnError) -> (
    digests: [ProjectionName: DigestPair], names: CatalogNames
  ) {
    try environment.checkRows(of: Self.rowsOnlyTables)
    return try environment.read { (txn) throws(CairnError) in
      let checkpoint = try checkpoint(in: txn)
      let audit = try CatalogAudit(catalog, in: txn)
      let names = audit.names
      var digests = [Catalog.name: (checkpoint[Catalog.name], audit.digest)]
      for projection in projections where !(projection is TextProjection) {
        let name = type(of: projection).name
        digests[name] = (checkpoint[name], try projection.audit(names, in: txn))
      }
      return (digests, names)
    }
  }
}
