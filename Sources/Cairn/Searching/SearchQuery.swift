import Catalog
import LMDB
import Projections
import Ranking
import Text
import TextIndex

/// One search while it runs: the request, bound to a view of the projections.
struct SearchQuery {
  let moment: Moment
  let request: SearchRequest
  let tokens: QueryTokens
  let subtree: Set<UInt32>?
  private var filter: Filter?
  /// What columns say of the filter; nil where they cannot.
  private let columnMatch: ColumnMatch?
  /// Those of the span of time that is asked for; nil for all.
  private let touched: ItemSet?
  let ranker: Ranker
  var stemmer: Stemmer?
  /// Whether only titles are looked for, each once.
  var findsTitles = false
  /// Tells items that nobody here may see; nil where all may be seen.
  var isClosed: TextIndex.ItemTest?
  private var snippets: SnippetMaker

  init(
    _ moment: Moment, _ request: SearchRequest, _ filter: Filter?, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    self.moment = moment
    self.request = request
    self.filter = filter
    columnMatch = try filter?.columnMatch(view, txn)
    touched = try request.within.map { (span) throws(CairnError) in
      try view.items(touchedWithin: span, txn)
    }
    tokens = Analyzer().analyzeQuery(request.words)
    subtree = try view.generation.catalog.subtree(of: request.domain, in: txn)
    ranker = try Ranker(moment, request, view, txn)
    stemmer = request.stemmer
    snippets = SnippetMaker(tokens, request)
  }

