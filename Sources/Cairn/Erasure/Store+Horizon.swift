import Catalog
import EventLog
import LMDB
import Projections

/// What keeping only the versions of the last days lets go, or let go.
public struct HorizonPlan: Sendable, Hashable {
  /// Only items of this domain and below it; nil for all.
  public var domain: String?
  /// How many days are kept.
  public var days: Int
  /// The first point that can be asked of afterwards.
  public var sequence: UInt64
  /// Old versions of items that go.
  public var versionCount: Int
  /// Bytes of their rows.
  public var byteCount: Int
}

/// Old versions, and how far back they are kept.
extension Store {
  /// What keeping only the versions of the last days would let go now.
  /// - Parameters:
  ///   - days: Days of 24 hours, by the time of recording, from 0.
  ///   - domain: Only items of this domain and below it; nil for all.
  /// - Returns: The plan; nothing is changed.
  /// - Complexity: O(versions), about 100 ns each.
  /// - Throws: `badArgument` for a negative number; `corrupt`.
  /// - Note: Blocks the calling thread.
  public func planHorizon(days: Int, domain: String? = nil) throws(CairnError) -> HorizonPlan {
    guard (0...RetentionRule.countMax).contains(days) else {
      throw CairnError(
        .badArgument, "a horizon lies 0 to 1,000,000,000 days back", place: "horizon")
    }
    let now = Timestamp.now()
    let time = Timestamp(seconds: now.seconds - Int64(days) * 86_400, nanoseconds: now.nanoseconds)
    let sequence = min(try log.sequence(atOrBefore: time), try visibleHead())
    var plan = HorizonPlan(
      domain: domain, days: days, sequence: sequence, versionCount: 0, byteCount: 0)
    var horizon = try log.horizon()
    horizon.advance(to: sequence, in: domain)
    plan.sequence = max(sequence, domain.flatMap { horizon.domains[$0] } ?? horizon.sequence)
    guard let generation = try generation() else { return plan }
    let wanted = horizon
    let rows = try generation.environment.read { (txn) throws(CairnError) in
      try generation.catalog.rows(before: wanted, in: txn)
    }
    plan.versionCount = rows.versionCount
    plan.byteCount = rows.byteCount
    return plan
  }

  /// The first point of which nothing went with old versions; 0 where all are kept.
  package func firstWholePoint() throws(CairnError) -> UInt64 { try log.horizon().latest }

  /// What each rule about versions would let go now, in the order of the rules.
  /// - Complexity: O(versions · such rules).
  /// - Throws: As ``planHorizon(days:domain:)``.
  /// - Note: Blocks the calling thread.
  public func planVersionRetention() throws(CairnError) -> [HorizonPlan] {
    var plans: [HorizonPlan] = []
    for (_, rule) in try retentionRules() {
      guard let days = rule.versionDays else { continue }
      plans.append(try planHorizon(days: days, domain: rule.domain))
    }
    return plans
  }

  /// Lets go of the old versions that no rule keeps.
  ///
  /// The log stays whole, and what is asked of a point after the horizon is answered as before. A
  /// point before it is refused from now on, for all items or for those of the rule's domain; a
  /// copy of the store at that point, see ``copy(at:into:)``, answers it. A horizon never goes
  /// back. Words weigh in searches by all texts there ever were, so the text index keeps them.
  /// Readers and writers go on meanwhile. Killed, the next process that opens the store goes on.
  /// - Returns: What each rule let go, in the order of the rules.
  /// - Complexity: O(versions); the file is written anew where a fifth of it comes free.
  /// - Throws: `busy` when another process rebuilds or purges; `diskFull`, `readOnly`.
  /// - Note: Blocks the calling thread.
  @discardableResult public func applyVersionRetention() throws(CairnError) -> [HorizonPlan] {
    var plans: [HorizonPlan] = []
    for (_, rule) in try retentionRules() {
      guard let days = rule.versionDays else { continue }
      let plan = try planHorizon(days: days, domain: rule.domain)
      try moveHorizon(to: plan.sequence, in: rule.domain)
      plans.append(plan)
    }
    if plans.contains(where: { $0.versionCount > 0 }) { try compactIfWasteful(worthwhile: 0) }
    return plans
  }

  /// Moves the horizon and lets go of the versions before it.
  func moveHorizon(to point: UInt64, in domain: String?) throws(CairnError) {
    let lock = try heldRebuildLock(wait: patience)
    defer { lock.unlock() }
    try finishPurge(patience: patience, holdsRebuildLock: true)
    try log.withWriterLock(wait: patience) { () throws(CairnError) in
      var horizon = try log.horizon()
      let before = horizon
      horizon.advance(to: point, in: domain)
      if horizon != before { try log.setFoldSetting(horizon.encoded, for: EventLog.horizonKey) }
    }
    try finishCut(wait: patience)
  }

  /// Lets go of what the horizon does not keep, where that is not done, a part at a time.
  func finishCut(wait: Duration) throws(CairnError) {
    guard let generation = try generation(), try !generation.isCut(as: log) else { return }
    let horizon = try log.horizon()
    var next: UInt32? = 0
    while let first = next {
      next = try log.withWriterLock(wait: wait) { () throws(CairnError) in
        if try self.files.trust(in: generation.number) == .flushed {
          try self.files.markDirty(generation.number)
        }
        return try generation.cutSome(before: horizon, from: first)
      }
    }
  }
}
