import Events
package import LMDB
package import Projections

extension Catalog {
  func domainOrdinal(ofRow key: [UInt8], in txn: borrowing ReadTransaction) throws(CairnError)
    -> UInt32?
  {
    guard let value = try txn.get(domains, key) else { return nil }
    return try Self.readOrdinal(value)
  }

  package func domainName(_ ordinal: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> [UInt8]
  {
    guard let name = try Parted.get(txn, domainNames, key: Self.ordinalKey(ordinal)) else {
      throw CairnError(
        .corrupt, "a domain has no name", place: "table domain-names", remedy: .rebuild)
    }
    return name
  }

  /// The same as text; nil for `ResolvedEvent.none`.
  package func domainText(_ ordinal: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> String?
  {
    guard ordinal != ResolvedEvent.none else { return nil }
    return String(decoding: try domainName(ordinal, in: txn), as: UTF8.self)
  }

  /// The hash of a domain's name; that of the absent name for `ResolvedEvent.none`.
  package func domainKey(_ ordinal: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> NameKey
  {
    guard ordinal != ResolvedEvent.none else { return .none }
    let name = try domainName(ordinal, in: txn)
    return NameKey(name, name.indices)
  }

  /// Ordinals of a domain and of all below it; `a` covers `a` and `a.b`, never `ab`.
  /// - Complexity: O(domains found).
  package func domainOrdinals(within name: [UInt8], in txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt32]
  {
    let path = DomainCoding.path(name, name.indices)
    let prefix = Array(path.prefix(NameCoding.prefixByteCount))
    var found: [UInt32] = []
    try txn.scan(domains, from: prefix) { (key, row) throws(CairnError) in
      guard key.array().starts(with: prefix) else { return false }
      found.append(try Self.readOrdinal(row))
      return true
    }
    guard path.count > prefix.count else { return found }
    var exact: [UInt32] = []
    for ordinal in found where DomainPath.covers(name, try domainName(ordinal, in: txn)) {
      exact.append(ordinal)
    }
    return exact
  }

  /// The same by name, as a set; nil for no domain.
  package func subtree(of domain: String?, in txn: borrowing ReadTransaction) throws(CairnError)
    -> Set<UInt32>?
  {
    guard let domain else { return nil }
    return Set(try domainOrdinals(within: Array(domain.utf8), in: txn))
  }
}
