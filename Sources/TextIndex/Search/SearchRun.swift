internal import Glibc
internal import LMDB
internal import Text

/// One evaluation of a bound query: walks the groups, prunes by bounds, keeps the best.
struct SearchRun {
  typealias Bonus = (_ item: UInt32, _ least: Double) throws(CairnError) -> Double?
  typealias Bounds = () throws(CairnError) -> (TextIndex.BonusBounds, DocumentBounds?)?
  typealias Accept = (UInt32) throws(CairnError) -> Bool

  let tables: IndexTables
  let mode: TextIndex.Mode
  let tierScores: [Double]
  let maximumBonus: Double
  /// What single bonuses stay below, where that is known.
  private(set) var bounds: TextIndex.BonusBounds?
  /// The same by document.
  private(set) var documentWorths: DocumentWorths?
  let explains: Bool
  var facts: DocumentVisibility
  var plan: QueryPlan
  var hits: TopHits
  /// Whether documents that have all groups were seen before.
  var leavesOutComplete = false
  /// Those of them that were hits then.
  var completeHits: Set<UInt32> = []
  /// Clauses of several words, verified by position.
  private let phrases: [(clause: Int, groups: [PhraseElement])]
  /// The best hit so far of each title, by its words; nil where no titles are looked for.
  private var byTitle: [[UInt32]: TextIndex.Hit]?
  private var titled = DocumentTokens()
  /// Documents with titles that had been found before.
  private var repeatedCount = 0
  /// Whether the only phrase is of two words, whose places are compared as they are joined.
  var isPhraseCompared = false
  private let offsets: [PhraseElement]
  private var evidence: [TermGroup.Evidence?]
  /// What is known of a window before its documents are gathered.
  struct Window {
    /// What no document gets in all.
    var text = 0.0
    /// Whether no document has all groups.
    var isPartial = false
  }

  /// The least tier of documents with the words in a title.
  private static let titleTier = 2
  /// A text score that no document has, with room for what rounding takes off.
  private static let unreached = 1e300

  var window = Window()
  /// Documents of the present window; what each group gives one of them at most, and its best place
  /// in a title.
  var candidates: Candidates
  var peaks: [Double]
  var places: [UInt8]
  /// Groups in the order in which they are taken in, and by how many documents they have.
  var order: [Int] = []
  var byCount: [Int] = []
  /// Documents that were looked at before all others, ascending.
  var seen: [UInt32] = []
  /// What those that are looked at get more than their bonus.
  var extra: TextIndex.Boosts.Extra?
  /// Whether documents may come that stand before the worst hit, and enter with its score.
  var mayTie = false
  /// Likely hits so far of which it is not known whether a clause holds, and the best score of
  /// them.
  private var postponedCount = 0
  private var postponedScore = -Double.infinity
  /// Documents in a row that would have entered and had ended.
  private var deadStreak = 0
  /// Where the rarest group stands in a candidate.
  var leadPlaces: [UInt64] = []
  /// Items of all documents that match, where nothing is scored; nil where hits are kept.
  var matched: [UInt32]?
  /// Whether no item has to be asked about.
  var acceptsAll = false
  /// What no bonus exceeds of the documents that are looked at.
  private var bonusBound: Double
  /// By tier: a text score below it cannot enter.
  private(set) var needed: [Double]
  /// The same for documents whose items have no bonus.
  private(set) var neededAlone: [Double]
  /// Documents after it are not of the point searched.
  var lastDocument: UInt32 { facts.lastDocument }

  init(
    _ request: TextIndex.Request, _ plan: QueryPlan, _ facts: DocumentVisibility,
    maximumBonus: Double
  ) {
    tables = facts.tables
    mode = request.mode
    tierScores = request.tierScores
    explains = request.explains
    self.maximumBonus = maximumBonus
    bonusBound = maximumBonus
    self.facts = facts
    self.plan = plan
    hits = TopHits(limit: request.limit)
    byTitle = request.findsTitles ? [:] : nil
    let phrases = plan.phrases
    self.phrases = phrases
    offsets = plan.elements.indices.map { ($0, plan.elements[$0].position) }
    evidence = Array(repeating: nil, count: plan.elements.count)
    candidates = Candidates(groupCount: plan.elements.count)
    peaks = Array(repeating: 0, count: plan.elements.count)
    places = Array(repeating: 0, count: plan.elements.count)
    needed = Array(repeating: -1, count: request.tierScores.count)
    if request.findsTitles { for tier in 0..<Self.titleTier { needed[tier] = Self.unreached } }
    neededAlone = needed
  }

