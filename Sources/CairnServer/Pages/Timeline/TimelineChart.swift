import Cairn

/// Bars, each a link into its span, with the same as a table beside them.
struct TimelineChart {
  let buckets: [TimelineBucket]
  let span: TimelineSpan

  /// More bars than this no screen shows; the oldest are left to the next span.
  static let barsMax = 150

  /// Months put together to years.
  static func years(_ months: [TimelineBucket]) -> [TimelineBucket] {
    var years: [TimelineBucket] = []
    for month in months {
      let name = month.start.rfc3339.prefix(4)
      if let last = years.last, last.start.rfc3339.hasPrefix(name) {
        years[years.count - 1].eventCount += month.eventCount
        years[years.count - 1].kinds.merge(month.kinds) { $0 + $1 }
      } else {
        var year = month
        year.start = Timestamp(rfc3339: "\(name)-01-01T00:00:00Z") ?? month.start
        years.append(year)
      }
    }
    return years
  }

  func write(_ html: inout HTML, _ context: PageContext) {
    let shown = buckets.suffix(Self.barsMax)
    let most = shown.map(\.eventCount).max() ?? 1
    html.table(
      [.class("chart")], caption: "Events by \(span.unitName)",
      [.text("When"), .figure("Events"), .hidden("Picture"), .text("Kinds")]
    ) { html in
      for bucket in shown { row(bucket, most, &html, context) }
    }
  }

  private func row(
    _ bucket: TimelineBucket, _ most: Int, _ html: inout HTML, _ context: PageContext
  ) {
    let inside = span.inside(bucket.start)
    html.element("tr") { html in
      html.element("th", [.text("scope", "row")]) { html in
        html.link(
          label(bucket.start),
          to: context.here([("from", inside.from), ("to", inside.to), ("by", nil)]))
      }
      html.element("td", [.class("figure")], String(bucket.eventCount))
      html.element("td", [.class("bar")]) { html in
        html.element(
          "svg",
          [
            .text("viewBox", "0 0 100 10"), .text("preserveAspectRatio", "none"),
            .text("aria-hidden", "true"),
          ]
        ) { html in
          let width = max(0.5, 100 * Double(bucket.eventCount) / Double(max(most, 1)))
          html.element(
            "rect", [.text("width", HitView.rounded(width)), .text("height", "10")], "")
        }
      }
      html.element("td", [.class("quiet")], kinds(bucket))
    }
  }

  private func kinds(_ bucket: TimelineBucket) -> String {
    bucket.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  /// Spans are counted in UTC, so they are named in UTC.
  private func label(_ start: Timestamp) -> String {
    let text = start.rfc3339
    if span.countsYears { return String(text.prefix(4)) }
    return switch span.unit {
    case .month: String(text.prefix(7))
    case .week, .day: String(text.prefix(10))
    case .hour: text.prefix(10) + " " + text.dropFirst(11).prefix(5)
    }
  }
}
