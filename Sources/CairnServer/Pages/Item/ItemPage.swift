import Cairn
import Rows

/// The whole life of an item: what it is, each event about it, and a proof for each.
enum ItemPage {
  static let parameters = [Parameter("id", .text, required: true), Parameter("before", .sequence)]

  private static let pageCount = 25

  static func answer(_ context: PageContext) throws(Refusal) -> Answer {
    let asked = context.call.parameters.text("id") ?? ""
    // What a web page made a part of another item is shown with it.
    let id = try answering(context.moment.shownID(of: asked))
    let item = try answering(context.moment.item(id))
    let life = try answering(ItemLife(id, context.moment))
    let name = HTML.name(of: id, title: item?.title)
    var frame = PageFrame(title: name, path: nil, json: context.link("/api/v1/item", [("id", id)]))
    frame.scripts = ["verify"]
    guard item != nil || life.eventCount > 0 else {
      if context.isPast { return try notYet(name, frame, context) }
      throw .notFound("The history has no such item at this point.")
    }
    return try frame.answer(context) { (html) throws(Refusal) in
      html.element("h1") { $0.stored(name) }
      html.element("div", [.class("about")]) { $0.identifier(id) }
      if item == nil {
        html.element(
          "p", [.class("banner")], "The item is not there at this point; its life is below.")
      }
      facts(life, item, &html, context)
      if let item { attributes(item, &html) }
      try events(id, life, &html, context)
    }
  }

  /// The page of an item before its first event: the slider leads to where it is.
  private static func notYet(_ name: String, _ frame: PageFrame, _ context: PageContext)
    throws(Refusal) -> Answer
  {
    try frame.answer(context, status: 404) { html in
      html.element("h1") { $0.stored(name) }
      html.emptyState(
        "The history had nothing of it yet", "Go to a later event or day, or back to the present.")
    }
  }

  private static func facts(
    _ life: ItemLife, _ item: Item?, _ html: inout HTML, _ context: PageContext
  ) {
    html.element("dl", [.class("facts")]) { html in
      if let domain = item?.domain {
        html.fact("Domain") { html in
          html.storedLink(domain, to: context.link("/", [("domain", domain)]))
        }
      }
      if let first = life.firstSeen { html.fact("First seen") { $0.time(first, context.words) } }
      if let last = life.lastViewed { html.fact("Last viewed") { $0.time(last, context.words) } }
      html.fact("Views") { $0.figure(life.viewCount) }
      if let rank = life.rank {
        html.fact("Among the most used") { $0.element("span", [.class("figure")], "#\(rank)") }
      }
      if let expires = item?.expires { html.fact("Expires") { $0.time(expires, context.words) } }
    }
  }

  private static func attributes(_ item: Item, _ html: inout HTML) {
    let attributes = item.attributes
    guard !attributes.isEmpty else { return }
    html.element("h2", [], "What is known of it")
    html.element("dl", [.class("attributes")]) { html in
      for member in attributes {
        html.element("dt") { $0.stored(member.key) }
        html.element("dd") { $0.value(member.value) }
      }
    }
  }

  private static func events(
    _ id: String, _ life: ItemLife, _ html: inout HTML, _ context: PageContext
  ) throws(Refusal) {
    var sequences = life.sequences[...]
    if let before = try context.call.parameters.sequence("before"), before > 0 {
      sequences = sequences.prefix { $0 < before }
    }
    var found: [RecordedEvent] = []
    let shown = sequences.suffix(pageCount)
    for sequence in shown.reversed() {
      var query = EventQuery()
      (query.from, query.through) = (sequence, sequence)
      found += try answering(context.store.events(query))
    }
    html.element("h2", [], "Its life")
    html.element(
      "p", [.class("quiet")],
      life.eventCount == 1 ? "1 event" : "\(life.eventCount) events, the newest first")
    try html.element("ol", [.class("life")]) { (html) throws(Refusal) in
      for event in found {
        try LifeEvent(event: event, item: id).write(&html, context)
      }
    }
    if sequences.count > pageCount, let oldest = shown.first {
      let older = context.here([("before", String(oldest))])
      html.link("Older events", to: older, class: "more")
    }
    if context.allows(.admin), !context.isPast {
      html.element("p", [.class("actions")]) { html in
        html.link("Forget it\u{2026}", to: PageLink("/forget", [("item", id)]), class: "danger")
      }
    }
  }
}

extension HTML {
  mutating func fact(_ name: String, _ body: (inout HTML) -> Void) {
    element("dt", [], name)
    element("dd", [], body)
  }
}
