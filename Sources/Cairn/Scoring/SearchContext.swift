import Catalog
import LMDB
import Projections
import Ranking
import Timeline

/// The circumstances of a search: soft evidence, never a filter.
public struct SearchContext: Sendable, Hashable {
  /// Who searches.
  public var actor: String?
  /// The visit it belongs to.
  public var session: String?
  /// Where the search is made: events name it under `device`.
  public var device: String?
  /// The item used just before.
  public var previousItem: String?
  /// Whether items used at this time of day and kind of day are preferred.
  public var countsHour: Bool

  /// These circumstances; without any, none.
  public init(
    actor: String? = nil, session: String? = nil, device: String? = nil,
    previousItem: String? = nil, countsHour: Bool = false
  ) {
    self.actor = actor
    self.session = session
    self.device = device
    self.previousItem = previousItem
    self.countsHour = countsHour
  }
}

extension ContextEvidence {
  /// The evidence that circumstances give at a moment; nil when none are given.
  ///
  /// A circumstance that none of the store's latest uses had is left out: it would speak against
  /// whatever is used most.
  init?(
    _ context: SearchContext?, _ moment: Moment, _ view: borrowing Moment.View,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard let context, context != SearchContext() else { return nil }
    let now = moment.rankingClock.microseconds
    self.init(now: now)
    if let actor = context.actor {
      let hash = Self.hash(actor)
      if try Self.isKnown(actorHash: hash, view, txn) { add(.actor(hash)) }
    }
    if let session = context.session { try addIfKnown(.session(Self.hash(session)), view, txn) }
    if let device = context.device { try addIfKnown(.device(Self.hash(device)), view, txn) }
    if context.countsHour { try addIfKnown(.hour(of: now), view, txn) }
    guard let name = context.previousItem,
      let item = try view.generation.catalog.ordinal(of: Array(name.utf8), in: txn)
    else { return }
    let uses = try view.generation.ranking.history.latest(
      ScoreConstants.current.evidenceUseCount, of: item, asOf: view.sequence, in: txn)
    add(
      previous: item, uses: uses, total: try view.totalUse(txn),
      amplitudes: moment.scales.amplitudes, followMultiplier: moment.scales.followMultiplier)
  }

  /// Prefers what was used in a circumstance, when anything was of late.
  private mutating func addIfKnown(
    _ circumstance: Circumstance, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let (sequence, history) = (view.sequence, view.generation.ranking.history)
    var left = ScoreConstants.current.knownCircumstanceEventCount
    var seen: Set<UInt32> = []
    var isKnown = false
    try view.generation.timeline.forEachReversed(from: 1, through: sequence, in: txn) {
      (record) throws(CairnError) in
      if record.item != ResolvedEvent.none, record.weight > 0, seen.insert(record.item).inserted {
        isKnown = try history.latest(
          ScoreConstants.current.evidenceUseCount, of: record.item, asOf: sequence, in: txn
        ).contains { circumstance.holds($0) == true }
      }
      left -= 1
      return !isKnown && left > 0
    }
    if isKnown { add(circumstance) }
  }

  private static func isKnown(
    actorHash: UInt32, _ view: borrowing Moment.View, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Bool {
    var left = ScoreConstants.current.knownActorEventCount
    var isKnown = false
    try view.generation.timeline.forEachReversed(from: 1, through: view.sequence, in: txn) {
      (record) in
      isKnown = record.actorHash == actorHash && record.weight > 0
      left -= 1
      return !isKnown && left > 0
    }
    return isKnown
  }
}

extension Moment.View {
  /// All uses of all items.
  /// - Complexity: O(log events), and some thousand events, 10 ns each.
  func totalUse(_ txn: borrowing ReadTransaction) throws(CairnError) -> Frecency {
    let newest = try generation.ranking.totals.newest(atOrBefore: sequence, in: txn)
    var total = newest.total
    guard newest.sequence < sequence else { return total }
    try generation.timeline.forEach(from: newest.sequence + 1, through: sequence, in: txn) {
      (record) in
      guard let use = record.use else { return true }
      total.add(weight: Double(use.weight), atMicroseconds: use.heldMicroseconds)
      return true
    }
    return total
  }
}
