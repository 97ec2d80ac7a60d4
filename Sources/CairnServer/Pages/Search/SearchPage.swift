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
    var frame = PageFrame(title: query.isEmpty ? "Cairn" : query, path: "/")
    frame.scripts = ["search"]
    var results = HTML()
    var status = 200
    do throws(Refusal) {
      let form = try SearchForm(context)
      frame.json = json(form.request, context)
      if let request = form.request {
        try hits(&results, context, request)
      } else {
        try used(&results, context, form.span)
      }
    } catch {
      // What was typed stays there to be mended.
      guard error.status == 400 else { throw error }
      (status, results) = (400, HTML())
      results.emptyState(
        "This cannot be searched for", SearchForm.title(of: error.place) + error.message)
    }
    let found = results
    return try frame.answer(context, status: status) { html in
      html.element("h1", [.class("hidden")], query.isEmpty ? "Search the history" : "Search")
      SearchForm.write(&html, context)
      html.element("div", [.id("results")]) { $0.append(found) }
    }
  }

  /// Where what is shown is found as JSON.
  private static func json(_ request: SearchRequest?, _ context: PageContext) -> PageLink {
    let parameters = context.call.parameters
    let limit = String(pageCount)
    let span = ["since", "until"].map { ($0, parameters.filled($0)) }
    guard let request else {
      return context.link(
        "/api/v1/top", span + [("domain", parameters.filled("domain")), ("limit", limit)])
    }
    return context.link(
      "/api/v1/search",
      span + [
        ("q", request.text), ("domain", request.domain), ("filter", request.filter),
        ("match", parameters.filled("match")), ("sort", parameters.filled("sort")),
        ("offset", parameters.filled("offset")), ("limit", limit),
      ])
  }

  private static func hits(_ html: inout HTML, _ context: PageContext, _ request: SearchRequest)
    throws(Refusal)
  {
    var request = request
    request.limit = pageCount + 1
    request.offset = try context.call.parameters.count("offset", max: 10_000) ?? 0
    request.explains = true
    let found = try answering(context.moment.search(request))
    let correction = try answering(context.moment.correction(of: request, afterFinding: found))
    if let correction { suggest(correction, &html, context) }
    let hits = found.prefix(pageCount)
    html.element(
      "p", [.id("count"), .class("quiet"), .text("role", "status")],
      counted(hits.count, found.count, request.offset))
    if hits.isEmpty { return nothing(&html, context, request) }
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

  /// Says that nothing was found, and leads to searches that find more.
  private static func nothing(
    _ html: inout HTML, _ context: PageContext, _ request: SearchRequest
  ) {
    guard context.head > 0 else { return html.emptyHistory() }
    let isOneWord = request.text.split(whereSeparator: \.isWhitespace).count < 2
    let isNarrowed = SearchForm.isNarrowed(context)
    let words =
      switch request.mode {
      case _ where isOneWord: "this word"
      case .all: "all of these words"
      case .any: "any of these words"
      case .phrase: "these words one after the other"
      }
    let title = isNarrowed ? "Nothing that fits has \(words)" : "Nothing has \(words)"
    html.emptyState(title, "Look for other words, or for fewer letters of them.")
    var ways: [(String, PageLink)] = []
    if !isOneWord, request.mode != .any {
      ways.append(("Search for any of them", context.here([("match", "any"), ("offset", nil)])))
    }
    if isNarrowed {
      ways.append(("Search everything", context.here(SearchForm.filters.map { ($0, nil) })))
    }
    if context.isPast { ways.append(("Search the present", context.here([("asOf", nil)]))) }
    if ways.isEmpty { return }
    html.element("nav", [.class("ways"), .text("aria-label", "Other searches")]) { html in
      for (title, link) in ways { html.link(title, to: link) }
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
      html.storedLink(correction, to: context.here([("q", correction), ("offset", nil)]))
      html.text("?")
    }
  }

  private static func used(
    _ html: inout HTML, _ context: PageContext, _ span: ClosedRange<Timestamp>?
  ) throws(Refusal) {
    let parameters = context.call.parameters
    if parameters.filled("kind") != nil {
      return html.emptyState(
        "What shall be found?", "The kind narrows down what words find: write some above.")
    }
    let domain = parameters.filled("domain")
    let items = try answering(
      context.moment.top(
        domain: domain, by: span == nil ? .frecency : .count, limit: pageCount, within: span))
    guard !items.isEmpty else {
      if span != nil {
        return html.emptyState("Nothing was viewed then", "Words find what was changed, too.")
      }
      if context.isPast {
        return html.emptyState("Nothing had been used yet", "Go to a later day or event.")
      }
      guard context.head > 0 else { return html.emptyHistory() }
      let place = domain == nil ? "" : " in this domain"
      return html.emptyState(
        "Nothing has been used\(place) yet",
        "Items appear here once they are viewed. Search finds all.")
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
  /// A link to the page of an item, by its name.
  mutating func itemLink(
    _ id: String, _ title: String?, _ context: PageContext, _ attributes: [Attribute] = []
  ) {
    element("a", [.href(context.link("/item", [("id", id)]))] + attributes) { html in
      html.stored(Self.name(of: id, title: title))
    }
  }
}
