import Catalog
public import Events
import LMDB
import Projections
import Timeline

/// The width of a timeline's buckets; all begin at UTC boundaries.
public enum TimelineUnit: String, Sendable, CaseIterable {
  case hour
  case day
  /// From Monday.
  case week
  case month
}

/// What happened in one stretch of time.
public struct TimelineBucket: Sendable, Hashable {
  /// When it begins.
  public var start: Timestamp
  /// Events by kind.
  public var kinds: [String: Int]
  /// All events.
  public var eventCount: Int
}

extension Moment {
  /// Events by the time they happened, oldest bucket first; empty buckets are left out.
  ///
  /// With a domain, only events that belong to it or below it count.
  /// - Complexity: O(events), some 20 ns each.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func timeline(domain: String? = nil, by unit: TimelineUnit = .day) throws(CairnError)
    -> [TimelineBucket]
  {
    try read { (view, txn) throws(CairnError) in
      let subtree = try domain.map { (name) throws(CairnError) in
        Set(try view.generation.catalog.domainOrdinals(within: Array(name.utf8), in: txn))
      }
      var counts: [Int64: [UInt8: Int]] = [:]
      try view.generation.timeline.forEach(from: 1, through: sequence, in: txn) {
        (record) throws(CairnError) in
        guard subtree?.contains(record.domain) ?? true else { return true }
        let start = unit.start(ofMicroseconds: record.timeMicroseconds)
        counts[start, default: [:]][record.kind, default: 0] += 1
        return true
      }
      return counts.sorted { $0.key < $1.key }.map { start, kinds in
        var named: [String: Int] = [:]
        for (kind, count) in kinds {
          guard let kind = EventKind(rawValue: kind) else { continue }
          named[kind.name.description] = count
        }
        return TimelineBucket(
          start: Timestamp(seconds: start), kinds: named, eventCount: kinds.values.reduce(0, +))
      }
    } ?? []
  }
}

extension TimelineUnit {
  /// Unix seconds at which the bucket of a time begins.
  func start(ofMicroseconds time: Int64) -> Int64 {
    let seconds = Self.floorDivide(time, 1_000_000)
    let day = Self.floorDivide(seconds, 86_400)
    switch self {
    case .hour: return Self.floorDivide(seconds, 3_600) * 3_600
    case .day: return day * 86_400
    // 1970-01-01 was a Thursday, three days after a Monday.
    case .week: return (Self.floorDivide(day + 3, 7) * 7 - 3) * 86_400
    case .month:
      let date = CivilDate(daysSinceEpoch: Int(day))
      let first = CivilDate(year: date.year, month: date.month, day: 1)
      return Int64(first.daysSinceEpoch) * 86_400
    }
  }

  private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
