import Catalog
import Events
import LMDB
import Projections
import Ranking
import Text
import TextIndex
import Timeline

/// One search while it runs: the request, bound to a view of the projections.
struct SearchQuery {
  /// Weight of use in the score: S = τ·tier + ln(1 + BM25F) + 0.8·ln(1 + frecency).
  static let useWeight = 0.8

  let moment: Moment
  let request: SearchRequest
  private let tokens: QueryTokens
  private let subtree: Set<UInt32>?
  private var filter: Filter?
  /// The sequence whose use counts; nil for the present.
  private let pastSequence: UInt64?
  private let now: Int64

  init(
    _ moment: Moment,
    _ request: SearchRequest,
    _ filter: Filter?,
    _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    self.moment = moment
    self.request = request
    self.filter = filter
    tokens = Analyzer().analyzeQuery(request.text)
    subtree = try request.domain.map { (name) throws(StorageError) in
      Set(try view.generation.catalog.domainOrdinals(within: Array(name.utf8), in: txn))
    }
    pastSequence = view.isPresent ? nil : view.sequence
    now = moment.rankingClock.microseconds
  }

  mutating func hits(
    _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> [SearchHit] {
    guard !tokens.isEmpty else { return [] }
    if let subtree, subtree.isEmpty { return [] }
    let isRelevance = request.sort == .relevance
    let wanted = request.limit == 0 ? nil : request.offset + request.limit
    let found = try matches(isRelevance ? wanted : nil, view, txn)
    let sorted = isRelevance ? found : try resorted(found, view, txn)
    let end = wanted.map { min($0, sorted.count) } ?? sorted.count
    var hits: [SearchHit] = []
    guard request.offset < end else { return [] }
    for place in request.offset..<end {
      hits.append(try hit(sorted[place], rank: place + 1, view, txn))
    }
    return hits
  }

  private mutating func matches(
    _ limit: Int?,
    _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> [TextIndex.Hit] {
    let index = TextIndex.Request(
      query: tokens,
      mode: mode,
      exact: request.isExact,
      limit: limit,
      asOf: view.isPresent ? nil : view.sequence,
      explains: request.explains
    )
    let generation = view.generation
    let asksCatalog = subtree != nil || filter != nil || view.checkpoint.hasExpiry
    var filter = filter
    let query = self
    return try generation.text.search(
      index,
      in: txn,
      maximumBonus: Self.bonusBound(view.checkpoint, now: now),
      bonus: { (item) throws(StorageError) in
        Self.useScore(try query.use(item, generation, txn), now: query.now)
      },
      accept: { (item) throws(StorageError) in
        guard asksCatalog else { return true }
        return try query.accepts(item, &filter, generation, txn)
      }
    )
  }

  private var mode: TextIndex.Mode {
    switch request.mode {
    case .all: .all
    case .any: .any
    case .phrase: .phrase
    }
  }

  private func accepts(
    _ item: UInt32,
    _ filter: inout Filter?,
    _ generation: Generation,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool {
    let catalog = generation.catalog
    guard let version = try catalog.state(of: item, asOf: moment.sequence, in: txn),
      moment.isPresent(version.state), subtree?.contains(version.state.domain) ?? true
    else { return false }
    guard filter != nil else { return true }
    let attributes = try catalog.encodedAttributes(
      of: item,
      version.state.content,
      log: moment.store.log,
      in: txn
    )
    return filter?.passes(attributes) ?? true
  }

  private func use(
    _ item: UInt32,
    _ generation: Generation,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> UseState {
    if let pastSequence {
      return try generation.ranking.history.state(of: item, asOf: pastSequence, in: txn)
    }
    return try generation.ranking.state(of: item, in: txn) ?? UseState()
  }

  private static func useScore(_ use: UseState, now: Int64) -> Double {
    let frecency = use.frecency.score(atMicroseconds: now)
    return frecency > 0 ? useWeight * DeterministicMath.naturalLogarithm(1 + frecency) : 0
  }

  /// No item's use score exceeds this: fast sums never exceed the slowest one.
  private static func bonusBound(_ checkpoint: Checkpoint, now: Int64) -> Double {
    guard checkpoint.greatestUse > 0 else { return 0 }
    guard now >= checkpoint.latestUseMicroseconds else { return 1_000 }
    let greatest = Frecency.amplitudes.reduce(0, +) * checkpoint.greatestUse
    return useWeight * DeterministicMath.naturalLogarithm(1 + greatest) * (1 + 1e-9)
  }

  /// Puts matches in order of last use or of frecency.
  private func resorted(
    _ found: [TextIndex.Hit],
    _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> [TextIndex.Hit] {
    let generation = view.generation
    var keyed: [(hit: TextIndex.Hit, key: Double, last: Int64, name: [UInt8])] = []
    keyed.reserveCapacity(found.count)
    for hit in found {
      let use = try use(hit.item, generation, txn)
      let last = try lastTouched(hit.item, use, generation, txn)
      let key = request.sort == .frequent ? use.frecency.logarithm(atMicroseconds: now) : 0
      keyed.append((hit, key, last, try generation.catalog.name(of: hit.item, in: txn)))
    }
    keyed.sort { one, other in
      if one.key != other.key { return one.key > other.key }
      if one.last != other.last { return one.last > other.last }
      return one.name.lexicographicallyPrecedes(other.name)
    }
    return keyed.map(\.hit)
  }

  /// When an item was last viewed, or else last changed.
  private func lastTouched(
    _ item: UInt32,
    _ use: UseState,
    _ generation: Generation,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Int64 {
    if use.viewCount > 0 { return use.lastViewedMicroseconds }
    guard let version = try generation.catalog.state(of: item, asOf: moment.sequence, in: txn),
      let record = try generation.timeline.record(at: version.sequence, in: txn)
    else { return .min }
    return record.timeMicroseconds
  }

  private func hit(
    _ found: TextIndex.Hit,
    rank: Int,
    _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> SearchHit {
    guard let item = try moment.item(found.item, view, txn) else {
      throw StorageError(
        .corrupt,
        "the text index finds an item that the catalog does not have; run: cairn rebuild",
        place: "view-\(view.generation.number).mdb"
      )
    }
    var hit = SearchHit(
      rank: rank,
      item: item.id,
      domain: item.domain,
      title: item.title,
      score: found.score,
      snippet: Snippet.of(item, tokens)
    )
    if request.explains {
      let use = try use(found.item, view.generation, txn)
      hit.explanation = ScoreExplanation(found, use, now: now)
    }
    return hit
  }
}

extension ScoreExplanation {
  fileprivate init(_ hit: TextIndex.Hit, _ use: UseState, now: Int64) {
    let frecency = use.frecency.score(atMicroseconds: now)
    let useScore =
      frecency > 0
      ? SearchQuery.useWeight * DeterministicMath.naturalLogarithm(1 + frecency) : 0
    let tierScore = 2 * Double(hit.tier)
    self.init(
      tier: Int(hit.tier),
      tierScore: tierScore,
      text: hit.text,
      textScore: hit.score - tierScore - useScore,
      frecency: frecency,
      useScore: useScore,
      words: hit.matches.map { match in
        Word(
          term: String(decoding: match.term, as: UTF8.self),
          isTypo: match.isTypo,
          inverseDocumentFrequency: match.inverseFrequency,
          score: match.score
        )
      }
    )
  }
}
