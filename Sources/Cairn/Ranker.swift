import Catalog
import LMDB
import Projections
import Ranking

/// Ranks the items of one search: looks up what is known of their use at the moment.
final class Ranker {
  private let generation: Generation
  private let sequence: UInt64
  private let isPresent: Bool
  private let now: Int64
  private let amplitudes: [Double]
  private let hasEngagement: Bool
  private let context: ContextEvidence?
  private var domains: [UInt32: EngagementState?] = [:]
  /// Decayed choices for the query typed, by item.
  let learned: [UInt32: Double]

  init(
    _ moment: Moment,
    _ request: SearchRequest,
    _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    generation = view.generation
    sequence = view.sequence
    isPresent = view.isPresent
    now = moment.rankingClock.microseconds
    amplitudes = moment.scales.amplitudes
    hasEngagement = try !generation.ranking.engagement.isEmpty(in: txn)
    context = try ContextEvidence(request.context, now: now, view, txn)
    let catalog = view.generation.catalog
    learned =
      hasEngagement && request.sort == .relevance
      ? try view.generation.ranking.choices.learned(
        for: QueryText.normalised(Array(request.text.utf8)),
        asOf: view.sequence,
        atMicroseconds: now,
        in: txn,
        since: { (item) throws(StorageError) in
          try catalog.state(of: item, asOf: moment.sequence, in: txn)?.state.since ?? 0
        }
      ) : [:]
  }

  /// The use of an item as of the moment.
  func use(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(StorageError) -> UseState {
    isPresent
      ? try generation.ranking.state(of: item, in: txn) ?? UseState()
      : try generation.ranking.history.state(of: item, asOf: sequence, in: txn)
  }

  /// Every term but what was learned for the query.
  ///
  /// - Complexity: O(log items): one row for the use, two more where results were ever shown.
  func terms(
    _ item: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> RankingTerms {
    var terms = RankingTerms()
    terms.frecency = try use(item, txn).frecency.score(
      atMicroseconds: now,
      amplitudes: amplitudes
    )
    if hasEngagement {
      let version = try generation.catalog.state(of: item, asOf: sequence, in: txn)
      let state = try generation.ranking.engagement.state(
        .item,
        item,
        since: version?.state.since ?? 0,
        asOf: sequence,
        in: txn
      )
      terms.add(
        item: state?.aged(to: now),
        domain: try domain(version?.state.domain ?? ResolvedEvent.none, txn)
      )
    }
    terms.useScore = RankingTerms.useScore(terms.frecency, dislike: terms.dislike)
    if let context {
      let uses = try generation.ranking.history.latest(
        ContextEvidence.useCount,
        of: item,
        asOf: sequence,
        in: txn
      )
      terms.contextScore = RankingTerms.contextWeight * context.score(uses)
    }
    return terms
  }

  private func domain(
    _ domain: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> EngagementState? {
    guard domain != ResolvedEvent.none else { return nil }
    if let known = domains[domain] { return known }
    let state = try generation.ranking.engagement.state(
      .domain,
      domain,
      since: 0,
      asOf: sequence,
      in: txn
    )
    let aged = state?.aged(to: now)
    domains[domain] = .some(aged)
    return aged
  }

  /// No item's terms add up to more: fast sums never exceed the slowest one.
  func bound(_ checkpoint: Checkpoint) -> Double {
    var bound = hasEngagement ? RankingTerms.engagementScoreMax : 0
    if context != nil { bound += RankingTerms.contextWeight * ContextEvidence.scoreMax }
    if checkpoint.greatestUse > 0 {
      guard now >= checkpoint.latestUseMicroseconds else { return 1_000 }
      let greatest = amplitudes.reduce(0, +) * checkpoint.greatestUse
      bound += RankingTerms.useScore(greatest)
    }
    return bound * (1 + 1e-9)
  }

  /// What choices for the query are worth for a hit of a tier, and what guards that gives.
  func lift(_ item: UInt32, tier: UInt8) -> (learned: Double, exact: Double) {
    let learning = RankingTerms.learning(learned[item] ?? 0)
    var guards = 0.0
    if learning >= RankingTerms.taughtLearning, tier < 4 { guards += RankingTerms.exactGuard }
    if learning > 0, tier == 0 { guards += RankingTerms.fuzzyGuard }
    return (RankingTerms.learnedWeight * learning, guards)
  }
}
