import Catalog
import LMDB
import Projections
import Ranking
import Timeline

/// Finds the best items by frecency without looking at all of them.
///
/// Exact: it ends when the bounds of all items not looked at lie below the last one wanted, or
/// says that it cannot tell.
struct TopSearch {
  /// Items that may be among the best; ties for the last place included.
  private(set) var candidates: [TopCandidate] = []

  private let moment: Moment
  private let subtree: Set<UInt32>?
  private let now: Int64
  private var greatest: TopKThreshold
  private var measure: UseOrder.Measure
  /// Items that have parts and were offered, by one of them.
  private var offeredWholes: Set<UInt32> = []

  init(_ moment: Moment, _ subtree: Set<UInt32>?, limit: Int) {
    self.moment = moment
    self.subtree = subtree
    now = moment.rankingClock.microseconds
    greatest = TopKThreshold(count: limit)
    measure = .frecency(now, amplitudes: moment.scales.amplitudes)
  }

  /// Looks until it is known who is best; false when all items must be looked at for that.
  mutating func run(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Bool
  { try view.isPresent ? runPresent(view, txn) : runPast(view, txn) }

  private mutating func offer(
    _ item: UInt32, _ use: UseState, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard use.viewCount > 0 else { return }
    let key = measure.key(use.frecency)
    guard key >= greatest.needed else { return }
    guard let whole = try moment.presentWhole(item, view, txn),
      subtree?.contains(whole.state.domain) ?? true
    else { return }
    // Parts of one item are one row.
    if whole.state.content.parts.isEmpty || offeredWholes.insert(whole.item).inserted {
      greatest.insert(key)
    }
    var candidate = TopCandidate(item, use, .frecency, moment.scales, now: now)
    candidate.sortKey = key
    candidates.append(candidate)
  }

  /// A domain's items, when they are few beside what else would be looked at.
  private func members(
    atMost count: Int, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32]? {
    guard let subtree else { return nil }
    let members = try view.generation.catalog.members(of: Array(subtree), in: txn)
    return members.count <= count ? members : nil
  }

  private mutating func runPresent(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Bool
  {
    let ranking = view.generation.ranking
    measure = try ranking.order.measure(
      at: now, latestUse: view.checkpoint.latestUseMicroseconds,
      amplitudes: moment.scales.amplitudes, in: txn)
    let itemCount = try ranking.itemCount(in: txn)
    // A look at one item costs as much as a dozen in a scan of all.
    var looks = max(4_096, itemCount / 12)
    if let members = try members(atMost: looks, view, txn) {
      for item in members {
        guard let use = try ranking.state(of: item, in: txn) else { continue }
        try offer(item, use, view, txn)
      }
      return true
    }
    var search = self
    try ranking.order.forEachByBound(measure, in: txn) { (item) throws(CairnError) in
      looks -= 1
      guard looks > 0, let use = try ranking.state(of: item, in: txn) else { return .infinity }
      try search.offer(item, use, view, txn)
      return search.greatest.needed
    }
    self = search
    return looks > 0
  }
}

extension TopSearch {
  /// What the uses between the last row of leaders and the moment came to.
  private struct Recent {
    /// What they add to the frecency of each item.
    var scores: [UInt32: Double] = [:]
    var latest = Int64.min
  }

  private mutating func runPast(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Bool
  {
    let ranking = view.generation.ranking
    let row = try ranking.leaders.row(atOrBefore: view.sequence, in: txn)
    let recent = try recent(after: row.sequence, view, txn)
    // Behind some use, all states are needed to know how to compare.
    guard max(row.others.referenceMicroseconds, recent.latest) <= now else { return false }
    let looks = max(16_384, Int(clamping: view.sequence / 64))
    if let members = try members(atMost: looks, view, txn) {
      for item in members { try offerPast(item, view, txn) }
      return true
    }
    for item in row.items { try offerPast(item, view, txn) }
    let others = measure.key(bound: row.others)
    guard row.isComplete || others < greatest.needed else { return false }
    let leaders = Set(row.items)
    var bounds: [(bound: Double, item: UInt32)] = []
    for (item, score) in recent.scores where !leaders.contains(item) {
      let bound = (others + score) * (1 + 1e-9)
      if bound >= greatest.needed { bounds.append((bound, item)) }
    }
    bounds.sort { $0.bound > $1.bound }
    for entry in bounds {
      guard entry.bound >= greatest.needed else { break }
      try offerPast(entry.item, view, txn)
    }
    // With fewer than wanted, those never used since the row may belong to them.
    return row.isComplete || others < greatest.needed
  }

  private mutating func offerPast(
    _ item: UInt32, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let use = try view.generation.ranking.history.state(of: item, asOf: view.sequence, in: txn)
    try offer(item, use, view, txn)
  }

  private func recent(
    after sequence: UInt64, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Recent {
    var recent = Recent()
    recent.scores.reserveCapacity(Int(clamping: min(view.sequence &- sequence, 98_304)))
    let amplitudes = moment.scales.amplitudes
    guard sequence < view.sequence else { return recent }
    try view.generation.timeline.forEach(from: sequence + 1, through: view.sequence, in: txn) {
      (record) throws(CairnError) in
      guard let use = record.use else { return true }
      recent.latest = max(recent.latest, use.heldMicroseconds)
      recent.scores[record.item, default: 0] += Frecency.score(
        weight: Double(use.weight), atMicroseconds: use.heldMicroseconds, now: now,
        amplitudes: amplitudes)
      return true
    }
    return recent
  }
}
