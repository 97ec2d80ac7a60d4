import Catalog
import LMDB
import Projections

extension Moment {
  /// How many items are present.
  /// - Parameters:
  ///   - domain: Only items in this domain or below it.
  ///   - filter: Only items that pass this expression of the query language.
  /// - Returns: The number.
  /// - Complexity: O(domains) for the present without a filter; O(items) for the past, with a
  ///   filter, and where some item has expired. A filter that columns can answer takes a fraction
  ///   of a nanosecond an item, others some microseconds.
  /// - Throws: `badQuery`, `corrupt`.
  /// - Note: Blocks the calling thread.
  public func itemCount(domain: String? = nil, filter: String? = nil) throws(CairnError) -> Int {
    guard filter == nil else {
      let found = try read { (view, txn) throws(CairnError) in
        try columnCount(domain: domain, filter: filter, view, txn)
      }
      if case .some(.some(let count)) = found { return count }
      var count = 0
      try forEachItem(domain: domain, filter: filter) { _ in
        count += 1
        return true
      }
      return count
    }
    return try read { (view, txn) throws(CairnError) in
      let subtree = try domain.map { (name) throws(CairnError) in
        try view.generation.catalog.domainOrdinals(within: Array(name.utf8), in: txn)
      }
      return try itemCounts(of: subtree, view, txn).values.reduce(0, +)
    } ?? 0
  }

  /// Items present by the ordinal of their domain, of some domains or all.
  func itemCounts(
    of domains: [UInt32]? = nil, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32: Int] {
    let catalog = view.generation.catalog
    if view.isPresent, !view.isOutdated {
      let all = Array(0..<view.checkpoint.domainCount) + [ResolvedEvent.none]
      let kept = try catalog.presentCounts(of: domains ?? all, by: clock, in: txn)
      if let kept { return kept }
    }
    let wanted = domains.map { Set($0) }
    var counts: [UInt32: Int] = [:]
    try catalog.forEachState(asOf: sequence, in: txn) { (_, _, state) throws(CairnError) in
      guard isPresent(state), wanted?.contains(state.domain) ?? true else { return }
      counts[state.domain, default: 0] += 1
    }
    return counts
  }
}
