import Cairn

/// A hit: what it is, where its words stand, and why it stands where it does.
struct HitView {
  let hit: SearchHit
  /// What was asked, for the choice that following the hit records.
  let query: String

  func write(_ html: inout HTML, _ context: PageContext) {
    let choice: [HTML.Attribute] = [
      .text("data-choice", hit.item), .text("data-query", query),
      .text("data-position", String(hit.rank)),
    ]
    html.element("li", [.class("hit")]) { html in
      html.element("h3") { $0.itemLink(hit.item, hit.title, context, choice) }
      html.element("div", [.class("about")]) { html in
        if let domain = hit.domain {
          html.storedLink(domain, to: context.here([("domain", domain), ("offset", nil)]))
          html.text(" \u{00B7} ")
        }
        html.identifier(hit.item, choice)
      }
      if let snippet = hit.snippet, !snippet.isEmpty {
        html.element("p") { $0.marked(snippet, hit.highlights) }
      }
      if let explanation = hit.explanation { why(explanation, &html) }
    }
  }

  private func why(_ explanation: ScoreExplanation, _ html: inout HTML) {
    html.element("details", [.class("why")]) { html in
      html.element("summary", [], "Why is this here")
      html.table(
        caption: "What the score of this result is made of",
        [.text("Reason"), .text("Points"), .text("Events")]
      ) { html in
        for reason in ScoreReason.list(explanation) {
          html.element("tr") { html in
            html.element("td", [], reason.words)
            html.element("td", [.class("figure")], Self.rounded(reason.score))
            html.element("td") { html in
              for event in reason.events.prefix(8) {
                html.eventLink(event)
                html.text(" ")
              }
            }
          }
        }
        html.element("tr", [.class("sum")]) { html in
          html.element("td", [], "Together")
          html.element("td", [.class("figure")], Self.rounded(hit.score))
          html.element("td", [], "")
        }
      }
    }
  }

  static func rounded(_ value: Double) -> String {
    let hundredths = (value * 100).rounded() / 100
    return hundredths == hundredths.rounded()
      ? String(Int(clamping: hundredths)) : String(hundredths)
  }
}

extension Int {
  fileprivate init(clamping value: Double) {
    self = value.isNaN ? 0 : Int(Swift.max(-1e15, Swift.min(1e15, value)))
  }
}

extension HTML {
  /// A link to one event as JSON, by its sequence.
  mutating func eventLink(_ sequence: UInt64) {
    let link = PageLink(checked: "/api/v1/events/\(sequence)", [])
    self.link("#\(sequence)", to: link, class: "event figure")
  }
}
