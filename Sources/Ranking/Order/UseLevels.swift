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

  /// Events after which all is made anew: levels are raised by uses, and lowered by that alone.
  private static let sinceCountMax: UInt64 = 65_536

  /// Visits the uses after an event.
  package typealias Uses = (
    _ after: UInt64, _ body: (_ item: UInt32, _ isChoice: Bool) -> Void
  ) throws(CairnError) -> Void

  private struct State {
    var levels: [UInt8] = []
    /// How often items were chosen in results.
    var choiceCounts: [UInt32: Int] = [:]
    /// The event it was made at, and the one it is carried on to.
    var since: UInt64
    var through: UInt64
    /// The event after which a level was last found to have changed.
    var version: UInt64

    /// Takes in the uses that came meanwhile; gives the items used.
    mutating func count(_ uses: Uses) throws(CairnError) -> Set<UInt32> {
      var items: Set<UInt32> = []
      try uses(through) { item, isChoice in
        items.insert(item)
        if isChoice { choiceCounts[item, default: 0] += 1 }
      }
      return items
    }

    /// Raises an item's level to what it has at the latest use of all, where that is more.
    mutating func raise(_ item: UInt32, _ use: UseState, at latest: Int64) {
      let missing = Int(item) + 1 - levels.count
      if missing > 0 { levels.append(contentsOf: repeatElement(0, count: missing)) }
      let bonus = RankingTerms.bonusMax(
        frecency: use.frecency.score(atMicroseconds: latest), choiceCount: choiceCounts[item] ?? 0)
      // A little more than it is, so that rounding never makes a bound less.
      let level = bonus * resolution + 1
      let found = level < 254 ? UInt8(level) + 1 : .max
      guard levels[Int(item)] < found else { return }
      levels[Int(item)] = found
      version = through
    }
  }

  private let state = Mutex<State?>(nil)
  /// Items that were looked up for want of levels.
  private let lookCount = Atomic<UInt64>(0)

  init() {}

  /// By ordinal, a level; 0, also behind the last, for items that were never used.
  ///
  /// An item of a level l above 0 has a bonus of at most `l / resolution` at the latest use of all
  /// and later, by the model's own weights and without circumstances; of 255 any. The version grows
  /// with each change.
  ///
  /// - Parameters:
  ///   - ranking: What tells the states.
  ///   - checkpoint: That of the transaction.
  ///   - lookCount: Items that will be looked up without levels.
  ///   - txn: What to read from.
  ///   - uses: Visits the uses after an event.
  /// - Returns: Nil where it is not worth it, or a later transaction has asked before.
  /// - Throws: `.corrupt` for a damaged row.
  /// - Complexity: O(items used + events) at first, some 100 ns and 10 ns each; then O(events
  ///   since).
  package func levels(
    of ranking: Ranking, _ checkpoint: Checkpoint, lookCount: UInt64,
    in txn: borrowing ReadTransaction, uses: Uses
  ) throws(CairnError) -> (levels: [UInt8], version: UInt64)? {
    let applied = checkpoint.applied
    let latest = checkpoint.latestUseMicroseconds
    var known = state.withLock { $0 }
    if let known, applied < known.through { return nil }
    if let found = known, applied - found.since > Self.sinceCountMax { known = nil }
    if var next = known {
      guard next.through < applied else { return (next.levels, next.version) }
      let items = try next.count(uses)
      next.through = applied
      for item in items {
        next.raise(item, try ranking.state(of: item, in: txn) ?? UseState(), at: latest)
      }
      return keep(next)
    }
    // Once as much was spent on looks as levels cost, they are made: whoever asks once does not pay
    // for those who never come.
    let looked = self.lookCount.add(lookCount, ordering: .relaxed).newValue
    let cost = UInt64(try ranking.itemCount(in: txn)) * Self.costs.item + applied * Self.costs.event
    guard looked >= cost / Self.costs.look else { return nil }
    var made = State(since: applied, through: applied, version: applied)
    try uses(0) { if $1 { made.choiceCounts[$0, default: 0] += 1 } }
    try ranking.forEachState(in: txn) { (item, use) throws(CairnError) in
      made.raise(item, use, at: latest)
    }
    return keep(made)
  }

  private func keep(_ next: State) -> (levels: [UInt8], version: UInt64) {
    state.withLock { state in
      if state.map({ $0.through <= next.through }) ?? true { state = next }
    }
    return (next.levels, next.version)
  }
}
