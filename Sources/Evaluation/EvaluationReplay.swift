import Cairn
import EventLog
import Ranking
import Text

/// A history on its way through the formulas.
struct EvaluationReplay {
  private static let warmupCount = 30
  private static let itemCountMax = 20

  private let request: EvaluationRequest
  /// Every how many occasions one is predicted; nil for none.
  private let stride: Int?
  private let makesOccasionsOfEdits: Bool
  private var ordinals: [String: Int] = [:]
  private var states: [EvaluationState] = []
  private var domains: [Int: String] = [:]
  private var aging = EvaluationAging()
  private var weights = ScaleWeights()
  /// The occasion being gathered.
  private var uses: [(item: Int, time: Int64, weight: Double)] = []
  private var key: (time: Timestamp, actor: String, trail: String)?
  /// All uses of all items, and the item used last on each trail: a session's or an actor's.
  private var total = Frecency()
  private var trails: [String: Int] = [:]
  /// Who was seen so far.
  private var actors: Set<String> = []
  private(set) var occasionCount = 0
  private var tallies = RankingFormula.allCases.map { EvaluationTally($0) }

  init(_ request: EvaluationRequest, stride: Int?) {
    self.request = request
    self.stride = stride
    makesOccasionsOfEdits = request.kinds.isDisjoint(with: [.view, .select])
  }

  mutating func take(_ stored: StoredEvent) throws(CairnError) {
    let layout = try stored.layout()
    let actor = layout.actor.map { String(decoding: stored.payload[$0], as: UTF8.self) } ?? ""
    let isTogether =
      makesOccasionsOfEdits && key.map { $0.time == stored.time && $0.actor == actor } ?? false
    if !isTogether { finish() }
    let session = layout.session.map { String(decoding: stored.payload[$0], as: UTF8.self) }
    // An actor and a session of one name are two trails.
    key = (stored.time, actor, session.map { "\u{0}" + $0 } ?? actor)
    guard let range = layout.item else {
      if stored.kind == .delete { deleteAll(stored, layout) }
      return
    }
    let item = ordinal(String(decoding: stored.payload[range], as: UTF8.self))
    let isByActor = request.actor.map { $0 == actor } ?? true
    let isAsked = isByActor && request.kinds.contains(stored.kind)
    guard carry(stored, layout, item) else { return }
    if !isAsked {
      if stored.kind != .select { states[item].isKnown = states[item].isPresent }
      if stored.kind == .update, !makesOccasionsOfEdits, isByActor {
        edit(item, at: stored.time.microseconds)
      }
    } else if !uses.contains(where: { $0.item == item }) {
      uses.append((item, stored.time.microseconds, try weight(stored, layout)))
    }
  }

  /// Ends the occasion being gathered: ranks, and only then lets the uses count.
  mutating func finish() {
    if let time = uses.map(\.time).max() { occur(at: time) }
    for item in deleted {
      states[item].reset()
      // What came back in the same occasion begins afresh with it.
      guard states[item].isPresent else { continue }
      states[item].isKnown = true
      for use in uses where use.item == item {
        states[item].use(atMicroseconds: use.time, weight: use.weight)
      }
    }
    uses.removeAll(keepingCapacity: true)
    deleted.removeAll(keepingCapacity: true)
  }

  private mutating func occur(at time: Int64) {
    occasionCount += 1
    let targets = uses.map(\.item).filter { states[$0].isKnown && isAsked($0) }
    if let stride, occasionCount > Self.warmupCount, occasionCount % stride == 0, !targets.isEmpty,
      uses.count <= Self.itemCountMax
    {
      predict(targets, at: time)
    }
    learnFollowing(targets, at: time)
    note(uses)
    weights.learn(targets.map { states[$0].frecency }, atMicroseconds: time)
    for use in uses {
      weights.use(weight: use.weight, atMicroseconds: use.time)
      states[use.item].use(atMicroseconds: use.time, weight: use.weight)
      aging.use(&states)
    }
    for use in uses where states[use.item].isPresent { states[use.item].isKnown = true }
  }

  /// Learns how much what followed the item before tells of what was used.
  private mutating func learnFollowing(_ targets: [Int], at time: Int64) {
    let scales = fittedScales
    let context = context(at: time, scales)
    guard context.followSum > 0 else { return }
    let shares = targets.compactMap { target -> Double? in
      let follow = context.follow(states[target].latest)
      let worth = follow + states[target].score(.fitted, scales, atMicroseconds: time)
      return worth > 0 ? follow / worth : nil
    }
    let all = total.score(
      atMicroseconds: max(time, total.referenceMicroseconds), amplitudes: scales.amplitudes)
    weights.learn(follow: shares, expected: context.followSum / (context.followSum + all))
  }

  /// Lets an edit between views count as the store has it, in our formula: the others know visits
  /// alone.
  private mutating func edit(_ item: Int, at time: Int64) {
    let weight = Double(UseWeight.edit)
    note([(item, time, weight)])
    weights.use(weight: weight, atMicroseconds: time)
    states[item].frecency.add(weight: weight, atMicroseconds: time)
  }

  private mutating func note(_ uses: [(item: Int, time: Int64, weight: Double)]) {
    guard let key else { return }
    let actor = key.actor.isEmpty ? 0 : ContextEvidence.hash(key.actor)
    actors.insert(key.actor)
    for use in uses {
      let before = trails[key.trail]
      let record = UseRecord(
        sequence: 0,
        use: Use(
          timeMicroseconds: use.time, recordedMicroseconds: use.time, weight: Float(use.weight),
          isView: true), actorHash: actor, sessionHash: 0,
        previous: before.map { $0 == use.item ? .max : UInt32($0) } ?? .max)
      states[use.item].note(record)
      trails[key.trail] = use.item
      total.add(weight: use.weight, atMicroseconds: use.time)
    }
  }

