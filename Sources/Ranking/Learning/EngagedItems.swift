internal import LMDB
import Projections

/// The items that were ever shown in results or chosen, a bit each: of all others a search need not
/// look up how they fared.
package struct EngagedItems: Sendable {
  private var items = ItemSet()
  /// What the clicks of those that were chosen do not exceed later, ascending.
  private(set) var clicks: [(item: UInt32, count: Double)] = []
  /// Rows that were read: with as many it is up to date.
  let rowCount: Int
  /// Whether no domain changes the score of its items, now or later.
  private var areDomainsNeutral = true

  /// Reads how all items and domains fared.
  /// - Complexity: O(changes of how they fared), some 100 ns each.
  init(_ engagement: Engagement, in txn: borrowing ReadTransaction) throws(CairnError) {
    rowCount = try engagement.rowCount(in: txn)
    try engagement.forEachLatest(in: txn) { (kind, ordinal, state) throws(CairnError) in
      guard kind == .item else {
        areDomainsNeutral = areDomainsNeutral && RankingTerms.isNeutral(domain: state)
        return
      }
      items.insert(ordinal)
      if state.clicks > 0 { clicks.append((ordinal, state.clicks)) }
    }
  }

  /// Whether an item was ever shown or chosen.
  func contains(_ item: UInt32) -> Bool { items.contains(item) }

  /// Whether neither how an item fared nor how its domain did tells anything of it.
  package func tellsNothing(of item: UInt32) -> Bool {
    areDomainsNeutral && !items.contains(item)
  }
}
