package import LMDB
package import Projections

extension Catalog {
  /// The hash of an item's identifier.
  package func nameKey(
    of item: UInt32,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> NameKey {
    let name = try name(of: item, in: txn)
    return NameKey(name, name.indices)
  }

  /// The digest of the versions as they are stored.
  ///
  /// Also checks that every item's name leads back to it.
  /// - Complexity: O(versions).
  package func recomputedDigest(
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> RowDigest {
    var digest = RowDigest()
    var domainKeys: [UInt32: NameKey] = [ResolvedEvent.none: .none]
    var current: (item: UInt32, key: NameKey)?
    try txn.scan(versions) { (key, row) throws(StorageError) in
      let item = key.loadBigEndian32(at: 0)
      let state = try ItemState(decoding: row)
      let itemKey: NameKey
      if let known = current, known.item == item {
        itemKey = known.key
      } else {
        itemKey = try checkedKey(of: item, in: txn)
        current = (item, itemKey)
      }
      if domainKeys[state.domain] == nil {
        let name = try domainName(state.domain, in: txn)
        domainKeys[state.domain] = NameKey(name, name.indices)
      }
      digest.add(state.digestRow(item: itemKey, domain: domainKeys[state.domain] ?? .none))
      return true
    }
    return digest
  }

  private func checkedKey(
    of item: UInt32,
    in txn: borrowing ReadTransaction
  ) throws(StorageError) -> NameKey {
    let name = try name(of: item, in: txn)
    guard try ordinal(of: name, in: txn) == item else {
      throw StorageError(
        .corrupt,
        "an item's name leads elsewhere; run: cairn rebuild",
        place: "table items"
      )
    }
    return NameKey(name, name.indices)
  }
}
