import Catalog
import LMDB
import Ranking

/// What items are ranked by.
public enum RankingOrder: String, Sendable, CaseIterable {
  /// By use, recent use counting more: six half-lives from an hour to a year.
  case frecency
  /// By number of views.
  case count
  /// By last view.
  case recent
}

/// An item's place in a ranking by use.
public struct RankedItem: Sendable, Hashable {
  /// Place, from 1.
  public var rank: Int
  /// The item's identifier.
  public var item: String
  /// Its domain.
  public var domain: String?
  /// Its title.
  public var title: String?
  /// What it was ranked by: frecency, also as circumstances change it, views, or seconds since 1970
  /// of the last view.
  public var score: Double
  /// Number of views.
  public var viewCount: Int
  /// Greatest time of a view.
  public var lastViewed: Timestamp
  /// Why it has its frecency, when asked for.
  public var explanation: UseExplanation?
}

extension Moment {
  /// The items used most, best first.
  ///
  /// Present items viewed at least once. Ties go to the later last view, then to the lower
  /// identifier in byte order; so the order is total and the same everywhere.
  /// Without a limit all are given, with one below 1 none. Circumstances are soft evidence for the
  /// order by frecency, as for a search: they move items and shut none out; other orders do not
  /// know them.
  /// With a span of time, both ends included, uses at other times do not count.
  /// - Complexity: by frecency, some hundred items for the ten best of any number, now and at any
  ///   past sequence, for which a bounded number of events is scanned; by another order, or with a
  ///   clock before the last use, and in circumstances, O(items used) for the present and O(events)
  ///   for the past and for a span.
  /// - Throws: `corrupt` for a damaged projection, `io`.
  /// - Note: Blocks the calling thread.
  public func top(
    domain: String? = nil, by order: RankingOrder = .frecency, limit: Int? = 10,
    within span: ClosedRange<Timestamp>? = nil, context: SearchContext? = nil,
    explains: Bool = false
  ) throws(CairnError) -> [RankedItem] {
    if let limit, limit <= 0 { return [] }
    return try read { (view, txn) throws(CairnError) in
      let subtree = try view.generation.catalog.subtree(of: domain, in: txn)
      let topK = order == .frecency ? try ContextualTopK(context, self, view, txn) : nil
      let spanUse = try span.map { (span) throws(CairnError) in
        let times = span.lowerBound.microseconds...span.upperBound.microseconds
        return try ReplayedUse(view.generation, through: sequence, within: times, txn)
      }
      if order == .frecency, let limit, topK == nil, spanUse == nil {
        var search = TopSearch(self, subtree, limit: limit)
        if try search.run(view, txn) {
          var candidates = search.candidates
          return try ranked(&candidates, nil, limit, explains, nil, nil, view, txn)
        }
      }
      var candidates = try allCandidates(order, spanUse, view, txn)
      if order == .count { try join(&candidates, view, txn) }
      if let topK {
        candidates.sort { TopCandidate.precedes($0, $1) }
        candidates = try topK.best(of: candidates, subtree, limit: limit, view, txn)
      }
      return try ranked(&candidates, subtree, limit, explains, topK, spanUse, view, txn)
    } ?? []
  }

  /// The place of an item among so many that were used most, from 1; nil for one that is not there.
  /// - Complexity: as ``top(domain:by:limit:within:context:explains:)``; no item is read.
  package func rank(of item: String, among count: Int) throws(CairnError) -> Int? {
    try read { (view, txn) throws(CairnError) -> Int? in
      var search = TopSearch(self, nil, limit: count)
      let isKnown = try search.run(view, txn)
      var candidates = try isKnown ? search.candidates : allCandidates(.frecency, nil, view, txn)
      var (rank, isFound) = (0, false)
      try forEachPlaced(&candidates, nil, nil, view, txn) { (placed) throws(CairnError) in
        rank += 1
        isFound = placed.name.elementsEqual(item.utf8)
        return !isFound && rank < count
      }
      return isFound ? rank : nil
    } ?? nil
  }

