/// What is known of the uses that an aggregate source counts.
package struct PastUses: Sendable {
  package struct Use: Sendable {
    package var visits: Int64 = 0
    /// Microseconds since 1970.
    package var last = Int64.min
    package init() {}
  }

  private var uses: [[UInt8]: Use] = [:]

  package init() {}

  /// What names one count: the source, the item, and the program where the source counts by
  /// program.
  package static func key(source: String, item: String, application: String?) -> [UInt8] {
    Identity(source, item, application ?? "").bytes
  }

  /// Notes a view of the store.
  package mutating func note(
    source: String, item: String, application: String?, visits: Int64, time: Int64
  ) {
    note(Self.key(source: source, item: item, application: application), visits: visits, time: time)
  }

  /// Notes uses by the name of their count.
  mutating func note(_ key: [UInt8], visits: Int64, time: Int64) {
    var use = uses[key] ?? Use()
    let (sum, isTooMuch) = use.visits.addingReportingOverflow(max(1, visits))
    use.visits = isTooMuch ? .max : sum
    use.last = max(use.last, time)
    uses[key] = use
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
