import Catalog
import LMDB
import Timeline

/// The width of a timeline's buckets; all begin where the clock of a zone says.
public enum TimelineUnit: String, Sendable, CaseIterable {
  /// 60 minutes, from a full one.
  case hour
  /// From midnight; 23 to 25 hours.
  case day
  /// From Monday.
  case week
  /// From the first of a month.
  case month
}

/// What happened in one stretch of time.
public struct TimelineBucket: Sendable, Hashable {
  /// When it begins.
  public var start: Timestamp
  /// When the next one may begin.
  package var end: Timestamp
  /// Events by kind.
  public var kinds: [String: Int]
  /// All events.
  public var eventCount: Int
}

extension Moment {
  /// Events by the time they happened, oldest bucket first; empty buckets are left out.
  ///
  /// With a domain, only events that belong to it or below it count. Days begin where
  /// the zone says. With a span, only buckets that it touches are given, each whole.
  /// - Complexity: O(events), some 10 ns each.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func timeline(
    domain: String? = nil, by unit: TimelineUnit = .day, zone: CivilZone = .utc,
    within span: ClosedRange<Timestamp>? = nil
  ) throws(CairnError) -> [TimelineBucket] {
    try read { (view, txn) throws(CairnError) in
      let subtree = try view.generation.catalog.subtree(of: domain, in: txn)
      var counts: [Int64: [UInt8: Int]] = [:]
      var clock = ZoneClock(zone)
      // Events of one kind mostly follow each other, and no bucket begins within a quarter.
      var run = (quarter: Int64.min, kind: UInt8(0), start: Int64(0), count: 0)
      try view.generation.timeline.forEach(from: 1, through: sequence, in: txn) { record in
        guard subtree?.contains(record.domain) ?? true else { return true }
        let shown = clock.shown(ofMicroseconds: record.timeMicroseconds)
        let quarter = shown.flooringDivision(by: ZoneClock.quarterSeconds)
        if quarter != run.quarter || record.kind != run.kind {
          if run.count > 0 { counts[run.start, default: [:]][run.kind, default: 0] += run.count }
          run = (quarter, record.kind, unit.start(ofSeconds: shown), 0)
        }
        run.count += 1
        return true
      }
      if run.count > 0 { counts[run.start, default: [:]][run.kind, default: 0] += run.count }
      let buckets = counts.sorted { $0.key < $1.key }.map { start, kinds in
        var named: [String: Int] = [:]
        for (kind, count) in kinds {
          guard let kind = EventKind(rawValue: kind) else { continue }
          named[kind.name.description] = count
        }
        return TimelineBucket(
          start: Timestamp(seconds: zone.firstSeconds(showing: start)),
          end: Timestamp(seconds: zone.firstSeconds(showing: unit.end(ofSeconds: start))),
          kinds: named, eventCount: kinds.values.reduce(0, +))
      }
      guard let span else { return buckets }
      return buckets.filter { $0.end > span.lowerBound && $0.start <= span.upperBound }
    } ?? []
  }
}

/// What the clock of a zone shows, in seconds; asked for times that mostly follow each other.
struct ZoneClock {
  private let zone: CivilZone
  private var quarter = Int64.min
  /// Nil in a quarter of an hour within which the clock is changed.
  private var offset: Int64?

  static let quarterSeconds: Int64 = 900

  init(_ zone: CivilZone) { self.zone = zone }

  /// Unix seconds at which a clock of UTC shows what this one shows at a time.
  mutating func shown(ofMicroseconds time: Int64) -> Int64 {
    let seconds = time.flooringDivision(by: 1_000_000)
    guard zone != .utc else { return seconds }
    let now = seconds.flooringDivision(by: Self.quarterSeconds)
    if now != quarter {
      quarter = now
      let first = now * Self.quarterSeconds
      let before = zone.offset(atSeconds: first)
      let after = zone.offset(atSeconds: first + Self.quarterSeconds - 1)
      offset = before == after ? before : nil
    }
    return seconds + (offset ?? zone.offset(atSeconds: seconds))
  }
}

extension TimelineUnit {
  /// Where the bucket of a time begins; both are seconds as a clock shows them.
  func start(ofSeconds seconds: Int64) -> Int64 {
    let day = seconds.flooringDivision(by: 86_400)
    switch self {
    case .hour: return seconds.flooringDivision(by: 3_600) * 3_600
    case .day: return day * 86_400
    // 1970-01-01 was a Thursday, three days after a Monday.
    case .week: return ((day + 3).flooringDivision(by: 7) * 7 - 3) * 86_400
    case .month:
      let date = CivilDate(daysSinceEpoch: Int(day))
      let first = CivilDate(year: date.year, month: date.month, day: 1)
      return Int64(first.daysSinceEpoch) * 86_400
    }
  }

  /// Where the bucket after one begins.
  func end(ofSeconds start: Int64) -> Int64 {
    switch self {
    case .hour: start + 3_600
    case .day: start + 86_400
    case .week: start + 7 * 86_400
    case .month: self.start(ofSeconds: start + 31 * 86_400)
    }
  }
}
