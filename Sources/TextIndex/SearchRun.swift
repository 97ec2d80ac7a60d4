internal import LMDB
internal import Text

/// One evaluation of a bound query: walks the groups, prunes by bounds, keeps the best.
struct SearchRun {
  typealias Bonus = (UInt32) throws(StorageError) -> Double
  typealias Accept = (UInt32) throws(StorageError) -> Bool

  let tables: IndexTables
  let normalization: LengthNormalization
  let mode: TextIndex.Mode
  let tierScores: [Double]
  let maximumBonus: Double
  let explains: Bool
  var facts: DocumentFacts
  var plan: QueryPlan
  var hits: TopHits
  /// Clauses of several words, verified by position.
  private let phrases: [(clause: Int, groups: [(group: Int, position: UInt32)])]
  private let offsets: [(group: Int, position: UInt32)]
  private var evidence: [TermGroup.Evidence?]
  /// First documents of a clause must not exceed it: see `lastDocument`.
  var lastDocument: UInt32 { facts.lastDocument }

  init(
    _ request: TextIndex.Request,
    _ plan: QueryPlan,
    _ facts: DocumentFacts,
    normalization: LengthNormalization,
    maximumBonus: Double
  ) {
    tables = facts.tables
    self.normalization = normalization
    mode = request.mode
    tierScores = request.tierScores
    explains = request.explains
    self.maximumBonus = maximumBonus
    self.facts = facts
    self.plan = plan
    hits = TopHits(limit: request.limit)
    phrases = plan.phrases
    offsets = plan.elements.indices.map { ($0, plan.elements[$0].position) }
    evidence = Array(repeating: nil, count: plan.elements.count)
  }

  /// Runs the query.
  mutating func run(
    _ txn: borrowing ReadTransaction,
    bonus: Bonus,
    accept: Accept
  ) throws(StorageError) {
    if mode == .any {
      try runAny(txn, bonus, accept)
    } else {
      guard plan.groups.allSatisfy({ !$0.cursors.isEmpty }) else { return }
      try runAll(txn, bonus, accept)
    }
  }

  /// The greatest score a document can have, given the sum of its groups' bounds and the tier.
  func upperBound(tier: UInt8, text: Double) -> Double {
    ScoreFormula.combine(tier: tier, text: text, tierScores: tierScores) + maximumBonus
  }

  /// The best tier that places in titles allow, all groups being present.
  func tierBound(_ places: (Int) -> UInt8) -> UInt8 {
    let first = places(0)
    if plan.elements.count == 1 { return first + 1 }
    for group in plan.elements.indices where places(group) == 0 { return 1 }
    return first < 2 ? 2 : 4
  }

  /// Scores a document, whose groups have been sought to it, and keeps it when it is good enough.
  mutating func consider(
    _ document: UInt32,
    _ txn: borrowing ReadTransaction,
    _ bonus: Bonus,
    _ accept: Accept
  ) throws(StorageError) {
    let lengths = try facts.lengths(document, txn)
    var text = 0.0
    var isComplete = true
    for index in plan.groups.indices {
      guard plan.groups[index].document == document else {
        evidence[index] = nil
        isComplete = false
        continue
      }
      let found = plan.groups[index].evidence(document, lengths, normalization)
      evidence[index] = found
      text += found.score
      if found.isTypo { isComplete = false }
    }
    var tier: UInt8 = 0
    if isComplete {
      let evidence = evidence
      tier = tierBound { evidence[$0]?.place ?? 0 }
    }
    guard upperBound(tier: tier, text: text) > hits.threshold else { return }
    guard try facts.isVisible(document, txn) else { return }
    let item = try facts.item(document, txn)
    guard try accept(item) else { return }
    try keep(document, item, tier, text, txn, bonus)
  }

  /// Verifies phrases and title tier, and adds the hit.
  private mutating func keep(
    _ document: UInt32,
    _ item: UInt32,
    _ tierBound: UInt8,
    _ textBound: Double,
    _ txn: borrowing ReadTransaction,
    _ bonus: Bonus
  ) throws(StorageError) {
    var tier = tierBound
    var text = textBound
    let hasTitle = tier > 1 && plan.elements.count > 1
    if hasTitle || !phrases.isEmpty {
      try plan.positions.load(document, facts, txn)
      guard let verified = verifiedText(text) else { return }
      if verified.isPartial { tier = 0 }
      text = verified.text
      if tier > 1, hasTitle {
        tier = plan.positions.titleTier(offsets, length: plan.length)
      }
    }
    let score =
      ScoreFormula.combine(tier: tier, text: text, tierScores: tierScores) + (try bonus(item))
    var hit = TextIndex.Hit(item: item, document: document, text: text, tier: tier, score: score)
    if explains { hit.matches = matches() }
    hits.insert(hit)
  }

  /// The text score of the clauses whose words stand as they must; nil when too few do.
  private mutating func verifiedText(_ text: Double) -> (text: Double, isPartial: Bool)? {
    var failed: Set<Int> = []
    for (clause, groups) in phrases {
      let isPresent = groups.allSatisfy { evidence[$0.group] != nil }
      if !isPresent || !plan.positions.hasPhrase(groups) { failed.insert(clause) }
    }
    guard !failed.isEmpty else { return (text, false) }
    guard mode == .any else { return nil }
    var sum = 0.0
    var remains = false
    for index in plan.groups.indices {
      if failed.contains(plan.groups[index].clause) { evidence[index] = nil }
      guard let found = evidence[index] else { continue }
      sum += found.score
      remains = true
    }
    return remains ? (sum, true) : nil
  }

  private func matches() -> [TextIndex.Match] {
    plan.groups.indices.compactMap { index in
      guard let found = evidence[index] else { return nil }
      return TextIndex.Match(
        term: plan.elements[index].term.bytes,
        isTypo: found.isTypo,
        inverseFrequency: plan.groups[index].inverseFrequency,
        score: found.score
      )
    }
  }
}
