package import LMDB
package import Projections

/// The hashes of all names, read from end to end: looking each name up where it is needed would
/// cost a descent through the tree for every event.
package struct CatalogNames: NameKeys {
  private var items: [NameKey] = []
  private var domains: [NameKey] = []

  /// Reads the names.
  /// - Complexity: O(names); memory of 16 bytes a name.
  /// - Throws: `.corrupt` for a damaged row.
  package init(_ catalog: Catalog, in txn: borrowing ReadTransaction) throws(CairnError) {
    try self.init(catalog, in: txn) { (_, _, _) in }
  }

  /// Reads the names and gives each item's hash, name and ordinal to `visit`.
  init(
    _ catalog: Catalog, in txn: borrowing ReadTransaction, visit: (NameKey, RawSpan, UInt32) -> Void
  ) throws(CairnError) {
    try catalog.forEachName(in: txn) { (item, name) in
      let key = NameKey(name)
      Self.note(key, of: item, in: &items)
      visit(key, name, item)
    }
    var name = ByteWriter(capacity: 4_096)
    var domainNames = try txn.cursor(catalog.domainNames)
    while let domain = try Parted.nextNumbered(&domainNames, into: &name) {
      Self.note(NameKey(name.bytes), of: domain, in: &domains)
    }
  }

  /// The hash of an item's identifier; that of the absent name for no item.
  package func itemKey(_ item: UInt32) throws(CairnError) -> NameKey {
    if item == ResolvedEvent.none { return .none }
    guard item < items.count, items[Int(item)] != .none else {
      throw CairnError(.corrupt, "an item has no name", place: "table names", remedy: .rebuild)
    }
    return items[Int(item)]
  }

  /// The hash of a domain's name; that of the absent name for no domain.
  package func domainKey(_ domain: UInt32) throws(CairnError) -> NameKey {
    if domain == ResolvedEvent.none { return .none }
    guard domain < domains.count, domains[Int(domain)] != .none else {
      throw CairnError(
        .corrupt, "a domain has no name", place: "table domain-names", remedy: .rebuild)
    }
    return domains[Int(domain)]
  }

  var domainOrdinals: [UInt32] {
    domains.indices.filter { domains[$0] != .none }.map { UInt32(truncatingIfNeeded: $0) }
  }

  private static func note(_ key: NameKey, of ordinal: UInt32, in keys: inout [NameKey]) {
    // What is erased leaves gaps.
    let gap = Int(ordinal) - keys.count
    if gap > 0 { keys.append(contentsOf: repeatElement(.none, count: gap)) }
    keys.append(key)
  }
}
