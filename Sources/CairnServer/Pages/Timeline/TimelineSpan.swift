import Cairn

struct TimelineSpan {
  /// Where it begins; nil for the beginning.
  private(set) var from: Timestamp?
  /// Where it ends, not part of it; nil for the end.
  private(set) var to: Timestamp?
  let unit: TimelineUnit
  /// Whether months were put together to years, since they are too many to be shown.
  var countsYears = false
  /// Whose days it is counted by.
  let zone: CivilZone

  private static let day: Int64 = 86_400

  init(_ context: PageContext) throws(Refusal) {
    let parameters = context.call.parameters.nonEmpty
    let start = try parameters.time("from")
    let end = try parameters.time("to")
    var seconds: Int64?
    if let start, let end {
      guard start < end else { throw .parameter("to", "must be after from") }
      seconds = end.seconds - start.seconds
    }
    (from, to) = (start, end)
    unit = try parameters.choice("by") ?? Self.unit(seconds: seconds)
    zone = context.words.zone
  }

  /// What a span is counted by: a chart has between a few and a hundred bars.
  private static func unit(seconds: Int64?) -> TimelineUnit {
    guard let seconds else { return .month }
    if seconds <= 3 * day { return .hour }
    if seconds <= 100 * day { return .day }
    return seconds <= 700 * day ? .week : .month
  }

  /// The last moment in it; nil for the end.
  var last: Timestamp? { to?.justBefore }

  /// The span as the interface for programs takes it.
  var times: [(String, String?)] { [("since", from?.rfc3339), ("until", last?.rfc3339)] }

  /// Whether it is less than all there is.
  var isPart: Bool { from != nil || to != nil }

  func contains(_ bucket: TimelineBucket) -> Bool {
    (from.map { bucket.end > $0 } ?? true) && (to.map { bucket.start < $0 } ?? true)
  }

  /// Whether it is an hour or less, so that its events are listed.
  var isHour: Bool {
    guard let from, let to else { return false }
    let length = to.seconds - from.seconds
    // One that a clock shows twice is one bar.
    return length <= 3_600
      || (length <= 7_200
        && zone.minute(of: from).prefix(13) == zone.minute(of: to.justBefore).prefix(13))
  }

  /// What one bar stands for, in a word.
  var unitName: String { countsYears ? "year" : unit.rawValue }

  typealias Target = (from: String?, to: String?, by: String?)

  /// Where the keys of the zoom lead.
  var steps: [(name: String, key: String, target: Target?)] {
    guard let from, let to else { return [] }
    let length = to.seconds - from.seconds
    let wider = Self.wider(length)
    let middle = from.seconds + length / 2
    func span(_ start: Int64, _ length: Int64) -> Target {
      (Timestamp(seconds: start).rfc3339, Timestamp(seconds: start + length).rfc3339, nil)
    }
    return [
      ("Earlier", "earlier", span(from.seconds - length, length)),
      (
        "Wider", "wider",
        wider.map { span((middle - $0 / 2) / 3_600 * 3_600, $0) } ?? (nil, nil, nil)
      ),
      ("All", "all", (nil, nil, nil)),
      ("Later", "later", span(to.seconds, length)),
    ]
  }

  private static func wider(_ length: Int64) -> Int64? {
    [day, 7 * day, 31 * day, 366 * day, 3_660 * day].first { $0 > length }
  }

  func title(_ words: TimeWords) -> String {
    guard let from, let to else {
      let part = from.map { "since \(words.day($0))" } ?? last.map { "until \(words.day($0))" }
      return "\(part ?? "all of it"), by \(unitName)"
    }
    if isHour { return words.exact(from) }
    let (first, last) = (words.day(from), words.day(Timestamp(seconds: to.seconds - 1)))
    return "\(first == last ? first : "\(first) to \(last)"), by \(unitName)"
  }
}