  /// Goes on with what single bonuses stay below, of items and, where known, of documents.
  mutating func learn(_ bounds: TextIndex.BonusBounds, _ documents: DocumentBounds?) {
    self.bounds = bounds
    documentWorths = documents.map { DocumentWorths($0, bounds) }
    if hits.isFull { requireAlone() }
  }

  /// The greatest score a document can have, given the sum of its groups' bounds, the tier and what
  /// its bonus does not exceed.
  @inline(__always) private func upperBound(tier: UInt8, text: Double, bonus: Double) -> Double {
    ScoreFormula.combine(tier: tier, text: text, tierScores: tierScores) + bonus
  }

  /// Whether a document with this tier and text score may enter.
  ///
  /// Changes nothing; `mutating` has it called in place, where else the run would be copied.
  @inline(__always) mutating func admits(tier: UInt8, text: Double) -> Bool {
    let needed = needed[Int(tier)]
    guard text >= needed else { return false }
    // The logarithm is taken only where rounding could decide.
    if text > needed + abs(needed) * 1e-8 + 1e-8 { return true }
    guard hits.isFull else { return true }
    let most = upperBound(tier: tier, text: text, bonus: bonusBound)
    return mayTie ? most >= hits.threshold : most > hits.threshold
  }

  /// Whether a document with this tier and text, whose bonus makes of one more than the text so
  /// many times that at most, may enter.
  private mutating func admits(tier: UInt8, text: Double, worth: Double) -> Bool {
    let needed = documentWorths == nil ? needed[Int(tier)] : neededAlone[Int(tier)]
    return (1 + text) * worth * (1 + 1e-9) >= 1 + needed
  }

  /// Whether an item's document with this tier at most and this text may enter.
  private mutating func admits(
    _ item: UInt32, tier: UInt8, text: Double, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    guard hits.isFull else { return true }
    let bonus = bounds.map { $0.bonusMax($0.level(of: item)) } ?? maximumBonus
    guard let extra else {
      return upperBound(tier: tier, text: text, bonus: bonus) >= hits.threshold
    }
    for tier in 0...tier {
      let most = upperBound(tier: tier, text: text, bonus: bonus)
      let hit = TextIndex.Hit(item: item, document: 0, text: text, tier: tier, score: most)
      if most + (try extra(hit, txn)) >= hits.threshold { return true }
    }
    return false
  }

  /// Keeps a hit and raises what others need.
  private mutating func insert(_ hit: TextIndex.Hit) {
    hits.insert(hit)
    guard hits.isFull else { return }
    require(bonus: bonusBound)
    requireAlone()
  }

  private mutating func requireAlone() {
    guard documentWorths != nil else { return }
    for tier in neededAlone.indices { neededAlone[tier] = text(needed: tier, bonus: 0) }
  }

  /// Goes on with the documents of a range: their bonuses may stay below those of others.
  mutating func enter(_ range: ClosedRange<UInt32>) {
    guard let bounds else { return }
    let bound = documentWorths.map { bounds.bonusMax($0.bounds.peak(of: range)) } ?? maximumBonus
    guard bound != bonusBound else { return }
    bonusBound = bound
    if hits.isFull { require(bonus: bound) }
  }

  /// Looks at all documents again.
  mutating func leaveRange() {
    bonusBound = maximumBonus
    if hits.isFull { require(bonus: bonusBound) }
  }

  private mutating func require(bonus: Double) {
    for tier in needed.indices { needed[tier] = text(needed: tier, bonus: bonus) }
  }

  /// The text score that a document of a tier needs.
  ///
  /// Changes nothing; `mutating` has it called in place, where else the run would be copied.
  private mutating func text(needed tier: Int, bonus: Double) -> Double {
    if byTitle != nil, tier < Self.titleTier { return Self.unreached }
    let least = exp(hits.threshold - bonus - tierScores[tier]) - 1
    // A little less than needed, so that rounding never turns a hit away here.
    return least - abs(least) * 1e-9 - 1e-9
  }

