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
  /// All uses of all items; nil for the present.
  private let total: Frecency?
  private let hasEngagement: Bool
  private let context: ContextEvidence?
  private var domains: [UInt32: EngagementState?] = [:]
  /// The query typed, as choices are remembered by it.
  private let query: [UInt8]
  /// What was chosen for the query typed and for those that it begins or is begun by, by item.
  private let related: [UInt32: [Choices.RelatedChoice]]
  /// The item chosen last for the very query, and when: microseconds since 1970.
  private let latest: (item: UInt32, time: Int64)?
  /// What is known of the items that were asked about.
  private var learned: [UInt32: Learned] = [:]
  /// By item, level 0 for those that were never used; nil where that is not known.
  private var levels: [UInt8]?
  /// How items and domains fared; nil where that is to be looked up.
  private var engaged: EngagedItems?
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
    total = view.isPresent ? nil : try view.totalUse(txn)
    hasEngagement = try !generation.ranking.engagement.isEmpty(in: txn)
    context = try ContextEvidence(request.context, moment, view, txn)
    let query = QueryText.normalised(Array(request.text.utf8))
    self.query = query
    tiers = TierScore(guardsMisspelt: request.mode == .all)
    let related =
      hasEngagement
      ? try generation.ranking.choices.related(
        to: query, asOf: view.sequence, atMicroseconds: now, in: txn) : []
    self.related = Dictionary(grouping: related, by: \.item)
    latest = try Self.latest(of: related, view, txn)
  }

  var chosen: [UInt32] { related.keys.sorted() }

  /// The item that the newest choice for the very query is of.
  private static func latest(
    of related: [Choices.RelatedChoice], _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> (item: UInt32, time: Int64)? {
    var known: [(time: Int64, made: UInt64, item: UInt32)] = []
    for choice in related {
      if let time = choice.time { known.append((time, choice.made, choice.item)) }
    }
    for choice in known.sorted(by: >) {
      let state = try view.generation.catalog.state(
        of: choice.item, asOf: view.sequence, in: txn)?.state
      if choice.made >= state?.since ?? 0 { return (choice.item, choice.time) }
    }
    return nil
  }

  /// What choices for the query say of an item.
  private struct Learned {
    /// Its decayed choices; nil for none.
    var choices: Double?
    /// Whether it is not wanted since.
    var isUnwanted = false
  }

  /// What was learned of an item since it is there.
  private func learned(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> Learned
  {
    if let known = learned[item] { return known }
    guard let choices = related[item] else { return Learned() }
    let state = try generation.catalog.state(of: item, asOf: sequence, in: txn)?.state
    let since = state?.since ?? 0
    var found = Learned()
    var newest: UInt64 = 0
    for choice in choices where choice.made >= since {
      found.choices = (found.choices ?? 0) + choice.weight
      newest = max(newest, choice.made)
    }
    if let choices = found.choices, item == latest?.item || ChoiceBoost.isTaught(choices) {
      let engagement = generation.ranking.engagement
      var dislike = 0.0
      for (point, sign) in [(sequence, 1.0), (newest, -1)] {
        let state = try engagement.state(.item, item, since: since, asOf: point, in: txn)
        dislike += sign * (state?.aged(to: now).dislike ?? 0)
      }
      found.isUnwanted = dislike >= ScoreConstants.current.unwantedDislike
    }
    learned[item] = found
    return found
  }

  /// Decayed choices of an item for the query typed; nil for none.
  func choices(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError) -> Double? {
    try learned(item, txn).choices
  }

  func use(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError) -> UseState {
    if let levels, item >= levels.count || levels[Int(item)] == 0 { return UseState() }
    return try generation.ranking.use(of: item, asOf: isPresent ? nil : sequence, in: txn)
  }

  /// The sum of an item's terms; nil where its use shows that it stays below the least given.
  func bonus(_ item: UInt32, atLeast least: Double, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Double?
  {
    if levels == nil || isPresent && engaged == nil { generation.ranking.levels.noteLook() }
    let use = try use(item, txn)
    let frecency = frecency(use)
    // Who was chosen was used: nothing else speaks for an item.
    let most = RankingTerms.bonusMax(
      frecency: frecency, hasEngagement: hasEngagement && use != UseState(), context: context)
    return most + abs(most) * 1e-9 + 1e-9 < least ? nil : try terms(item, frecency, txn).bonus
  }

  /// Every term but what was learned for the query.
  /// - Complexity: O(log items): one row for the use, two more where results were ever shown.
  func terms(_ item: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError) -> RankingTerms {
    try terms(item, frecency(try use(item, txn)), txn)
  }

  private func frecency(_ use: UseState) -> Double {
    use.frecency.score(atMicroseconds: now, amplitudes: amplitudes)
  }

  private func terms(_ item: UInt32, _ frecency: Double, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> RankingTerms
  {
    var terms = RankingTerms()
    if hasEngagement, engaged?.tellsNothing(of: item) != true {
      let version = try generation.catalog.state(of: item, asOf: sequence, in: txn)
      let state = try engagement(.item, item, since: version?.state.since ?? 0, txn)
      terms.add(
        item: state?.aged(to: now),
        domain: try domain(version?.state.domain ?? ResolvedEvent.none, txn))
    }
    terms.add(frecency: frecency)
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
    let aged = try engagement(.domain, domain, since: 0, txn)?.aged(to: now)
    domains[domain] = .some(aged)
    return aged
  }

  private func engagement(
    _ kind: Engagement.Kind, _ ordinal: UInt32, since: UInt64, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> EngagementState? {
    if let engaged { return engaged.state(kind, ordinal, since: since) }
    return try generation.ranking.engagement.state(
      kind, ordinal, since: since, asOf: sequence, in: txn)
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
      try self.choices(item, txn) == nil
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
    // Of the past it is not known what was used most, but no item has more than all together.
    let most =
      total?.score(atMicroseconds: now, amplitudes: amplitudes)
      ?? amplitudes.reduce(0, +) * checkpoint.greatestUse
    // Who was chosen was used: before any use, how items fared only costs them something.
    return RankingTerms.bonusMax(
      frecency: most, hasEngagement: hasEngagement && total?.referenceMicroseconds != .min,
      context: context) * (1 + 1e-9)
  }

  /// What single items' terms stay below: nothing above 0 for those that nobody ever used.
  ///
  /// Nil until as much was spent without.
  func bounds(
    _ checkpoint: Checkpoint, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> TextIndex.BonusBounds? {
    let ranking = generation.ranking
    let known =
      isPresent
      ? try presentLevels(checkpoint, txn)
      : try ranking.levels.levels(of: ranking, checkpoint, asOf: sequence, in: txn)
    guard let known else { return nil }
    (levels, engaged) = (known.levels, known.engaged)
    let (least, step) = RankingTerms.levelBounds(amplitudes: amplitudes, context: context)
    let isBound = isAfterUse(checkpoint) && now >= known.clock
    return TextIndex.BonusBounds(
      levels: known.levels, version: known.version, step: isBound ? step : nil, least: least,
      most: bound(checkpoint))
  }

  private func presentLevels(
    _ checkpoint: Checkpoint, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> UseLevels.Levels? {
    try generation.ranking.levels.levels(
      of: generation.ranking, checkpoint, clock: now, in: txn,
      uses: { (sequence, body) throws(CairnError) in
        let last = checkpoint.applied
        try generation.timeline.forEach(from: sequence + 1, through: last, in: txn) { record in
          if record.use != nil { body(record.item) }
          return true
        }
      }, marksParts: checkpoint.hasEndingParts,
      parts: { (sequence, body) throws(CairnError) in
        try visitParts(after: sequence, checkpoint, txn, body)
      })
  }

  /// Visits every part of another item, or those of the items that events after one were about.
  private func visitParts(
    after sequence: UInt64?, _ checkpoint: Checkpoint, _ txn: borrowing ReadTransaction,
    _ body: (UInt32) -> Void
  ) throws(CairnError) {
    let catalog = generation.catalog
    let last = checkpoint.applied
    guard let sequence else {
      return try catalog.forEachState(asOf: last, in: txn) { (item, _, state) in
        if state.isPart { body(item) }
      }
    }
    var items: Set<UInt32> = []
    try generation.timeline.forEach(from: sequence + 1, through: last, in: txn) { record in
      if record.item < checkpoint.itemCount { items.insert(record.item) }
      return true
    }
    for item in items {
      guard let whole = try catalog.whole(of: item, asOf: last, in: txn) else { continue }
      for owner in try catalog.owners(of: whole.item, whole.state.content, in: txn).dropFirst() {
        body(owner.item)
      }
    }
  }

  /// Whether the clock is not behind any use: only then do frecencies fall as time passes.
  private func isAfterUse(_ checkpoint: Checkpoint) -> Bool {
    if let total { return now >= total.referenceMicroseconds }
    return checkpoint.greatestUse == 0 || now >= checkpoint.latestUseMicroseconds
  }

  /// The bound where the clock is behind a use, and frecency has none.
  private static let boundBehindUse = 1_000.0

  /// What choices for the query are worth for a hit of a tier, and what guards that gives.
  func choiceBoost(_ item: UInt32, tier: UInt8, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> ChoiceBoost
  {
    let learned = try learned(item, txn)
    var latestScore = 0.0
    if let latest, latest.item == item, !learned.isUnwanted {
      latestScore = ChoiceBoost.latestScore(chosenAt: latest.time, now: now)
    }
    return ChoiceBoost(
      choices: learned.choices ?? 0, latest: latestScore, isUnwanted: learned.isUnwanted,
      tier: tier, tiers: tiers)
  }
}
