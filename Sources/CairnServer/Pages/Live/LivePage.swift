import Cairn

/// The newest events; with scripts, those that come as well.
enum LivePage {
  static let parameters = [Parameter("kind", .text), Parameter("domain", .text)]

  private static let count = 50

  static func answer(_ context: PageContext) throws(Refusal) -> Answer {
    let kind = context.call.parameters.filled("kind")
    let domain = context.call.parameters.filled("domain")
    var query = EventQuery(at: context.moment, domain: domain, limit: count)
    query.kind = try kind.map { (name) throws(Refusal) in try Parameters.kind(name, "kind") }
    let events = try answering(context.store.events(query))
    var frame = PageFrame(
      title: "Live", path: "/live",
      json: context.link(
        "/api/v1/events", [("reverse", "true"), ("kind", kind), ("domain", domain)]))
    frame.scripts = ["live"]
    return try frame.answer(context) { html in
      html.heading("Live", "the newest events first")
      filter(kind, domain, &html, context)
      html.element(
        "form",
        [
          .id("feed"), .class("inline"), .flag("hidden", true), .text("action", "/live"),
        ]
      ) { html in
        html.element(
          "button", [.id("pause"), .text("type", "button"), .text("aria-pressed", "false")], "Pause"
        )
        html.element("output", [.id("state"), .text("role", "status")], "")
      }
      if events.isEmpty {
        html.emptyState("Nothing like it happened yet", "Events appear here when they are on disk.")
      }
      EventTable(events: events).write(&html, context)
      let oldest = events.last?.sequence ?? 0
      html.element(
        "a",
        [
          .id("earlier"), .class("more"), .flag("hidden", events.count < count || oldest <= 1),
          .href(context.here([("asOf", String(max(oldest, 1) - 1))])),
        ], "Earlier events")
    }
  }

  /// What is shown, which the address keeps.
  private static func filter(
    _ kind: String?, _ domain: String?, _ html: inout HTML, _ context: PageContext
  ) {
    html.form("/live", "get", class: "inline") { html in
      if let asOf = context.asOf { html.hidden("asOf", String(asOf)) }
      html.element("label") { html in
        html.text("Only kind ")
        html.select(
          [.id("only"), .text("name", "kind")], [("", "all")] + EventKind.names.map { ($0, $0) },
          selected: kind ?? "")
      }
      html.element("label") { html in
        html.text("in domain ")
        html.void(
          "input",
          [
            .id("within"), .text("name", "domain"), .text("placeholder", "all"),
            .text("value", domain ?? ""),
          ])
      }
      html.element("button", [.text("type", "submit")], "Show")
    }
  }
}
