package import LMDB
package import Projections

/// The catalog read from end to end: its digest, and the hashes of all names for the digests of the
/// other projections.
///
/// Every row of the names, items and versions is read once, in the order of keys.
package struct CatalogAudit {
  /// The digest of the versions as they are stored.
  package private(set) var digest = RowDigest()
  package let names: CatalogNames

  /// Reads the catalog.
  /// - Complexity: O(rows); memory of 16 bytes an item.
  /// - Throws: `.corrupt` for a damaged row, and when names and items do not lead to each other.
  package init(_ catalog: Catalog, in txn: borrowing ReadTransaction) throws(CairnError) {
    var named = RowDigest()
    names = try CatalogNames(catalog, in: txn) { (key, name, item) in
      var row = key
      if name.byteCount > NameCoding.prefixByteCount {
        let long = name.array()
        row = NameKey(NameCoding.key(long, long.indices).rawSpan)
      }
      named.add(Self.row(row, item))
    }
    var listed = RowDigest()
    try txn.scan(catalog.items) { (key, row) throws(CairnError) in
      listed.add(Self.row(NameKey(key), try Catalog.readOrdinal(row)))
      return true
    }
    guard listed == named else {
      throw CairnError(
        .corrupt, "an item's name leads elsewhere", place: "table items", remedy: .rebuild)
    }
    try readVersions(catalog, in: txn)
  }

  /// What the table of items must hold for an item, as a row of a digest.
  private static func row(_ key: NameKey, _ item: UInt32) -> RowHasher {
    var hasher = RowHasher(kind: 0x6974_656D)
    hasher.add(key)
    hasher.add(UInt64(item))
    return hasher
  }

  private mutating func readVersions(_ catalog: Catalog, in txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    var counts: [UInt32: Int64] = [:]
    var last = ResolvedEvent.none
    try txn.scan(catalog.versions) { (key, row) throws(CairnError) in
      guard key.byteCount == 12 else {
        throw CairnError(
          .corrupt, "a version's key has a wrong length", place: "table catalog", remedy: .rebuild)
      }
      let state = try ItemState(decoding: row)
      let ordinal = key.loadBigEndian32(at: 0)
      // The newest version of an item comes first.
      if ordinal != last, state.isPresent { counts[state.domain, default: 0] += 1 }
      last = ordinal
      let item = try names.itemKey(ordinal)
      digest.add(state.digestRow(item: item, domain: try names.domainKey(state.domain)))
      return true
    }
    for domain in names.domainOrdinals + [ResolvedEvent.none] {
      guard try catalog.domainCount(domain, in: txn).present == counts[domain] ?? 0 else {
        throw CairnError(
          .corrupt, "a domain's count of items is wrong", place: "table members",
          remedy: .rebuild)
      }
    }
  }
}
