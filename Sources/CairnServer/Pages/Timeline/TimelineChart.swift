import Cairn

/// Bars, each a link into its span, with the same as a table beside them.
struct TimelineChart {
  let buckets: [TimelineBucket]
  let span: TimelineSpan

  /// More bars than this no screen shows; the oldest are left to the next span.
  static let barsMax = 150

  /// Months put together to years, each from its first month to its last.
  static func years(_ months: [TimelineBucket], _ zone: CivilZone) -> [TimelineBucket] {
    var years: [TimelineBucket] = []
    for month in months {
      let name = zone.minute(of: month.start).prefix(4)
      if let last = years.last, zone.minute(of: last.start).hasPrefix(name) {
        years[years.count - 1].end = month.end
        years[years.count - 1].eventCount += month.eventCount
        years[years.count - 1].kinds.merge(month.kinds) { $0 + $1 }
      } else {
        years.append(month)
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
    html.element("tr") { html in
      html.element("th", [.text("scope", "row")]) { html in
        html.link(
          label(bucket.start),
          to: context.here([
            ("from", bucket.start.rfc3339), ("to", bucket.end.rfc3339), ("by", nil),
          ]))
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
          html.element("rect", [.text("width", HitView.rounded(width)), .text("height", "10")], "")
        }
      }
      html.element("td", [.class("quiet")], kinds(bucket))
    }
  }

  private func kinds(_ bucket: TimelineBucket) -> String {
    bucket.kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(3)
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  private func label(_ start: Timestamp) -> String {
    let text = span.zone.minute(of: start)
    if span.countsYears { return String(text.prefix(4)) }
    return switch span.unit {
    case .month: String(text.prefix(7))
    case .week, .day: String(text.prefix(10))
    case .hour: text
    }
  }
}