  /// The circumstances of the occasion, as a search would be told them.
  private func context(at time: Int64, _ scales: RankingScales) -> ContextEvidence {
    var context = ContextEvidence(now: time)
    guard let key else { return context }
    if !key.actor.isEmpty, actors.contains(key.actor) {
      context.add(.actor(ContextEvidence.hash(key.actor)))
    }
    if let item = trails[key.trail] {
      context.add(
        previous: UInt32(item), uses: states[item].latest, total: total,
        amplitudes: scales.amplitudes, followMultiplier: scales.followMultiplier)
    }
    return context
  }

  private var deleted: [Int] = []

  /// Takes in what an event does to the item's presence, domain and name; false where it does not
  /// count, as a view of an item that was deleted.
  ///
  /// An item that nobody indexed is there from its first view on, so that histories without more
  /// can be looked at too.
  private mutating func carry(_ stored: StoredEvent, _ layout: EventLayout, _ item: Int) -> Bool {
    let title = Self.title(stored.payload, layout)
    let (wasPresent, wasMade) = (states[item].isPresent, states[item].isMade)
    let makes = stored.kind == .index || (stored.kind == .view && title != nil && !wasMade)
    switch stored.kind {
    case .index: states[item].isGone = false
    case .view where !wasPresent && title != nil: states[item].isGone = false
    case .view, .update, .select: if states[item].isGone { return false }
    case .delete:
      if wasPresent { delete(item) }
      return false
    case .impression, .purge, .extend, .schema: return false
    }
    states[item].isPresent = true
    if makes { states[item].isMade = true }
    let isNew = makes || !wasPresent
    if isNew || stored.kind == .update {
      switch layout.domain {
      case .value(let domain):
        domains[item] = String(decoding: stored.payload[domain], as: UTF8.self)
      case .cleared: domains[item] = nil
      case .absent: if isNew { domains[item] = nil }
      }
      if let title { states[item].name = title }
    }
    return true
  }

  private mutating func deleteAll(_ stored: StoredEvent, _ layout: EventLayout) {
    let domain = layout.domain.value.map { String(decoding: stored.payload[$0], as: UTF8.self) }
    for item in states.indices {
      guard states[item].isPresent, layout.all || Self.isWithin(domains[item], domain) else {
        continue
      }
      delete(item)
    }
  }

  private mutating func delete(_ item: Int) {
    (states[item].isPresent, states[item].isMade, states[item].isGone) = (false, false, true)
    deleted.append(item)
  }

  private mutating func predict(_ targets: [Int], at time: Int64) {
    let candidates = states.indices.filter { states[$0].isKnown && isAsked($0) }
    var scores = [Double](repeating: 0, count: candidates.count)
    let fitted = fittedScales
    for index in tallies.indices {
      let formula = tallies[index].formula
      let scales = formula.isFitted ? fitted : request.scales
      let context = formula.knowsContext ? context(at: time, scales) : nil
      for (place, item) in candidates.enumerated() {
        scores[place] =
          if let context { states[item].score(context, scales, atMicroseconds: time) } else {
            states[item].score(formula, scales, atMicroseconds: time)
          }
      }
      for target in targets { tallies[index].add(target, candidates, scores) { states[$0].name } }
    }
  }

  private func isAsked(_ item: Int) -> Bool {
    request.domain.map { Self.isWithin(domains[item], $0) } ?? true
  }

  private static func isWithin(_ name: String?, _ ancestor: String?) -> Bool {
    guard let name, let ancestor else { return false }
    return DomainPath.covers(ancestor, name)
  }

  /// Edits alone count alike; beside views each counts as it does in the store.
  private func weight(_ stored: StoredEvent, _ layout: EventLayout) throws(CairnError) -> Double {
    switch stored.kind {
    case .view: return Double(try UseAnnotations(stored, layout).viewWeight(layout))
    case .select: return Double(UseWeight.selection)
    default: return 1
    }
  }

  private mutating func ordinal(_ item: String) -> Int {
    if let known = ordinals[item] { return known }
    ordinals[item] = states.count
    var state = EvaluationState()
    state.name = Analyzer().fold(String(item.split(separator: "/").last ?? item[...]))
    states.append(state)
    return states.count - 1
  }

  private static func title(_ payload: [UInt8], _ layout: EventLayout) -> [UInt8]? {
    guard let range = layout.attributes else { return nil }
    var cursor = AttributeCursor(payload, range)
    while let (key, value) = cursor.next() {
      if payload[key].elementsEqual("title".utf8), case .string(let text) = value {
        return Analyzer().fold(String(decoding: payload[text], as: UTF8.self))
      }
    }
    return nil
  }

  /// What came out: ours first, then the peers' from the best down.
  var evaluation: Evaluation {
    var rows = tallies.map(\.row)
    rows.sort { one, other in
      if let place = one.formula.place { return place < other.formula.place ?? .max }
      if other.formula.isOurs { return false }
      return one.meanReciprocalRank > other.meanReciprocalRank
    }
    return Evaluation(
      predictionCount: tallies.first?.count ?? 0, occasionCount: occasionCount, rows: rows,
      fittedScales: fittedScales)
  }

  /// The weights that the occasions so far lead to.
  var fittedScales: RankingScales { RankingScales(weights) }
}
