import Cairn

/// Use over time, from years down to the events of an hour.
enum TimelinePage {
  static let parameters = [
    Parameter("domain", .text), Parameter("from", .text), Parameter("to", .text),
    Parameter("by", .text),
  ]

  private static let hourEvents = 100

  static func answer(_ context: PageContext) throws(Refusal) -> Answer {
    var span = try TimelineSpan(context)
    let domain = context.call.parameters.filled("domain")
    let unit = span.unit
    let all = try answering(
      context.moment.timeline(domain: domain, by: unit, zone: context.words.zone))
    var shown = all.filter { span.contains($0) }
    if unit == .month, shown.count > TimelineChart.barsMax {
      shown = TimelineChart.years(shown, span.zone)
      span.countsYears = true
    }
    var frame = PageFrame(
      title: "Timeline", path: "/timeline",
      json: context.link(
        "/api/v1/timeline",
        [("by", unit.rawValue), ("local", "true"), ("domain", domain)] + span.times))
    frame.scripts = ["timeline"]
    return try frame.answer(context) { (html) throws(Refusal) in
      html.heading("Timeline", span.title(context.words))
      filter(domain, &html, context)
      zoom(span, &html, context)
      if shown.isEmpty {
        guard context.head > 0 else { return html.emptyHistory() }
        return nothing(&html)
      }
      TimelineChart(buckets: shown, span: span).write(&html, context)
      let views = try answering(context.moment.views(from: span.from, to: span.to, domain: domain))
      UseTables(views: views).write(&html, context)
      if span.isHour { try events(span, domain, &html, context) }
      if span.isPart, context.allows(.admin), !context.isPast {
        html.element("p", [.class("actions")]) { html in
          let link = PageLink("/forget", span.times + [("domain", domain)])
          html.link("Forget what happened then\u{2026}", to: link, class: "danger")
        }
      }
    }
  }

  private static func nothing(_ html: inout HTML) {
    html.emptyState("Nothing happened here", "Look at a longer span, or at all domains.")
  }

  private static func filter(_ domain: String?, _ html: inout HTML, _ context: PageContext) {
    html.form("/timeline", "get", class: "inline") { html in
      for (name, value) in context.call.target.query where name != "domain" {
        html.hidden(name, value)
      }
      html.element("label") { html in
        html.text("Domain ")
        html.void(
          "input",
          [.text("name", "domain"), .text("value", domain ?? ""), .text("placeholder", "all")])
      }
      html.element("button", [.text("type", "submit")], "Show")
    }
  }

  private static func zoom(_ span: TimelineSpan, _ html: inout HTML, _ context: PageContext) {
    html.element("nav", [.class("zoom"), .text("aria-label", "Zoom")]) { html in
      for (name, key, target) in span.steps {
        guard let target else { continue }
        html.element(
          "a",
          [
            .href(context.here([("from", target.from), ("to", target.to), ("by", target.by)])),
            .text("data-zoom", key),
          ], name)
      }
    }
  }

  /// The events of the hour, and which domains they were in.
  private static func events(
    _ span: TimelineSpan, _ domain: String?, _ html: inout HTML, _ context: PageContext
  ) throws(Refusal) {
    var query = EventQuery()
    query.domain = domain
    query.since = span.from
    query.until = span.last
    query.through = context.moment.sequence
    query.limit = hourEvents
    let events = try answering(context.store.events(query))
    guard !events.isEmpty else { return nothing(&html) }
    html.element("h2", [], "What happened")
    EventTable(events: events).write(&html, context)
    if events.count == hourEvents {
      let link = context.link("/api/v1/events", [("domain", domain)] + span.times)
      html.element("p", [.class("quiet")]) { html in
        html.text("The first \(hourEvents) of the span. ")
        html.link("All of them as JSON", to: link)
      }
      parts(span, &html, context)
    }
  }

  /// Ways into the twelfths of a span of more events than are shown: minutes of an hour, or less.
  private static func parts(_ span: TimelineSpan, _ html: inout HTML, _ context: PageContext) {
    guard let from = span.from, let to = span.to else { return }
    let length = (to.seconds - from.seconds) / 12
    guard length > 0 else { return }
    html.element("nav", [.class("zoom"), .text("aria-label", "Parts of it")]) { html in
      for part in 0..<Int64(12) {
        let start = Timestamp(seconds: from.seconds + part * length)
        let end = part == 11 ? to : Timestamp(seconds: start.seconds + length)
        let seconds = length % 60 == 0 ? "" : start.rfc3339.dropFirst(16).prefix(3)
        html.element(
          "a", [.href(context.here([("from", start.rfc3339), ("to", end.rfc3339), ("by", nil)]))],
          "\(context.words.zone.minute(of: start).suffix(5))\(seconds)")
      }
    }
  }
}
