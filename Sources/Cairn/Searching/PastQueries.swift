import EventLog
import Events
import LMDB
import Synchronization
import Timeline

/// What was asked lately, as it is typed: once it is read, a letter more does not read it again.
///
/// Of one generation, which a purge replaces; whoever shows a query reads it from the log.
final class PastQueries: Sendable {
  /// Selections that are looked at, and as many impressions.
  private static let countMax = 4_096

  private struct Entry {
    let sequence: UInt64
    /// The query as choices are remembered by it; empty for none.
    let key: [UInt8]
  }

  private struct Known {
    var through: UInt64 = 0
    /// By kind, oldest first.
    var entries: [EventKind: [Entry]] = [.select: [], .impression: []]

    mutating func add(_ entry: Entry, _ kind: EventKind) {
      entries[kind, default: []].append(entry)
      guard let count = entries[kind]?.count, count >= 2 * PastQueries.countMax else { return }
      entries[kind]?.removeFirst(count - PastQueries.countMax)
    }
  }

  private let last = Mutex<Known?>(nil)

  /// Sequences of the latest selections and of as many impressions whose query begins so, newest
  /// first.
  /// - Complexity: O(1), some 20 ns for each of them, once they were read; at first and of a past
  ///   point some microseconds each, and 10 ns for each event since.
  func sequences(
    beginningWith prefix: [UInt8], through sequence: UInt64, isPresent: Bool,
    _ timeline: Timeline, _ log: EventLog, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt64] {
    let known = isPresent ? last.withLock { $0 } : nil
    var found: Known
    if let known, known.through <= sequence {
      found = known
    } else {
      found = try Self.latest(through: sequence, timeline, log, txn)
    }
    if found.through < sequence {
      try timeline.forEach(from: found.through + 1, through: sequence, in: txn) {
        (record) throws(CairnError) in
        guard let kind = EventKind(rawValue: record.kind), found.entries[kind] != nil else {
          return true
        }
        if let stored = try log.event(at: record.sequence) { found.add(Self.entry(stored), kind) }
        return true
      }
      found.through = sequence
    }
    if isPresent {
      last.withLock { last in
        if last.map({ $0.through < found.through }) ?? true { last = found }
      }
    }
    return [EventKind.select, .impression].flatMap { kind in
      (found.entries[kind] ?? []).suffix(Self.countMax).reversed()
        .filter { $0.key.first == prefix.first && $0.key.starts(with: prefix) }.map(\.sequence)
    }
  }

  private static func latest(
    through sequence: UInt64, _ timeline: Timeline, _ log: EventLog,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> Known {
    // No point has more of them than the present.
    let counts = try timeline.kindCounts(in: txn)
    var known = Known(through: sequence)
    for kind in [EventKind.select, .impression] {
      let most = min(countMax, counts[kind.rawValue] ?? 0)
      guard most > 0 else { continue }
      var sequences: [UInt64] = []
      var filter = RecordFilter()
      filter.kind = kind.rawValue
      try timeline.forEachReversed(from: 1, through: sequence, passing: filter, in: txn) {
        (record) in
        sequences.append(record.sequence)
        return sequences.count < most
      }
      var entries: [Entry] = []
      // Those erased since the look at the timeline ask for nothing.
      try log.forEachEvent(of: sequences.reversed()) { entries.append(entry($0)) }
      known.entries[kind] = entries
    }
    return known
  }

  private static func entry(_ stored: StoredEvent) -> Entry {
    guard let range = query(of: stored) else { return Entry(sequence: stored.sequence, key: []) }
    return Entry(
      sequence: stored.sequence, key: QueryText.normalised(Array(stored.payload[range])))
  }

  /// Where the query of a selection or an impression stands that may be offered again; nil for
  /// none.
  static func query(of stored: StoredEvent) -> Range<Int>? {
    // A page without results is no reason to ask again, a suggestion that was chosen is one.
    guard let layout = try? EventLayout(stored.payload), let range = layout.query,
      stored.kind == .select || layout.shown != nil || layout.position != nil
    else { return nil }
    return range
  }
}
