import Cairn

/// Events as rows: when, what, which item.
struct EventTable {
  let events: [RecordedEvent]

  func write(_ html: inout HTML, _ context: PageContext) {
    let columns = ["Event", "When", "Kind", "Item"].map { HTML.Column.text($0) }
    html.table([.class("events"), .id("events")], columns) { html in
      for event in events { row(event, &html, context) }
    }
  }

  private func row(_ recorded: RecordedEvent, _ html: inout HTML, _ context: PageContext) {
    let event = recorded.event
    html.element("tr", [.text("data-sequence", String(recorded.sequence))]) { html in
      html.element("td") { $0.eventLink(recorded.sequence) }
      html.element("td") { html in
        if let time = event.time ?? event.recorded { html.time(time, context.words) }
      }
      html.element("td", [], event.kind.name.description)
      html.element("td") { html in
        if let item = event.item {
          html.itemLink(item, Self.title(of: event), context)
        } else if case .value(let domain) = event.domain {
          html.stored(domain)
        }
      }
    }
  }

  private static func title(of event: Event) -> String? { event.attributes["title"]?.string }
}
