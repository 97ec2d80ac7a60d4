import Catalog
import LMDB
import Projections
import Ranking
import TextIndex
import Timeline

/// The digest kept with a projection's rows, and that of the rows as they are.
typealias DigestPair = (stored: RowDigest, found: RowDigest)

extension Generation {
  /// What `textDigest` and `otherDigests` together do not read from end to end.
  private static let rowsOnlyTables: [TableName] = {
    let audited =
      Catalog.auditedTables + TextIndex.auditedTables + Ranking.auditedTables
      + Timeline.auditedTables
    // Of the shared rows each is read with what it belongs to.
    return tables.filter { !audited.contains($0) && $0 != SharedRows.tableName }
  }()

  /// The text index compared with its digest, each of its rows read once; threads that have the
  /// recount may help.
  ///
  /// - Complexity: O(rows).
  func textDigest(sharing recount: SharedRecount = SharedRecount()) throws(StorageError)
    -> DigestPair
  {
    try environment.read { (txn) throws(StorageError) in
      (try checkpoint(in: txn)[.text], try text.recomputedDigest(in: txn, sharing: recount))
    }
  }

  /// The other projections compared with their digests, and the checksums of rows that are in none.
  ///
  /// - Complexity: O(rows).
  func otherDigests() throws(StorageError) -> [Checkpoint.Part: DigestPair] {
    try environment.checkRows(of: Self.rowsOnlyTables)
    return try environment.read { (txn) throws(StorageError) in
      let checkpoint = try checkpoint(in: txn)
      let audit = try CatalogAudit(catalog, in: txn)
      let names = audit.names
      let used = try ranking.recomputedDigest(
        in: txn,
        itemKey: names.itemKey,
        domainKey: names.domainKey
      )
      let events = try timeline.recomputedDigest(
        in: txn,
        itemKey: names.itemKey,
        domainKey: names.domainKey
      )
      return [
        .catalog: (checkpoint[.catalog], audit.digest),
        .ranking: (checkpoint[.ranking], used),
        .timeline: (checkpoint[.timeline], events),
      ]
    }
  }
}
