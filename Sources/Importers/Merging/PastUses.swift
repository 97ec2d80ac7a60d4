package import Events

/// What is known of the uses that an aggregate source counts, and of the plays that two exports of
/// a program tell.
package struct PastUses: Sendable {
  package struct Use: Sendable {
    package var visits: Int64 = 0
    /// Microseconds since 1970.
    package var last = Int64.min
    package init() {}
  }

  /// A play as both exports of Spotify tell it, of which the short one has whole minutes and no
  /// device.
  private struct Play: Hashable {
    var endMinute: Int64
    var milliseconds: Int64
    /// The hash of what was heard: artists have other names in the two.
    var title: Int
    var isShort: Bool

    init(
      time: Int64, dwell: Double?, device: String?, _ attributes: Attributes, isOther: Bool = false
    ) {
      title = attributes["title"].hashValue
      milliseconds = Int64(min(max(0, dwell ?? 0), 1e9) * 1000 + 0.5)
      endMinute = (time + milliseconds * 1000) / 60_000_000
      isShort = (device ?? "").isEmpty != isOther
    }
  }

  /// Visits of a page of which an export of Safari gave the number alone: those after one time and
  /// before another, which its database tells one by one.
  private struct Counted {
    var after: Int64
    var before: Int64
    var left: Int64
  }

  private var uses: [[UInt8]: Use] = [:]
  private var counted: [[UInt8]: [Counted]] = [:]
  /// What the file that is being read has not told of them.
  private var untold: [[UInt8]: [Counted]] = [:]
  private var plays: [Play: Int] = [:]
  /// Those of the file that is being read which the other export told.
  private var toldPlays: [Play: Int] = [:]

  package init() {}

  /// Whether what a format tells is compared with what a store has of its source.
  package static func compares(_ format: any HistoryFormat.Type) -> Bool {
    format.isAggregate || format == Spotify.self || format == Safari.self
  }

  /// Notes a view of the store of a source that is compared.
  package mutating func note(
    _ event: Event, source: String, item: String, application: String?, time: Int64
  ) {
    guard source != Spotify.source else {
      let play = Play(
        time: time, dwell: event.dwell, device: event.device, event.attributes)
      plays[play, default: 0] += 1
      return
    }
    note(
      Self.key(source: source, item: item, application: application),
      visits: Int64(event.visits ?? 1), time: time, source: source)
  }

  mutating func beginFile() {
    toldPlays.removeAll()
    untold = counted
  }

  /// Whether the store has a play, or the count of a visit, from another export of the program.
  ///
  /// Each that it has is one of a file.
  mutating func isTold(_ event: ImportedEvent, from source: String) -> Bool {
    guard let time = event.time else { return false }
    if source == Safari.source { return isCounted(event, time) }
    guard source == Spotify.source, !plays.isEmpty else { return false }
    let other = Play(
      time: time, dwell: event.dwell, device: event.device, event.attributes, isOther: true)
    guard toldPlays[other, default: 0] < plays[other, default: 0] else { return false }
    toldPlays[other, default: 0] += 1
    return true
  }

  private mutating func isCounted(_ event: ImportedEvent, _ time: Int64) -> Bool {
    guard !untold.isEmpty, !event.isAggregate else { return false }
    let key = Self.key(source: Safari.source, item: event.item, application: nil)
    let place = untold[key]?.firstIndex { $0.after < time && time < $0.before && $0.left > 0 }
    guard let place else { return false }
    untold[key]?[place].left -= 1
    return true
  }

  /// What names one count: the source, the item, and the program where the source counts by
  /// program.
  package static func key(source: String, item: String, application: String?) -> [UInt8] {
    Identity(source, item, application ?? "").bytes
  }

  /// Notes uses by the name of their count.
  mutating func note(_ key: [UInt8], visits: Int64, time: Int64, source: String) {
    var use = uses[key] ?? Use()
    if source == Safari.source, visits > 1 {
      counted[key, default: []].append(Counted(after: use.last, before: time, left: visits - 1))
    }
    let (sum, isTooMuch) = use.visits.addingReportingOverflow(max(1, visits))
    use.visits = isTooMuch ? .max : sum
    use.last = max(use.last, time)
    uses[key] = use
  }

  /// Notes a visit that the database of Safari tells, unless the store has it.
  mutating func note(visit item: String, _ time: Int64, unlessIn store: PastUses) {
    let key = Self.key(source: Safari.source, item: item, application: nil)
    if time > store.uses[key]?.last ?? .min {
      note(key, visits: 1, time: time, source: Safari.source)
    }
  }

  /// How many uses are new; 0 where neither the count nor the time has moved.
  ///
  /// Sources age their counts: one that shrank with a later time is one more use.
  func newVisits(_ event: ImportedEvent, key: [UInt8]) -> Int64 {
    guard let use = uses[key] else { return event.visits }
    let isLater = event.time.map { $0 > use.last } ?? false
    let more = event.visits > use.visits ? event.visits - use.visits : 0
    if event.time == nil { return more }
    return isLater ? max(1, more) : 0
  }
}