  mutating func hits(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [SearchHit]
  {
    var hits: [SearchHit] = []
    for found in try ranked(view, txn) {
      hits.append(try hit(found, rank: request.offset + hits.count + 1, view, txn))
    }
    return hits
  }

  /// The items found, without what a hit tells of them.
  mutating func items(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [Item]
  {
    var items: [Item] = []
    for found in try ranked(view, txn) { items.append(try item(found, view, txn)) }
    return items
  }

  /// All matches in their order, counted and grouped by attributes.
  mutating func results(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Results<SearchHit>
  {
    if let results = try columnResults(view, txn) { return results }
    let all = try arranged(view, txn)
    return try all.results(limit: request.limit, offset: request.offset) {
      (found, rank) throws(CairnError) in
      try hit(found, rank: rank, view, txn)
    }
  }

  /// All matches, with what is asked of their attributes.
  private mutating func arranged(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Arrangement<TextIndex.Hit>
  {
    var all = try Arrangement<TextIndex.Hit>(
      order: request.sort.order, facets: request.facets, groupBy: request.groupBy, in: view.schema)
    let catalog = view.generation.catalog
    for hit in try sorted(nil, view, txn) {
      guard let version = try catalog.state(of: hit.item, asOf: view.sequence, in: txn) else {
        throw Self.unknownItem(view)
      }
      try all.add(hit, hit.item, version.state, view, moment.store, txn)
    }
    return all
  }

  /// The part of the matches asked for, in their order.
  mutating func ranked(_ view: borrowing Moment.View, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> ArraySlice<TextIndex.Hit>
  {
    let wanted = request.limit.map { Moment.end(of: $0, after: request.offset) }
    if let page = try columnPage(wanted, view, txn) { return page[...] }
    let all =
      request.sort.order == nil
      ? try sorted(wanted, view, txn) : try arranged(view, txn).references()
    let end = wanted.map { min($0, all.count) } ?? all.count
    return request.offset < end ? all[request.offset..<end] : []
  }

  /// The first matches in their order, so many at least, or all; in no order where an attribute
  /// gives it.
  mutating func sorted(
    _ wanted: Int?, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TextIndex.Hit] {
    guard !tokens.isEmpty else { return [] }
    if let subtree, subtree.isEmpty { return [] }
    switch request.sort {
    case .relevance:
      var found = try matches(wanted.map { $0 + 1 }, view, txn)
      if let wanted, needsMore(found, wanted, view) {
        found = try tied(found, wanted, view, txn)
      }
      return try withoutTies(found, view, txn)
    case .recent, .frequent: return try inOrderOfUse(wanted, view, txn)
    case .attribute: return try matches(nil, view, txn)
    }
  }

  /// All hits that tie with the last one wanted, as far as ties are put in order.
  private mutating func tied(
    _ found: [TextIndex.Hit], _ wanted: Int, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TextIndex.Hit] {
    let score = found[wanted].score
    var count = Self.firstTieCount
    while true {
      let more = try matches(wanted + count, view, txn)
      guard more.count == wanted + count, more.last?.score == score, count < Self.tieCountMax else {
        return more
      }
      count = min(count * 4, Self.tieCountMax)
    }
  }

  mutating func matches(
    _ limit: Int?, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TextIndex.Hit] {
    // However few are wanted, what is found decides alike.
    let enough = Moment.foundEnough
    let asTyped = try matches(limit.map { max($0, enough) }, stemmer, view, txn)
    guard stemmer == nil, request.findsLanguage, !request.isExact, request.mode != .phrase,
      asTyped.count < enough,
      let language = try view.generation.text.language(asOf: view.asOf, in: txn),
      let found = Stemmer(language)
    else { return asTyped }
    let related = try matches(limit.map { max($0, enough) }, found, view, txn)
    let (most, least) = (related.count { $0.tier > 0 }, asTyped.count { $0.tier > 0 })
    guard most > least || asTyped.isEmpty else { return asTyped }
    stemmer = found
    var widened = request
    widened.language = SearchLanguage(language.rawValue)
    snippets = SnippetMaker(tokens, widened)
    return related
  }

  private func matches(
    _ limit: Int?, _ stemmer: Stemmer?, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [TextIndex.Hit] {
    let ranker = ranker
    var acceptance = acceptance(view)
    return try view.generation.text.search(
      indexRequest(limit, stemmer, view), in: txn, maximumBonus: ranker.bound(view.checkpoint),
      bounds: { () throws(CairnError) in try ranker.bounds(view.checkpoint, txn) },
      boosts: boosts,
      bonus: { (item, least) throws(CairnError) in
        try ranker.bonus(item, atLeast: least, txn)
      },
      accept: { (item) throws(CairnError) in
        guard try acceptance.accepts(item, txn) else { return false }
        guard let isClosed else { return true }
        return try !isClosed(item, txn)
      })
  }

  func indexRequest(
    _ limit: Int?, _ stemmer: Stemmer?, _ view: borrowing Moment.View
  ) -> TextIndex.Request {
    var index = TextIndex.Request(
      query: tokens, mode: mode, exact: request.isExact, stemmer: stemmer, limit: limit,
      asOf: view.asOf, tierScores: ranker.tiers.all, explains: request.explains)
    index.standing = moment.standing(view)
    index.findsTitles = findsTitles
    return index
  }

  var boosts: TextIndex.Boosts {
    let ranker = ranker
    return TextIndex.Boosts(items: ranker.chosen) { (hit, txn) throws(CairnError) in
      try ranker.choiceBoost(hit.item, tier: hit.tier, txn).sum
    }
  }

  func acceptance(_ view: borrowing Moment.View) -> ItemAcceptance {
    ItemAcceptance(moment, subtree: subtree, filter, columnMatch, touched: touched, view)
  }

  private var mode: TextIndex.Mode {
    switch request.mode {
    case .all: .all
    case .any: .any
    case .phrase: .phrase
    }
  }

  func hit(
    _ found: TextIndex.Hit, rank: Int, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> SearchHit {
    var hit = SearchHit(
      rank: rank, try item(found, view, txn), score: found.score,
      isMisspelt: request.mode == .all && found.tier == 0, snippets)
    if request.explains { hit.explanation = try explanation(found, view, txn) }
    return hit
  }

  private func item(
    _ found: TextIndex.Hit, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Item {
    guard let item = try moment.item(found.item, view, txn) else { throw Self.unknownItem(view) }
    return item
  }

  static func unknownItem(_ view: borrowing Moment.View) -> CairnError {
    CairnError(
      .corrupt, "the text index finds an item that the catalog does not have",
      place: "view-\(view.generation.number).mdb", remedy: .rebuild)
  }

  private func explanation(
    _ hit: TextIndex.Hit, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> ScoreExplanation {
    let terms = try ranker.terms(hit.item, txn)
    let boost = try ranker.choiceBoost(hit.item, tier: hit.tier, txn)
    let uses = try view.generation.ranking.history.latest(
      ScoreExplanation.useCount, of: hit.item, asOf: view.sequence, in: txn)
    let evidence = try ranker.evidence(hit.item, ScoreExplanation.useCount, txn)
    return ScoreExplanation(
      tier: Int(hit.tier), tierScore: ranker.tiers.score(hit.tier), text: hit.text,
      textScore: ScoreFormula.textScore(hit.text),
      frecency: terms.frecency, dislike: terms.dislike, useScore: terms.useScore,
      dislikeScore: terms.dislikeScore, choices: try ranker.choices(hit.item, txn) ?? 0,
      learnedScore: boost.learned, latestChoiceScore: boost.latest,
      clicks: terms.engagement?.clicks ?? 0, impressions: terms.engagement?.impressions ?? 0,
      engagementScore: terms.engagementScore, latencyScore: terms.latencyScore,
      domainScore: terms.domainScore, contextScore: terms.contextScore,
      guardScore: ranker.tiers.guardScore(hit.tier) + boost.guards,
      choiceEvents: evidence.choices, resultEvents: evidence.results,
      domainEvents: terms.domainScore < 0 ? evidence.domain : [],
      uses: uses.reversed().map(\.sequence),
      words: hit.matches.map { match in
        ScoreExplanation.Word(
          term: String(decoding: match.term, as: UTF8.self), isTypo: match.isTypo,
          inverseDocumentFrequency: match.inverseFrequency, score: match.score)
      })
  }
}

extension SearchRequest {
  /// What cuts the endings of the words asked for, nil when they are taken as they are.
  var stemmer: Stemmer? {
    guard !isExact else { return nil }
    let languages = language.map { [$0] } ?? declaredLanguages
    return languages.reduce(nil) { Stemmer($1.stems, besides: $0) ?? $0 }
  }
}

extension ScoreExplanation {
  /// Latest uses that an explanation names.
  fileprivate static let useCount = 5
}
