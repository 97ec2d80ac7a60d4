internal import LMDB
import Projections

/// How the items and domains fared that were ever shown in results or chosen, as of the last
/// change: a search need not look that up, nor anything of all others.
package struct EngagedItems: Sendable {
  /// Items or domains, ascending, with their states and the events that made them.
  private struct Subjects: Sendable {
    private(set) var ordinals: [UInt32] = []
    private(set) var states: [(made: UInt64, state: EngagementState)] = []

    mutating func append(_ ordinal: UInt32, _ made: UInt64, _ state: EngagementState) {
      ordinals.append(ordinal)
      states.append((made, state))
    }

    func place(of ordinal: UInt32) -> Int? {
      let place = ordinals.indices.partitioningIndex { ordinals[$0] >= ordinal }
      return place < ordinals.count && ordinals[place] == ordinal ? place : nil
    }
  }

  private var items = Subjects()
  private var domains = Subjects()
  /// Rows that were read: with as many it is up to date.
  let rowCount: Int
  /// Whether no domain changes the score of its items, now or later.
  private var areDomainsNeutral = true

  /// Reads how all items and domains fared.
  /// - Complexity: O(changes of how they fared), some 100 ns each; 68 bytes for each item and
  ///   domain.
  init(_ engagement: Engagement, in txn: borrowing ReadTransaction) throws(CairnError) {
    rowCount = try engagement.rowCount(in: txn)
    try engagement.forEachLatest(in: txn) { (kind, ordinal, made, state) throws(CairnError) in
      if kind == .item { return items.append(ordinal, made, state) }
      domains.append(ordinal, made, state)
      areDomainsNeutral = areDomainsNeutral && RankingTerms.isNeutral(domain: state)
    }
  }

  /// The items, ascending, with what the clicks of each do not exceed later.
  var clicks: some Sequence<(item: UInt32, count: Double)> {
    zip(items.ordinals, items.states).lazy.map { ($0, $1.state.clicks) }
  }

  /// Whether an item was ever shown or chosen.
  func contains(_ item: UInt32) -> Bool { items.place(of: item) != nil }

  /// Whether neither how an item fared nor how its domain did tells anything of it.
  package func tellsNothing(of item: UInt32) -> Bool { areDomainsNeutral && !contains(item) }

  /// The newest state, where it was made at `since` or later.
  package func state(_ kind: Engagement.Kind, _ ordinal: UInt32, since: UInt64) -> EngagementState?
  {
    let subjects = kind == .item ? items : domains
    guard let place = subjects.place(of: ordinal) else { return nil }
    let known = subjects.states[place]
    return known.made >= since ? known.state : nil
  }
}
