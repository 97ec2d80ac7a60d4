import LMDB
import Ranking
import Text
import TextIndex

/// Order, counts and groups of what is found now, out of columns: matches are not scored but where
/// their score is shown or gives the order.
extension SearchQuery {
  /// What was asked for; nil where columns cannot tell.
  mutating func columnResults(
    _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Results<SearchHit>? {
    guard var arrangement = try arrangement(view, txn) else { return nil }
    var results = Results<SearchHit>()
    guard request.groupBy != nil else {
      let page = try ranked(view, txn)
      results.facets = try arrangement.counts(of: try matchedItems(view, txn), view, txn)
      for found in page {
        results.rows.append(
          try hit(found, rank: request.offset + results.rows.count + 1, view, txn))
      }
      return results
    }
    let ordered: [UInt32]
    var found: [TextIndex.Hit] = []
    if request.sort.order != nil {
      let items = try matchedItems(view, txn)
      guard let first = try arrangement.first(nil, of: items, view, txn) else { return nil }
      ordered = first
    } else {
      found = try sorted(nil, view, txn)
      ordered = found.map(\.item)
    }
    guard let groups = try arrangement.groups(of: ordered, view, txn) else { return nil }
    results.facets = try arrangement.counts(of: ordered, view, txn)
    let limit = arrangement.groupLimit ?? .max
    let shown = groups.dropFirst(request.offset).prefix(request.limit ?? .max)
    if request.sort.order != nil {
      let items = shown.flatMap { $0.places.prefix(limit).map { ordered[$0] } }
      found = try hits(of: items, view, txn)
    }
    var next = 0
    results.groups = []
    for group in shown {
      var rows: [SearchHit] = []
      for place in group.places.prefix(limit) {
        let one = request.sort.order == nil ? found[place] : found[next]
        next += 1
        rows.append(try hit(one, rank: place + 1, view, txn))
      }
      results.groups?.append(
        .init(value: group.value?.attribute, count: group.places.count, rows: rows))
    }
    return results
  }

  /// The page asked for in the order of an attribute; nil where another gives the order, and where
  /// columns cannot tell.
  mutating func columnPage(
    _ wanted: Int?, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TextIndex.Hit]? {
    guard request.sort.order != nil, let arrangement = try arrangement(view, txn),
      let items = try arrangement.first(wanted, of: try matchedItems(view, txn), view, txn)
    else { return nil }
    return try hits(of: Array(items.dropFirst(request.offset)), view, txn)
  }

  private func arrangement(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> ColumnArrangement?
  {
    try ColumnArrangement(
      order: request.sort.order, facets: request.facets, groupBy: request.groupBy, moment.store,
      view, txn)
  }

  /// The items of all matches, in no order.
  mutating func matchedItems(
    _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32] {
    guard !tokens.isEmpty else { return [] }
    if let subtree, subtree.isEmpty { return [] }
    var acceptance = acceptance(view)
    let items = try view.generation.text.match(
      indexRequest(nil, stemmer, view), in: txn, acceptsAll: acceptance.acceptsAll
    ) { (item) throws(CairnError) in try acceptance.accepts(item, txn) }
    guard items.count < Moment.foundEnough else { return items }
    // So few may have been widened by endings, which their scores decide.
    return try matches(nil, view, txn).map(\.item)
  }

  /// What is found of some of the matches, in their order.
  func hits(
    of items: [UInt32], _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TextIndex.Hit] {
    let ranker = ranker
    let found = try view.generation.text.hits(
      indexRequest(nil, stemmer, view), of: items.sorted(), in: txn, boosts: boosts,
      bonus: { (item, _) throws(CairnError) in try ranker.terms(item, txn).bonus })
    var hits: [UInt32: TextIndex.Hit] = [:]
    for hit in found { hits[hit.item] = hit }
    var ordered: [TextIndex.Hit] = []
    for item in items {
      guard let hit = hits[item] else { throw Self.unknownItem(view) }
      ordered.append(hit)
    }
    return ordered
  }
}
