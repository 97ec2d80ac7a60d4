import Cairn

struct TimelineSpan {
  /// Where it begins; nil for the beginning.
  private(set) var from: Timestamp?
  /// Where it ends, not part of it; nil for the end.
  private(set) var to: Timestamp?
  let unit: TimelineUnit
  /// Whether months were put together to years, since they are too many to be shown.
  var countsYears = false
  private var first: Timestamp?
  private var last: Timestamp?

  private static let day: Int64 = 86_400

  init(_ context: PageContext) throws(Refusal) {
    let parameters = context.call.parameters
    let start = parameters.filled("from") == nil ? nil : try parameters.time("from")
    let end = parameters.filled("to") == nil ? nil : try parameters.time("to")
    var seconds: Int64?
    if let start, let end {
      guard start < end else { throw .parameter("to", "must be after from") }
      seconds = end.seconds - start.seconds
    }
    var chosen: TimelineUnit?
    if parameters.filled("by") != nil { chosen = try parameters.choice("by") }
    (from, to, unit) = (start, end, chosen ?? Self.unit(seconds: seconds))
  }

  /// What a span is counted by: a chart has between a few and a hundred bars.
  private static func unit(seconds: Int64?) -> TimelineUnit {
    guard let seconds else { return .month }
    if seconds <= 3 * day { return .hour }
    if seconds <= 100 * day { return .day }
    return seconds <= 700 * day ? .week : .month
  }

  /// Tells where the history begins and ends.
  mutating func complete(_ first: Timestamp, _ last: Timestamp) {
    (self.first, self.last) = (first, last)
  }

  func contains(_ start: Timestamp) -> Bool {
    let afterStart = from.map { start.seconds + length(of: start) > $0.seconds } ?? true
    return afterStart && (to.map { start < $0 } ?? true)
  }

  /// Whether it is an hour or less, so that its events are listed.
  var isHour: Bool {
    guard let from, let to else { return false }
    return to.seconds - from.seconds <= 3_600
  }

  /// What one bar stands for, in a word.
  var unitName: String { countsYears ? "year" : unit.rawValue }

  private func length(of start: Timestamp) -> Int64 {
    if countsYears { return Self.next(start, after: 372, ofYear: true).seconds - start.seconds }
    switch unit {
    case .hour: return 3_600
    case .day: return Self.day
    case .week: return 7 * Self.day
    case .month:
      // Long enough to reach into the next month, whose first day then counts.
      return Self.next(start, after: 32, ofYear: false).seconds - start.seconds
    }
  }

  /// The first moment of the month or the year that a day so much later lies in.
  private static func next(_ start: Timestamp, after days: Int64, ofYear: Bool) -> Timestamp {
    let middle = Timestamp(seconds: start.seconds + days * day)
    let text = ofYear ? "\(middle.rfc3339.prefix(4))-01" : String(middle.rfc3339.prefix(7))
    let next = Timestamp(rfc3339: "\(text)-01T00:00:00Z") ?? middle
    // After the last one there is none.
    return next > start ? next : .latest
  }

  /// The span of one bar.
  func inside(_ start: Timestamp) -> (from: String, to: String) {
    (start.rfc3339, Timestamp(seconds: start.seconds + length(of: start)).rfc3339)
  }

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
    guard let from, let to else { return "all of it, by \(unitName)" }
    if isHour { return words.exact(from) }
    let (first, last) = (words.day(from), words.day(Timestamp(seconds: to.seconds - 1)))
    return "\(first == last ? first : "\(first) to \(last)"), by \(unitName)"
  }
}
