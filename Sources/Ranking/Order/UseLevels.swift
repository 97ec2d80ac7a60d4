package import LMDB
package import Projections
internal import Synchronization

/// By item, what use and choices may be worth, in one byte: so that a search passes over the many
/// items that nobody used, and looks up of the others only those that may be among the best.
///
/// Made of `ranks` and the timeline when it is first asked for in a process, and carried on with
/// the uses since.
package final class UseLevels: Sendable {
  /// Levels of a bonus of one.
  static let resolution = 30.0
  /// What it costs to look an item up that a search passes over, to read one in passing, and an
  /// event: in units of 10 ns.
  private static let costs = (look: UInt64(200), item: UInt64(16), event: UInt64(2))

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
    _ after: UInt64, _ body: (_ item: UInt32, _ isChoice: Bool) -> Void
  ) throws(CairnError) -> Void

  /// What items are told apart by.
  package struct Levels: Sendable {
    /// By ordinal, a level; 0, also behind the last, for items that were never used.
    package fileprivate(set) var levels: [UInt8] = []
    /// Another one for other levels.
    package fileprivate(set) var version: UInt64 = 0
    /// The clock that they were made at, microseconds since 1970: before it they bound nothing.
    package let clock: Int64
  }

  private struct State {
    var levels: Levels
    /// How often items were chosen in results.
    var choiceCounts: [UInt32: Int] = [:]
    /// The event it was made at, and the one it is carried on to.
    let since: UInt64
    var through: UInt64

    init(at clock: Int64, through applied: UInt64) {
      levels = Levels(clock: clock)
      (since, through) = (applied, applied)
    }

    /// Whether making all anew would tell hardly more.
    func isFresh(at clock: Int64) -> Bool {
      through - since <= UseLevels.ageMax.events && clock >= levels.clock
        && clock - levels.clock <= UseLevels.ageMax.microseconds
    }

    /// Takes in the uses that came meanwhile; gives the items used.
    mutating func count(_ uses: Uses) throws(CairnError) -> Set<UInt32> {
      var items: Set<UInt32> = []
      try uses(through) { item, isChoice in
        items.insert(item)
        if isChoice { choiceCounts[item, default: 0] += 1 }
      }
      return items
    }

    /// Raises an item's level to what it has at a clock no use is behind; whether that is more.
    mutating func raise(_ item: UInt32, _ use: UseState, at clock: Int64) -> Bool {
      let missing = Int(item) + 1 - levels.levels.count
      if missing > 0 { levels.levels.append(contentsOf: repeatElement(0, count: missing)) }
      let bonus = RankingTerms.bonusMax(
        frecency: use.frecency.score(atMicroseconds: clock), choiceCount: choiceCounts[item] ?? 0)
      // A little more than it is, so that rounding never makes a bound less.
      let level = bonus * resolution + 1
      let found = level < 254 ? UInt8(level) + 1 : .max
      guard levels.levels[Int(item)] < found else { return false }
      levels.levels[Int(item)] = found
      return true
    }
  }

  private let state = Mutex<State?>(nil)
  /// Items that were looked up for want of levels, or of fresh ones.
  private let lookCount = Atomic<UInt64>(0)
  private let versionCount = Atomic<UInt64>(0)

  init() {}

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
  ///   - lookCount: Items that will be looked up without levels.
  ///   - txn: What to read from.
  ///   - uses: Visits the uses after an event.
  /// - Returns: Nil where it is not worth it, or a later transaction has asked before.
  /// - Throws: `.corrupt` for a damaged row.
  /// - Complexity: O(items used + events) at first, some 100 ns and 10 ns each; then O(events
  ///   since), and now and then O(items used).
  package func levels(
    of ranking: Ranking, _ checkpoint: Checkpoint, clock: Int64, lookCount: UInt64,
    in txn: borrowing ReadTransaction, uses: Uses
  ) throws(CairnError) -> Levels? {
    let applied = checkpoint.applied
    let clock = max(clock, checkpoint.latestUseMicroseconds)
    var known = state.withLock { $0 }
    if let known, applied < known.through { return nil }
    if var next = known, next.through < applied {
      let items = try next.count(uses)
      next.through = applied
      var isRaised = false
      let latest = max(next.levels.clock, checkpoint.latestUseMicroseconds)
      for item in items {
        let use = try ranking.state(of: item, in: txn) ?? UseState()
        isRaised = next.raise(item, use, at: latest) || isRaised
      }
      if isRaised { next.levels.version = nextVersion() }
      keep(next)
      known = next
    }
    if let known, known.isFresh(at: clock) { return known.levels }
    // Once as much was spent on looks as levels cost, they are made: whoever asks once does not pay
    // for those who never come.
    let looked = self.lookCount.add(lookCount, ordering: .relaxed).newValue
    var cost = UInt64(try ranking.itemCount(in: txn)) * Self.costs.item
    if known == nil { cost += applied * Self.costs.event }
    guard looked >= cost / Self.costs.look else { return known?.levels }
    self.lookCount.store(0, ordering: .relaxed)
    var made = State(at: clock, through: applied)
    if let known {
      made.choiceCounts = known.choiceCounts
    } else {
      try uses(0) { if $1 { made.choiceCounts[$0, default: 0] += 1 } }
    }
    try ranking.forEachState(in: txn) { (item, use) throws(CairnError) in
      _ = made.raise(item, use, at: clock)
    }
    made.levels.version = nextVersion()
    keep(made)
    return made.levels
  }

  private func nextVersion() -> UInt64 { versionCount.add(1, ordering: .relaxed).newValue }

  private func keep(_ next: State) {
    state.withLock { state in
      if state.map({ $0.through <= next.through }) ?? true { state = next }
    }
  }
}
