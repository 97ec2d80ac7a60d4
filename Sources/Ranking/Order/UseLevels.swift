package import LMDB
package import Projections
internal import Synchronization

/// By item, what use and choices may be worth, in one byte: so that a search passes over the many
/// items that nobody used, and looks up of the others only those that may be among the best.
///
/// Made of `ranks` and `engagement` once a process has looked many items up, and carried on with
/// the uses since. Those of the past are made of every item's uses and hold for any point.
package final class UseLevels: Sendable {
  /// Levels of a bonus of one.
  static let resolution = 30.0
  /// What it costs to look an item up that a search passes over, and to read one in passing and how
  /// one fared: in units of 10 ns.
  private static let costs = (look: UInt64(200), item: UInt64(20), row: UInt64(10))

  /// Events after which all is made anew, and time: levels are raised by uses, and lowered by that
  /// alone.
  ///
  /// In this time a use of just now loses a twentieth of its frecency.
  private static let ageMax = (
    events: UInt64(65_536),
    microseconds: Int64(FoldConstants.current.fastestHalfLifeSeconds / 8 * 1e6)
  )

  /// Visits the uses after an event.
  package typealias Uses = (
    _ after: UInt64, _ body: (_ item: UInt32) -> Void
  ) throws(CairnError) -> Void

  /// Visits the items under which the text of another one may stand: all, or what may be of them
  /// since an event.
  package typealias Parts = (
    _ after: UInt64?, _ body: (_ item: UInt32) -> Void
  ) throws(CairnError) -> Void

  /// What items are told apart by.
  package struct Levels: Sendable {
    /// By ordinal, a level; 0, also behind the last, for items that were never used.
    package fileprivate(set) var levels: [UInt8] = []
    /// Another one for other levels.
    package fileprivate(set) var version: UInt64 = 0
    /// The clock that they were made at, microseconds since 1970: before it they bound nothing.
    package let clock: Int64
    /// How items and domains fared; nil where that is not up to date.
    package fileprivate(set) var engaged: EngagedItems?
  }

  private struct State {
    var levels: Levels
    /// The event it was made at, and the one it is carried on to.
    let since: UInt64
    var through: UInt64
    let marksParts: Bool

    init(at clock: Int64, through applied: UInt64, marksParts: Bool) {
      levels = Levels(clock: clock)
      (since, through) = (applied, applied)
      self.marksParts = marksParts
    }

    /// Whether making all anew would tell hardly more.
    func isFresh(at clock: Int64) -> Bool {
      through - since <= UseLevels.ageMax.events && clock >= levels.clock
        && clock - levels.clock <= UseLevels.ageMax.microseconds
    }

    /// Raises an item's level to what it has at a clock no use is behind; whether that is more.
    mutating func raise(_ item: UInt32, _ use: UseState, clicks: Double, at clock: Int64) -> Bool {
      raise(item, frecency: use.frecency.score(atMicroseconds: clock), clicks: clicks)
    }

    /// Raises it to that of a frecency and of so many clicks.
    mutating func raise(_ item: UInt32, frecency: Double, clicks: Double) -> Bool {
      let bonus = RankingTerms.bonusMax(frecency: frecency, clicks: clicks)
      // A little more than it is, so that rounding never makes a bound less.
      let level = bonus * resolution + 1
      return raise(item, to: level < 254 ? UInt8(level) + 1 : .max)
    }

    mutating func raise(_ item: UInt32, to level: UInt8) -> Bool {
      let missing = Int(item) + 1 - levels.levels.count
      if missing > 0 {
        // Many at once: they mostly come in order.
        let count = max(missing, levels.levels.count / 4)
        levels.levels.append(contentsOf: repeatElement(0, count: count))
      }
      guard levels.levels[Int(item)] < level else { return false }
      levels.levels[Int(item)] = level
      return true
    }
  }

  private let state = Mutex<State?>(nil)
  private let past = Mutex<State?>(nil)
  /// Items that were looked up for want of levels, or of fresh ones.
  private let lookCount = Atomic<UInt64>(0)
  private let versionCount = Atomic<UInt64>(0)

  init() {}

  /// Takes note of an item that was looked up for want of levels.
  package func noteLook() { lookCount.add(1, ordering: .relaxed) }

  /// What items are told apart by now.
  ///
  /// An item of a level l above 0 has a bonus of at most `l / resolution` at the clock of the
  /// levels and later, but not before the latest use of all, by the model's own weights and
  /// without circumstances; of 255 any.
  ///
  /// - Parameters:
  ///   - ranking: What tells the states.
  ///   - checkpoint: That of the transaction.
  ///   - clock: The clock that is asked at, microseconds since 1970.
  ///   - txn: What to read from.
  ///   - uses: Visits the uses after an event.
  ///   - marksParts: Whether texts stand under parts, which then have the highest level: that of
  ///     the items which show them may be any.
  ///   - parts: Visits these.
  /// - Returns: Nil until as much was spent on looks, or where a later transaction asked before.
  /// - Throws: `.corrupt` for a damaged row.
  /// - Complexity: O(items used + changes of how items fared) at first, some 100 ns each; then
  ///   O(events since), and now and then all again.
  package func levels(
    of ranking: Ranking, _ checkpoint: Checkpoint, clock: Int64,
    in txn: borrowing ReadTransaction, uses: Uses, marksParts: Bool = false,
    parts: Parts = { (_, _) in }
  ) throws(CairnError) -> Levels? {
    let applied = checkpoint.applied
    let clock = max(clock, checkpoint.latestUseMicroseconds)
    var known = state.withLock { $0 }
    if known?.marksParts != marksParts { known = nil }
    if let known, applied < known.through { return nil }
    if var next = known, next.through < applied {
      var items: Set<UInt32> = []
      var isRaised = false
      try uses(next.through) { items.insert($0) }
      if marksParts {
        try parts(next.through) { isRaised = next.raise($0, to: .max) || isRaised }
      }
      next.through = applied
      let latest = max(next.levels.clock, checkpoint.latestUseMicroseconds)
      for item in items {
        let use = try ranking.state(of: item, in: txn) ?? UseState()
        let state = try ranking.engagement.state(.item, item, since: 0, asOf: .max, in: txn)
        isRaised = next.raise(item, use, clicks: state?.clicks ?? 0, at: latest) || isRaised
      }
      if isRaised { next.levels.version = nextVersion() }
      keep(next)
      known = next
    }
    let rowCount = try ranking.engagement.rowCount(in: txn)
    let rowCost = UInt64(rowCount) * Self.costs.row
    if known?.levels.engaged?.rowCount != rowCount { known?.levels.engaged = nil }
    if var known, known.isFresh(at: clock) {
      if known.levels.engaged == nil, spend(rowCost) {
        known.levels.engaged = try EngagedItems(ranking.engagement, in: txn)
        keep(known)
      }
      return known.levels
    }
    // Once as much was spent on looks as levels cost, they are made: whoever asks once does not pay
    // for those who never come.
    let itemCost = UInt64(try ranking.itemCount(in: txn)) * Self.costs.item
    guard spend(itemCost + rowCost) else { return known?.levels }
    var made = State(at: clock, through: applied, marksParts: marksParts)
    let engaged = try EngagedItems(ranking.engagement, in: txn)
    made.levels.engaged = engaged
    var clicks = engaged.clicks.makeIterator()
    var next = clicks.next()
    try ranking.forEachState(in: txn) { (item, use) throws(CairnError) in
      while let known = next, known.item < item { next = clicks.next() }
      let count = next?.item == item ? next?.count : nil
      _ = made.raise(item, use, clicks: count ?? 0, at: clock)
    }
    if marksParts { try parts(nil) { _ = made.raise($0, to: .max) } }
    made.levels.version = nextVersion()
    keep(made)
    return made.levels
  }

  /// What items are told apart by at a past point.
  ///
  /// As ``levels(of:_:clock:in:uses:marksParts:parts:)`` has it, but at any clock that is not
  /// behind a use known at the point, and whatever became of an item since: deleted, it may come
  /// again.
  /// - Returns: Nil until as much was spent on looks.
  /// - Throws: `.corrupt` for a damaged row.
  /// - Complexity: O(uses + changes of how items fared) at first, and where the point is a later
  ///   one than the last event of then, some 100 ns each.
  package func levels(
    of ranking: Ranking, _ checkpoint: Checkpoint, asOf sequence: UInt64,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Levels? {
    if let known = past.withLock({ $0 }), known.through >= sequence { return known.levels }
    let useCount = try ranking.itemCount(in: txn) + ranking.history.closedUseCount(in: txn)
    let rowCount = try ranking.engagement.rowCount(in: txn)
    guard spend(UInt64(useCount) * Self.costs.item + UInt64(rowCount) * Self.costs.row) else {
      return nil
    }
    var made = State(at: .min, through: checkpoint.applied, marksParts: false)
    let engaged = try EngagedItems(ranking.engagement, in: txn)
    try ranking.history.forEachPeak(in: txn) { (item, frecency) in
      // What it was chosen in another life is no more among the latest of it.
      let clicks = engaged.contains(item) ? Double.infinity : 0
      _ = made.raise(item, frecency: frecency, clicks: clicks)
    }
    made.levels.version = nextVersion()
    past.withLock { $0 = made }
    return made.levels
  }

  /// Whether as much was spent on looks as something costs.
  private func spend(_ cost: UInt64) -> Bool {
    guard lookCount.load(ordering: .relaxed) >= cost / Self.costs.look else { return false }
    lookCount.store(0, ordering: .relaxed)
    return true
  }

  private func nextVersion() -> UInt64 { versionCount.add(1, ordering: .relaxed).newValue }

  private func keep(_ next: State) {
    state.withLock { state in
      if state.map({ $0.through <= next.through }) ?? true { state = next }
    }
  }
}
