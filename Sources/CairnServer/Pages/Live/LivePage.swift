import Cairn

/// The newest events; with scripts, those that come as well.
enum LivePage {
  private static let count = 50

  static func answer(_ context: PageContext) throws(Refusal) -> Answer {
    var query = EventQuery()
    query.isReversed = true
    query.limit = count
    query.through = context.moment.sequence
    let events = try answering(context.store.events(query))
    var frame = PageFrame(
      title: "Live", path: "/live",
      json: context.link("/api/v1/events", [("reverse", "true")]))
    frame.scripts = ["live"]
    return try frame.answer(context) { html in
      html.heading("Live", "the newest events first")
      html.element(
        "form", [.id("feed"), .class("inline"), .flag("hidden", true), .text("action", "/live")]
      ) { html in
        html.element(
          "button", [.id("pause"), .text("type", "button"), .text("aria-pressed", "false")], "Pause"
        )
        html.element("label") { html in
          html.text("Only kind ")
          let names = EventKind.allCases.map(\.name.description)
          html.select([.id("only")], [("", "all")] + names.map { ($0, $0) })
        }
        html.element("label") { html in
          html.text("in domain ")
          html.void("input", [.id("within"), .text("placeholder", "all")])
        }
        html.element("output", [.id("state"), .text("role", "status")], "")
      }
      if events.isEmpty {
        html.emptyState("Nothing has happened yet", "Events appear here when they are on disk.")
      }
      EventTable(events: events).write(&html, context)
    }
  }
}
