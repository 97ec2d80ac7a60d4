import Cairn

/// What changed between two points, field by field.
enum DiffPage {
  static let parameters = [
    Parameter("from", .text), Parameter("to", .text), Parameter("domain", .text),
    Parameter("after", .text),
  ]

  private static let pageCount = 50

  static func answer(_ context: PageContext) throws(Refusal) -> Answer {
    let parameters = context.call.parameters
    let toText = parameters.filled("to")
    let fromText = parameters.filled("from")
    let to =
      try toText.map { (text) throws(Refusal) in try context.call.moment(text, "to") }
      ?? context.moment
    let first = min(try answering(context.store.firstWholePoint()), to.sequence)
    let from = try context.call.moment(
      fromText ?? String(max(to.sequence - min(to.sequence, 100), first)), "from")
    let frame = PageFrame(
      title: "Changes", path: "/diff",
      json: PageLink(
        "/api/v1/diff",
        [
          ("from", String(from.sequence)), ("to", String(to.sequence)),
          ("domain", parameters.filled("domain")), ("after", parameters.filled("after")),
          ("limit", String(pageCount)),
        ]))
    let changes = try changes(from, to, parameters)
    return try frame.answer(context) { (html) throws(Refusal) in
      html.heading("Changes", "from event \(from.sequence) to event \(to.sequence)")
      form(from, to, &html, context)
      if changes.isEmpty {
        guard context.head > 0 else { return html.emptyHistory() }
        html.emptyState("Nothing differs", "Items are the same at both points. Move one of them.")
        return
      }
      try html.element("ul", [.class("diff")]) { (html) throws(Refusal) in
        for change in changes.prefix(pageCount) {
          let item = try answering((change.kind == .removed ? from : to).item(change.item))
          row(change, item?.title, &html, context)
        }
      }
      if changes.count > pageCount, let last = changes.prefix(pageCount).last {
        html.link("More changes", to: context.here([("after", last.item)]), class: "more")
      }
    }
  }

  private static func changes(_ from: Moment, _ to: Moment, _ parameters: Parameters)
    throws(Refusal) -> [ItemChange]
  {
    let domain = parameters.filled("domain")
    let after = parameters.text("after")
    var changes: [ItemChange] = []
    try differing(from, to) { () throws(CairnError) in
      try from.store.forEachChange(from: from, to: to, domain: domain, after: after) { change in
        changes.append(change)
        return changes.count <= pageCount
      }
    }
    return changes
  }

  private static func form(
    _ from: Moment, _ to: Moment, _ html: inout HTML, _ context: PageContext
  ) {
    html.form("/diff", "get", class: "between") { html in
      if let asOf = context.asOf { html.hidden("asOf", String(asOf)) }
      for (name, title, moment) in [("from", "From event", from), ("to", "To event", to)] {
        html.element("label") { html in
          html.element("span", [], title)
          html.void(
            "input",
            [
              .text("type", "range"), .text("name", name), .text("min", "0"),
              .text("max", String(context.head)), .text("value", String(moment.sequence)),
              .text("list", "marks"),
            ])
          html.element("span", [.class("quiet")]) { html in
            html.text("#\(moment.sequence), ")
            if moment.hasNoTime { return html.text("before the first event") }
            html.time(moment.clock, context.words)
          }
        }
      }
      html.field(
        "Domain",
        [
          .text("name", "domain"), .text("placeholder", "all"),
          .text("value", context.call.parameters.text("domain") ?? ""),
        ])
      html.element("button", [.text("type", "submit")], "Compare")
    }
  }

  private static func row(
    _ change: ItemChange, _ title: String?, _ html: inout HTML, _ context: PageContext
  ) {
    html.element("li", [.class(change.kind.rawValue)]) { html in
      html.element("p") { html in
        html.element("strong", [.class("kind")], change.kind.rawValue)
        html.text(" ")
        html.itemLink(change.item, title, context)
      }
      if title != nil { html.element("div", [.class("about")]) { $0.identifier(change.item) } }
      html.changes(change.fields)
    }
  }
}