  /// The best tier of a document that has all groups, given their places in titles.
  @inline(__always) func tierBound(first: UInt8, least: UInt8) -> UInt8 {
    if plan.elements.count == 1 { return first + 1 }
    if least == 0 { return 1 }
    return first < 2 ? 2 : 4
  }

  /// By tier, one more than the text below which nothing of no worth can enter; nil while anything
  /// can.
  var neededByTier: SIMD8<Double>? {
    guard hits.isFull else { return nil }
    let texts = documentWorths == nil ? needed : neededAlone
    var result = SIMD8<Double>()
    for tier in texts.indices.prefix(8) { result[tier] = 1 + texts[tier] }
    return result
  }

  private mutating func isVisible(_ document: UInt32, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> Bool
  {
    let isVisible = try facts.isVisible(document, txn)
    deadStreak = isVisible ? 0 : deadStreak + 1
    return isVisible
  }

  /// Where to go on from a document: past those that have ended, where there were many in a row.
  ///
  /// Bounds do not know what has ended: without a hit among them, all of these would be scored.
  mutating func skipDead(from document: UInt32, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> UInt32
  {
    guard deadStreak >= IndexLimits.deadStreakCount else { return document }
    deadStreak = 0
    return try facts.firstLive(from: document, txn)
  }

  /// Scores a candidate and keeps it when it is good enough.
  mutating func consider(
    _ candidate: Candidates.Entry, _ txn: borrowing ReadTransaction, _ bonus: Bonus,
    _ accept: Accept
  ) throws(CairnError) {
    let document = candidate.document
    var text = 0.0
    var isComplete = true
    var isEvery = true
    var least = UInt8.max
    for index in plan.groups.indices {
      let found = candidates.evidence(candidate.slot, index)
      evidence[index] = found
      guard let found else {
        isComplete = false
        isEvery = false
        continue
      }
      text += found.score
      least = min(least, found.place)
      if found.isTypo { isComplete = false }
    }
    if leavesOutComplete, isEvery || completeHits.contains(document) { return }
    let bound = isComplete ? tierBound(first: evidence[0]?.place ?? 0, least: least) : 0
    var tier = min(bound, candidate.tier)
    if tier == 4, let last = plan.lastWordDocuments, document <= facts.state.mergedDocument,
      !last.contains(document)
    {
      tier = 3
    }
    // Hits since it was gathered may have shut it out.
    guard extra != nil || admits(tier: tier, text: text, worth: candidate.worth),
      seen.isEmpty || seen.index(sorted: document) == nil, try isVisible(document, txn)
    else { return }
    let shown = try facts.item(document, txn)
    guard let item = try facts.shownItem(of: shown, txn),
      try admits(item, tier: tier, text: text, txn), try accept(item)
    else { return }
    try keep(document, item, tier, text, txn, bonus)
  }

  /// Verifies phrases and title tier, and adds the hit.
  private mutating func keep(
    _ document: UInt32, _ item: UInt32, _ tierBound: UInt8, _ textBound: Double,
    _ txn: borrowing ReadTransaction, _ bonus: Bonus
  ) throws(CairnError) {
    var tier = tierBound
    var text = textBound
    var isLikely = false
    let hasTitle = tier > 1 && plan.elements.count > 1
    let isMerged = document <= facts.state.mergedDocument
    if !isMerged, hasTitle || !phrases.isEmpty { try plan.positions.load(document, &facts, txn) }
    if !phrases.isEmpty {
      guard let verified = try verifiedText(text, document, isMerged: isMerged, txn) else { return }
      if verified.isPartial { tier = 0 }
      text = verified.text
      isLikely = verified.isLikely
    }
    if tier > 1, hasTitle {
      if isMerged, !plan.leavesOutPhrases { try plan.positions.load(document, &facts, txn) }
      tier = plan.positions.titleTier(offsets, length: plan.length)
    }
    if byTitle != nil, tier < Self.titleTier { return }
    let alone = ScoreFormula.combine(tier: tier, text: text, tierScores: tierScores)
    let title = try titleWords(document, isMerged: isMerged, txn)
    let rival = title.flatMap { byTitle?[$0] }
    if rival != nil { repeatedCount += 1 }
    let least = extra == nil ? max(hits.threshold, rival?.score ?? -.infinity) - alone : -.infinity
    guard let bonus = try bonus(item, least) else { return }
    let score = alone + bonus
    var hit = TextIndex.Hit(item: item, document: document, text: text, tier: tier, score: score)
    if let extra { hit.score += try extra(hit, txn) }
    if explains { hit.matches = matches() }
    if isLikely { return postpone(hit) }
    if let title {
      if let rival {
        guard TopHits.isBetter(hit, rival) else { return }
        hits.remove(rival.document)
      }
      byTitle?[title] = hit
    }
    insert(hit)
  }

  /// The words of a document's titles where titles are looked for; nil for none.
  private mutating func titleWords(
    _ document: UInt32, isMerged: Bool, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt32]? {
    guard byTitle != nil else { return nil }
    try facts.tokens(document, into: &titled, txn)
    let words = titled.titleTokens.map(\.term)
    // The words of what is not merged yet have other numbers.
    return words.isEmpty ? nil : isMerged ? words : words + [.max]
  }

  /// Counts a hit that stands in the way of others where a clause of it holds, which its titles do
  /// not tell.
  private mutating func postpone(_ hit: TextIndex.Hit) {
    guard !hits.isFull || hit.score >= hits.threshold else { return }
    postponedCount += 1
    postponedScore = max(postponedScore, hit.score)
  }

  /// Whether so many titles were found again that few others are expected.
  var isRepetitive: Bool { repeatedCount > IndexLimits.repeatedTitleCount }

  /// Whether so much was postponed that titles are of no help.
  var isLost: Bool { postponedCount > IndexLimits.postponedCount }

  /// Whether hits may be missing that titles do not tell of.
  var lacksPhrases: Bool {
    postponedCount > 0 && (isLost || !hits.isFull || postponedScore >= hits.threshold)
  }

  /// The text score of the clauses whose words stand as they must; nil when too few do.
  private mutating func verifiedText(
    _ text: Double, _ document: UInt32, isMerged: Bool, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> (text: Double, isPartial: Bool, isLikely: Bool)? {
    var failed: [Int] = []
    if isMerged, isPhraseCompared { return (text, false, false) }
    let asksTitles = isMerged && plan.leavesOutPhrases
    if asksTitles { try plan.positions.load(document, &facts, txn) }
    var isLikely = false
    for index in phrases.indices {
      let (clause, groups) = phrases[index]
      var holds = groups.allSatisfy { evidence[$0.group] != nil }
      if holds {
        if isMerged, let documents = plan.phraseDocuments[clause] {
          holds = documents.index(sorted: document) != nil
        } else {
          let isOpen = groups.contains { !plan.groups[$0.group].hasPositions }
          let isLoaded = !isMerged || asksTitles && isOpen
          holds = try plan.hasPhrase(groups, in: document, isLoaded: isLoaded, txn, tables)
          if isMerged, isLoaded, !holds { (holds, isLikely) = (true, true) }
        }
      }
      guard !holds else { continue }
      if mode != .any { return nil }
      failed.append(clause)
    }
    guard !failed.isEmpty else { return (text, false, isLikely) }
    var sum = 0.0
    var remains = false
    for index in plan.groups.indices {
      if failed.contains(plan.groups[index].clause) { evidence[index] = nil }
      guard let found = evidence[index] else { continue }
      sum += found.score
      remains = true
    }
    return remains ? (sum, true, false) : nil
  }

  /// Whether a candidate has the clauses of several words as they must stand.
  mutating func hasPhrases(
    _ candidate: Candidates.Entry, isMerged: Bool, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    if !isMerged { try plan.positions.load(candidate.document, &facts, txn) }
    for index in plan.groups.indices {
      evidence[index] = candidates.evidence(candidate.slot, index)
    }
    return try verifiedText(0, candidate.document, isMerged: isMerged, txn) != nil
  }

  private func matches() -> [TextIndex.Match] {
    plan.groups.indices.compactMap { index in
      guard let found = evidence[index] else { return nil }
      return TextIndex.Match(
        term: plan.elements[index].term.bytes, isTypo: found.isTypo,
        inverseFrequency: plan.groups[index].inverseFrequency, score: found.score)
    }
  }
}
