import Cairn

/// Search as you type; without words, what is used most.
enum SearchPage {
  static let parameters = [
    Parameter("q", .text), Parameter("domain", .text), Parameter("kind", .text),
    Parameter("since", .text), Parameter("until", .text),
    Parameter("match", .text), Parameter("sort", .text), Parameter("offset", .count(max: 10_000)),
  ]

  private static let pageCount = 20

  static func answer(_ context: PageContext) throws(Refusal) -> Answer {
    let query = context.call.parameters.text("q") ?? ""
    var frame = PageFrame(
      title: query.isEmpty ? "Cairn" : query, path: "/",
      json: query.isEmpty
        ? context.link("/api/v1/top") : context.link("/api/v1/search", [("q", query)]))
    frame.scripts = ["search"]
    let request = try SearchForm(context).request
    return try frame.answer(context) { (html) throws(Refusal) in
      html.element("h1", [.class("hidden")], query.isEmpty ? "Search the history" : "Search")
      SearchForm.write(&html, context)
      try html.element("div", [.id("results")]) { (html) throws(Refusal) in
        if let request {
          try hits(&html, context, request)
        } else {
          try used(&html, context)
        }
      }
    }
  }

  private static func hits(_ html: inout HTML, _ context: PageContext, _ asked: SearchRequest)
    throws(Refusal)
  {
    var asked = asked
    asked.limit = pageCount + 1
    asked.offset = try context.call.parameters.count("offset", max: 10_000) ?? 0
    asked.explains = true
    let request = asked
    let found = try answering { () throws(CairnError) in
      try context.moment.search(request)
    }
    let correction = try answering { () throws(CairnError) in
      try context.moment.correction(of: request, afterFinding: found)
    }
    if let correction { suggest(correction, &html, context) }
    let hits = found.prefix(pageCount)
    html.element(
      "p", [.id("count"), .class("quiet"), .text("role", "status")],
      counted(hits.count, found.count, request.offset))
    if hits.isEmpty {
      html.emptyState(
        "Nothing has all of these words",
        "Take a word away, search for any of them, or look at another time.")
      return
    }
    html.element("h2", [.class("hidden")], "Results")
    html.element("ol", [.class("hits"), .text("start", String(request.offset + 1))]) { html in
      for hit in hits { HitView(hit: hit, query: request.text).write(&html, context) }
    }
    if found.count > pageCount {
      let next = String(request.offset + pageCount)
      html.element(
        "a", [.class("more"), .text("rel", "next"), .href(context.here([("offset", next)]))],
        "More results")
    }
  }

  private static func counted(_ shown: Int, _ found: Int, _ offset: Int) -> String {
    if shown == 0 { return offset == 0 ? "No results" : "No more results" }
    let more = found > shown ? ", there are more" : ""
    return shown == 1 && offset == 0
      ? "1 result" : "Results \(offset + 1) to \(offset + shown)\(more)"
  }

  private static func suggest(_ correction: String, _ html: inout HTML, _ context: PageContext) {
    html.element("p", [.class("correction")]) { html in
      html.text("Did you mean ")
      html.element("a", [.href(context.here([("q", correction), ("offset", nil)]))]) {
        $0.stored(correction)
      }
      html.text("?")
    }
  }

  private static func used(_ html: inout HTML, _ context: PageContext) throws(Refusal) {
    let domain = context.call.parameters.filled("domain")
    let items = try answering { () throws(CairnError) in
      try context.moment.top(domain: domain, limit: pageCount)
    }
    guard !items.isEmpty else {
      if context.isPast {
        return html.emptyState("Nothing had been used yet", "Go to a later day or event.")
      }
      return html.emptyState(
        context.moment.sequence == 0 ? "The history is empty" : "Nothing has been used yet",
        "Bring in what you have: browsers, shells, bookmarks and 50 others are found by themselves.",
        command: "cairn import auto")
    }
    html.element("h2", [], "Used most")
    html.element("ol", [.class("hits")]) { html in
      for item in items {
        html.element("li", [.class("hit")]) { html in
          html.element("h3") { $0.itemLink(item.item, item.title, context) }
          html.element("p", [.class("about")]) { html in
            html.text(item.viewCount == 1 ? "1 view, last " : "\(item.viewCount) views, last ")
            html.time(item.lastViewed, context.words)
          }
        }
      }
    }
  }
}

extension HTML {
  /// A link to the page of an item, by its title where it has one.
  mutating func itemLink(
    _ id: String, _ title: String?, _ context: PageContext, _ attributes: [Attribute] = []
  ) {
    let name = title.flatMap { $0.isEmpty ? nil : $0 } ?? id
    element("a", [.href(context.link("/item", [("id", id)]))] + attributes) { $0.stored(name) }
  }
}
