import Catalog
import LMDB
import Projections
import Ranking
import TextIndex
import Timeline

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
  /// What tiers are worth: an exact title comes first, misspelt matches of all words last.
  let tiers: TierScore

  init(
    _ moment: Moment, _ request: SearchRequest, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    generation = view.generation
    sequence = view.sequence
    isPresent = view.isPresent
    now = moment.rankingClock.microseconds
    amplitudes = moment.scales.amplitudes
    hasEngagement = try !generation.ranking.engagement.isEmpty(in: txn)
    context = try ContextEvidence(request.context, moment, view, txn)
    let query = QueryText.normalised(Array(request.text.utf8))
    self.query = query
    tiers = TierScore(guardsMisspelt: request.mode == .all)
    let catalog = view.generation.catalog
    let learned =
      hasEngagement
      ? try view.generation.ranking.choices.learned(
        for: query, asOf: view.sequence, atMicroseconds: now, in: txn,
        since: { (item) throws(CairnError) in
          try catalog.state(of: item, asOf: moment.sequence, in: txn)?.state.since ?? 0
        }) : Choices.Learned()
    self.learned = learned.weights
    var unwanted: Set<UInt32> = []
    for (item, made) in learned.newest {
      let isLifted =
        item == learned.latest?.item || ChoiceLift.isTaught(learned.weights[item] ?? 0)
      guard isLifted else { continue }
      let since = try catalog.state(of: item, asOf: moment.sequence, in: txn)?.state.since ?? 0
      let engagement = view.generation.ranking.engagement
      var dislike = 0.0
      for (point, sign) in [(view.sequence, 1.0), (made, -1)] {
        let state = try engagement.state(.item, item, since: since, asOf: point, in: txn)
        dislike += sign * (state?.aged(to: now).dislike ?? 0)
      }
      if dislike >= ScoreConstants.current.unwantedDislike { unwanted.insert(item) }
    }
    self.unwanted = unwanted
    if let chosen = learned.latest, !unwanted.contains(chosen.item) {
      latest = (chosen.item, ChoiceLift.latestScore(chosenAt: chosen.time, now: now))
    } else {
      latest = nil
    }
  }

  /// The use of an item as of the moment.
  func use(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError) -> UseState {
    try generation.ranking.use(of: item, asOf: isPresent ? nil : sequence, in: txn)
  }

  /// Every term but what was learned for the query.
  /// - Complexity: O(log items): one row for the use, two more where results were ever shown.
  func terms(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError) -> RankingTerms {
    var terms = RankingTerms()
    if hasEngagement {
      let version = try generation.catalog.state(of: item, asOf: sequence, in: txn)
      let state = try generation.ranking.engagement.state(
        .item, item, since: version?.state.since ?? 0, asOf: sequence, in: txn)
      terms.add(
        item: state?.aged(to: now),
        domain: try domain(version?.state.domain ?? ResolvedEvent.none, txn))
    }
    terms.add(
      frecency: try use(item, txn).frecency.score(atMicroseconds: now, amplitudes: amplitudes))
    if let context {
      let uses = try generation.ranking.history.latest(
        ScoreConstants.current.evidenceUseCount, of: item, asOf: sequence, in: txn)
      terms.add(context, uses: uses)
    }
    return terms
  }

  private func domain(_ domain: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError)
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
  func evidence(_ item: UInt32, _ count: Int, _ txn: borrowing ReadTransaction) throws(CairnError)
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
    guard isAfterUse(checkpoint) else { return Self.boundBehindUse }
    return RankingTerms.bonusMax(
      frecency: amplitudes.reduce(0, +) * checkpoint.greatestUse, hasEngagement: hasEngagement,
      context: context) * (1 + 1e-9)
  }

  /// What single items' terms stay below: nothing above 0 for those that nobody ever used.
  ///
  /// Of a past point only that is known; nil where to look up so many is as fast.
  func bounds(
    _ checkpoint: Checkpoint, lookCount: UInt64, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> TextIndex.BonusBounds? {
    let known = try generation.ranking.levels.levels(
      of: generation.ranking, checkpoint, clock: now, lookCount: lookCount, in: txn,
      uses: { (sequence, body) throws(CairnError) in
        let last = checkpoint.applied
        try generation.timeline.forEach(from: sequence + 1, through: last, in: txn) { record in
          if record.use != nil { body(record.item, record.kind == EventKind.select.rawValue) }
          return true
        }
      })
    guard let known else { return nil }
    let (least, step) = RankingTerms.levelBounds(amplitudes: amplitudes, context: context)
    let isBound = isPresent && isAfterUse(checkpoint) && now >= known.clock
    return TextIndex.BonusBounds(
      levels: known.levels, version: known.version, step: isBound ? step : nil, least: least,
      most: bound(checkpoint))
  }

  /// Whether the clock is not behind any use: only then do frecencies fall as time passes.
  private func isAfterUse(_ checkpoint: Checkpoint) -> Bool {
    checkpoint.greatestUse == 0 || now >= checkpoint.latestUseMicroseconds
  }

  /// The bound where the clock is behind a use, and frecency has none.
  private static let boundBehindUse = 1_000.0

  /// What choices for the query are worth for a hit of a tier, and what guards that gives.
  func lift(_ item: UInt32, tier: UInt8) -> ChoiceLift {
    ChoiceLift(
      choices: learned[item] ?? 0, latest: latest.map { $0.item == item ? $0.score : 0 } ?? 0,
      isUnwanted: unwanted.contains(item), tier: tier, tiers: tiers)
  }
}
