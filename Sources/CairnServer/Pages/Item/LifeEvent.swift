import Cairn

/// One event in the life of an item: what it was, what it changed, the score it left.
struct LifeEvent {
  let event: RecordedEvent
  let item: String

  func write(_ html: inout HTML, _ context: PageContext) throws(Refusal) {
    let moment = try answering(context.store.at(.sequence(event.sequence)))
    let earlier = try answering(context.store.at(.sequence(event.sequence - 1)))
    let after = try Self.kept { () throws(CairnError) in try moment.item(item) }
    let score = try Self.kept { () throws(CairnError) in try moment.frecency(of: item) }
    let before = try Self.kept { () throws(CairnError) in try earlier.item(item) }
    html.element("li", [.id("e\(event.sequence)")]) { html in
      html.element("p", [.class("what")]) { html in
        html.element("strong", [.class("kind")], event.event.kind.name.description)
        html.text(" ")
        if let time = event.event.time ?? event.event.recorded { html.time(time, context.words) }
        html.text(" ")
        if let dwell = event.event.dwell { html.text("for \(TimeWords.length(dwell)) ") }
        html.link(
          "#\(event.sequence)",
          to: PageLink("/item", [("id", item), ("asOf", String(event.sequence))]),
          class: "event figure")
        html.text(" ")
        // Without scripts the proof is a file that other programs check.
        html.element(
          "a",
          [
            .class("verify"), .text("data-sequence", String(event.sequence)),
            .href(
              PageLink(
                "/api/v1/proofs/inclusion",
                [("sequence", String(event.sequence)), ("size", String(context.head))])),
          ], "verify")
        if let score, let score {
          html.element("span", [.class("quiet figure")], " score \(HitView.rounded(score))")
        }
      }
      if let before, let after { changes(before, after, &html) }
    }
  }

  /// What was so at a point; nil where old versions are not kept so far back.
  private static func kept<R>(_ body: () throws(CairnError) -> R) throws(Refusal) -> R? {
    do throws(CairnError) { return try body() } catch {
      guard error.code == .noSuchPoint else { throw Refusal(error) }
      return nil
    }
  }

  private func changes(_ before: Item?, _ after: Item?, _ html: inout HTML) {
    if before == nil, after != nil {
      html.element("p", [.class("change")], "The item came to be.")
    } else if before != nil, after == nil {
      html.element("p", [.class("change")], "The item was deleted.")
    }
    guard before != nil, after != nil else { return }
    html.changes(ItemChange.fields(from: before, to: after))
  }
}

extension HTML {
  /// Fields, each with what it was and what it is; nothing for none.
  mutating func changes(_ fields: [ItemChange.Field]) {
    if fields.isEmpty { return }
    element("dl", [.class("changes")]) { html in
      for field in fields {
        html.element("dt") { $0.stored(field.name) }
        html.element("dd") { html in
          if let old = field.old {
            html.element("del") { $0.value(old) }
            html.text(" ")
          }
          if let new = field.new { html.element("ins") { $0.value(new) } }
        }
      }
    }
  }
}
