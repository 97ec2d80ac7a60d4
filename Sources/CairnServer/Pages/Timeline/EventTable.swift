import Cairn

/// Events as rows: when, what, which item.
struct EventTable {
  let events: [RecordedEvent]

  func write(_ html: inout HTML, _ context: PageContext) {
    html.element("table", [.class("events"), .id("events")]) { html in
      html.element("thead") { html in
        html.element("tr") { html in
          for title in ["Event", "When", "Kind", "Item"] {
            html.element("th", [.text("scope", "col")], title)
          }
        }
      }
      html.element("tbody") { html in
        for event in events { row(event, &html, context) }
      }
    }
  }

  private func row(_ recorded: RecordedEvent, _ html: inout HTML, _ context: PageContext) {
    let event = recorded.event
    html.element("tr") { html in
      html.element("td") { html in
        html.element(
          "a",
          [
            .class("event figure"),
            .href(PageLink(checked: "/api/v1/events/\(recorded.sequence)", [])),
          ], "#\(recorded.sequence)")
      }
      html.element("td") { html in
        if let time = event.time ?? event.recorded { html.time(time, context.words) }
      }
      html.element("td", [], event.kind.name.description)
      html.element("td") { html in
        if let item = event.item {
          html.itemLink(item, nil, context)
        } else if case .value(let domain) = event.domain {
          html.stored(domain)
        }
      }
    }
  }
}
