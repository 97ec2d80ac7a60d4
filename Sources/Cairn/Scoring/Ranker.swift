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
  /// The query typed, as choices are remembered by it.
  private let query: [UInt8]
  /// Decayed choices for the query typed, by item.
  let learned: [UInt32: Double]
  /// The item chosen last for the very query, and what that is worth.
  private let latest: (item: UInt32, score: Double)?
  /// Items that were chosen for the query and are not wanted since.
  private let unwanted: Set<UInt32>
  /// Whether misspelt matches stand below the others.
  private let guardsMisspelt: Bool

  init(
    _ moment: Moment, _ request: SearchRequest, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    generation = view.generation
    sequence = view.sequence
    isPresent = view.isPresent
    now = moment.rankingClock.microseconds
    amplitudes = moment.scales.amplitudes
    hasEngagement = try !generation.ranking.engagement.isEmpty(in: txn)
    context = try ContextEvidence(request.context, moment, view, txn)
    let query = QueryText.normalised(Array(request.text.utf8))
    self.query = query
    guardsMisspelt = request.mode == .all
    let catalog = view.generation.catalog
    let learned =
      hasEngagement
      ? try view.generation.ranking.choices.learned(
        for: query, asOf: view.sequence, atMicroseconds: now, in: txn,
        since: { (item) throws(StorageError) in
          try catalog.state(of: item, asOf: moment.sequence, in: txn)?.state.since ?? 0
        }) : Choices.Learned()
    self.learned = learned.weights
    var unwanted: Set<UInt32> = []
    for (item, made) in learned.newest {
      let isLifted =
        item == learned.latest?.item
        || RankingTerms.learning(learned.weights[item] ?? 0) >= RankingTerms.taughtLearning
      guard isLifted else { continue }
      let since = try catalog.state(of: item, asOf: moment.sequence, in: txn)?.state.since ?? 0
      let engagement = view.generation.ranking.engagement
      var dislike = 0.0
      for (point, sign) in [(view.sequence, 1.0), (made, -1)] {
        let state = try engagement.state(.item, item, since: since, asOf: point, in: txn)
        dislike += sign * (state?.aged(to: now).dislike ?? 0)
      }
      if dislike >= RankingTerms.unwantedDislike { unwanted.insert(item) }
    }
    self.unwanted = unwanted
    if let chosen = learned.latest, !unwanted.contains(chosen.item) {
      latest = (chosen.item, RankingTerms.latestScore(chosenAt: chosen.time, now: now))
    } else {
      latest = nil
    }
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
  func terms(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(StorageError) -> RankingTerms
  {
    var terms = RankingTerms()
    terms.frecency = try use(item, txn).frecency.score(atMicroseconds: now, amplitudes: amplitudes)
    if hasEngagement {
      let version = try generation.catalog.state(of: item, asOf: sequence, in: txn)
      let state = try generation.ranking.engagement.state(
        .item, item, since: version?.state.since ?? 0, asOf: sequence, in: txn)
      terms.add(
        item: state?.aged(to: now),
        domain: try domain(version?.state.domain ?? ResolvedEvent.none, txn))
    }
    terms.useScore = RankingTerms.useScore(terms.frecency, dislike: terms.dislike)
    if let context {
      let uses = try generation.ranking.history.latest(
        ContextEvidence.useCount, of: item, asOf: sequence, in: txn)
      let follow = context.follow(uses)
      terms.contextScore =
        RankingTerms.contextWeight * context.score(uses)
        + RankingTerms.useScore(terms.frecency + follow, dislike: terms.dislike) - terms.useScore
    }
    return terms
  }

  private func domain(_ domain: UInt32, _ txn: borrowing ReadTransaction) throws(StorageError)
    -> EngagementState?
  {
    guard domain != ResolvedEvent.none else { return nil }
    if let known = domains[domain] { return known }
    let state = try generation.ranking.engagement.state(
      .domain, domain, since: 0, asOf: sequence, in: txn)
    let aged = state?.aged(to: now)
    domains[domain] = .some(aged)
    return aged
  }

  /// The events behind what was learned of an item and its domain.
  func evidence(_ item: UInt32, _ count: Int, _ txn: borrowing ReadTransaction) throws(StorageError)
    -> (choices: [UInt64], results: [UInt64], domain: [UInt64])
  {
    guard hasEngagement else { return ([], [], []) }
    let state = try generation.catalog.state(of: item, asOf: sequence, in: txn)?.state
    let since = state?.since ?? 0
    let ranking = generation.ranking
    let choices =
      learned[item] == nil
      ? []
      : try ranking.choices.events(
        count, of: item, for: query, since: since, asOf: sequence, in: txn)
    let results = try ranking.engagement.events(
      count, .item, item, since: since, asOf: sequence, in: txn)
    guard let domain = state?.domain, domain != ResolvedEvent.none else {
      return (choices, results, [])
    }
    let ofDomain = try ranking.engagement.events(
      count, .domain, domain, since: 0, asOf: sequence, in: txn)
    return (choices, results, ofDomain)
  }

  /// No item's terms add up to more: fast sums never exceed the slowest one.
  func bound(_ checkpoint: Checkpoint) -> Double {
    var bound = hasEngagement ? RankingTerms.engagementScoreMax : 0
    if context != nil { bound += RankingTerms.contextWeight * ContextEvidence.scoreMax }
    if checkpoint.greatestUse > 0 {
      guard now >= checkpoint.latestUseMicroseconds else { return 1_000 }
      let greatest = amplitudes.reduce(0, +) * checkpoint.greatestUse
      bound += RankingTerms.useScore(greatest + (context?.followMax ?? 0))
    }
    return bound * (1 + 1e-9)
  }

  /// What choices for the query are worth for a hit of a tier, and what guards that gives.
  func lift(_ item: UInt32, tier: UInt8) -> Lift {
    let learning = RankingTerms.learning(learned[item] ?? 0)
    var guards = 0.0
    if learning >= RankingTerms.taughtLearning, tier < 4, !unwanted.contains(item) {
      guards += RankingTerms.exactGuard
    }
    if learning >= RankingTerms.knownLearning, tier == 0, guardsMisspelt {
      guards += RankingTerms.fuzzyGuard
    }
    return Lift(
      learned: RankingTerms.learnedWeight * learning,
      latest: latest.map { $0.item == item ? $0.score : 0 } ?? 0, exact: guards)
  }

  /// What choices lift a hit by.
  struct Lift {
    /// Choices for the query and related ones.
    var learned: Double
    /// Having been chosen last for the very query.
    var latest: Double
    /// Guards that choices give or waive.
    var exact: Double

    /// All of it.
    var sum: Double { learned + latest + exact }
  }
}