  /// The views of an item that count, those of what is one with it included unless it is asked for
  /// alone, and the last of them; nil for an item without any.
  package func use(of item: String, alone isAlone: Bool = false) throws(CairnError)
    -> (viewCount: Int, lastViewed: Timestamp)?
  {
    let found = try read(of: .item) { (view, txn) throws(CairnError) -> Views? in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: Array(item.utf8), in: txn) else { return nil }
      let items =
        isAlone ? [ordinal] : try catalog.together(with: ordinal, asOf: sequence, in: txn)
      return try views(of: items, nil, view, txn)
    }
    guard let views = found.flatMap({ $0 }), views.count > 0 else { return nil }
    return (views.count, Timestamp(microseconds: views.lastMicroseconds))
  }

  /// What the views of an item count in the order by frecency, or those of the most used of what is
  /// one with it; nil for an item without any.
  package func frecency(of item: String) throws(CairnError) -> Double? {
    let found = try read(of: .item) { (view, txn) throws(CairnError) -> Double? in
      let catalog = view.generation.catalog
      guard let ordinal = try catalog.ordinal(of: Array(item.utf8), in: txn) else { return nil }
      var best: Double?
      for item in try catalog.together(with: ordinal, asOf: sequence, in: txn) {
        let use = try view.generation.ranking.use(of: item, asOf: view.asOf, in: txn)
        guard use.viewCount > 0 else { continue }
        let now = rankingClock.microseconds
        let score = TopCandidate(item, use, .frecency, scales, now: now).score
        best = max(best ?? score, score)
      }
      return best
    }
    return found.flatMap { $0 }
  }

  /// Every item ever viewed, with what it is ranked by.
  private func allCandidates(
    _ order: RankingOrder, _ spanUse: ReplayedUse?, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TopCandidate] {
    var candidates: [TopCandidate] = []
    let now = rankingClock.microseconds
    var isBehind = false
    func take(_ item: UInt32, _ use: UseState) {
      guard use.viewCount > 0 else { return }
      if use.frecency.referenceMicroseconds > now { isBehind = true }
      candidates.append(TopCandidate(item, use, order, scales, now: now))
    }
    if let spanUse { try spanUse.forEach(take) } else { try forEachUse(view, txn, take) }
    if isBehind, order == .frecency {
      let measure = UseOrder.Measure.logarithm(now, amplitudes: scales.amplitudes)
      for index in candidates.indices {
        candidates[index].sortKey = measure.key(candidates[index].use.frecency)
      }
    }
    return candidates
  }

  /// Visits the use of every item that was ever used, as of this moment.
  func forEachUse(
    _ view: borrowing View, _ txn: borrowing ReadTransaction,
    _ body: (UInt32, UseState) throws(CairnError) -> Void
  ) throws(CairnError) {
    if view.isPresent { return try view.generation.ranking.forEachState(in: txn, body) }
    try ReplayedUse(view.generation, through: sequence, txn).forEach(body)
  }

  private func ranked(
    _ candidates: inout [TopCandidate], _ subtree: Set<UInt32>?, _ limit: Int?, _ explains: Bool,
    _ topK: ContextualTopK?, _ spanUse: ReplayedUse?, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [RankedItem] {
    var result: [RankedItem] = []
    try forEachPlaced(&candidates, subtree, spanUse, view, txn) { (placed) throws(CairnError) in
      let (candidate, version) = (placed.candidate, placed.version)
      let item = try item(
        candidate.item, placed.name, version.sequence, version.state, view, txn)
      result.append(
        RankedItem(
          rank: result.count + 1, item: item.id, domain: item.domain, title: item.title,
          score: candidate.score, viewCount: candidate.views.count,
          lastViewed: Timestamp(microseconds: candidate.views.lastMicroseconds),
          explanation: explains
            ? try explanation(of: candidate.item, candidate.use, topK, view, txn) : nil))
      return result.count < limit ?? .max
    }
    return result
  }

  /// What stands in a ranking.
  private typealias Placed = (
    name: [UInt8], candidate: TopCandidate, version: (sequence: UInt64, state: ItemState)
  )

  /// Visits what is ranked, best first, until the body returns false.
  private func forEachPlaced(
    _ candidates: inout [TopCandidate], _ subtree: Set<UInt32>?, _ spanUse: ReplayedUse?,
    _ view: borrowing View, _ txn: borrowing ReadTransaction,
    _ body: (Placed) throws(CairnError) -> Bool
  ) throws(CairnError) {
    let catalog = view.generation.catalog
    candidates.sort { TopCandidate.precedes($0, $1) }
    var seen: Set<UInt32> = []
    var place = 0
    while place < candidates.count {
      // Candidates that tie in score and last view are put in byte order of their names.
      var end = place + 1
      while end < candidates.count, candidates[end].ties(candidates[place]) { end += 1 }
      var group: [Placed] = []
      for candidate in candidates[place..<end] {
        guard let whole = try presentWhole(candidate.item, view, txn),
          subtree?.contains(whole.state.domain) ?? true, seen.insert(whole.item).inserted
        else { continue }
        var candidate = candidate
        candidate.item = whole.item
        if !whole.state.content.parts.isEmpty {
          let items = try catalog.owners(of: whole.item, whole.state.content, in: txn)
          candidate.views = try views(of: items.map(\.item), spanUse, view, txn)
        }
        let name = try catalog.name(of: whole.item, in: txn)
        group.append((name, candidate, (whole.sequence, whole.state)))
      }
      group.sort { $0.name.lexicographicallyPrecedes($1.name) }
      for member in group { guard try body(member) else { return } }
      place = end
    }
  }

  /// Makes one candidate of an item and its parts, with the views of all of them.
  /// - Complexity: O(versions), about 50 ns each.
  private func join(
    _ candidates: inout [TopCandidate], _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let wholes = try view.wholes(txn)
    guard !wholes.isEmpty else { return }
    var places: [UInt32: Int] = [:]
    var joined: [TopCandidate] = []
    for var candidate in candidates {
      // A part of a part is the most there is.
      for _ in 0..<2 { candidate.item = wholes[candidate.item] ?? candidate.item }
      if let place = places[candidate.item] {
        joined[place].add(candidate)
      } else {
        places[candidate.item] = joined.count
        joined.append(candidate)
      }
    }
    candidates = joined
  }

  /// The item that stands for one in a ranking: itself, or the one of which it is a part; nil where
  /// neither is present.
  func presentWhole(
    _ item: UInt32, _ view: borrowing View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> (item: UInt32, sequence: UInt64, state: ItemState)? {
    let whole = try view.generation.catalog.whole(of: item, asOf: sequence, in: txn)
    return whole.flatMap { isPresent($0.state) ? $0 : nil }
  }

  private func views(
    of items: [UInt32], _ spanUse: ReplayedUse?, _ view: borrowing View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Views {
    var views = Views()
    for item in items {
      if let spanUse {
        views.add(spanUse.state(of: item))
        continue
      }
      views.add(try view.generation.ranking.use(of: item, asOf: view.asOf, in: txn))
    }
    return views
  }
}

/// How often something was viewed, and when last.
struct Views {
  private(set) var count = 0
  private(set) var lastMicroseconds = Int64.min

  mutating func add(_ use: UseState) {
    count += Int(use.viewCount)
    lastMicroseconds = max(lastMicroseconds, use.lastViewedMicroseconds)
  }
}

/// An item on its way into the ranking.
struct TopCandidate {
  var item: UInt32
  var use: UseState
  var score: Double
  /// Its views, those of its parts included.
  var views = Views()
  /// What is compared: the score, or its logarithm where the score may overflow.
  var sortKey: Double

  init(_ item: UInt32, _ use: UseState, _ order: RankingOrder, _ scales: RankingScales, now: Int64)
  {
    self.item = item
    self.use = use
    views.add(use)
    switch order {
    case .frecency:
      score = use.frecency.score(atMicroseconds: now, amplitudes: scales.amplitudes)
      sortKey = score
    case .count:
      score = Double(use.viewCount)
      sortKey = score
    case .recent:
      score = Double(use.lastViewedMicroseconds) / 1_000_000
      sortKey = 0
    }
  }

  /// Adds the views of another part of the item, in the order by count.
  mutating func add(_ other: TopCandidate) {
    sortKey += other.sortKey
    score = sortKey
    if other.use.lastViewedMicroseconds > use.lastViewedMicroseconds { use = other.use }
  }

  func ties(_ other: TopCandidate) -> Bool {
    sortKey == other.sortKey && use.lastViewedMicroseconds == other.use.lastViewedMicroseconds
  }

  static func precedes(_ one: TopCandidate, _ other: TopCandidate) -> Bool {
    if one.sortKey != other.sortKey { return one.sortKey > other.sortKey }
    return one.use.lastViewedMicroseconds > other.use.lastViewedMicroseconds
  }
}
