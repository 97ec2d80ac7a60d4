import Cairn

/// What is searched for, as the form and the address have it.
struct SearchForm {
  /// What to ask; nil without words.
  let request: SearchRequest?
  /// When it was used or changed; nil for any time.
  let span: ClosedRange<Timestamp>?

  init(_ context: PageContext) throws(Refusal) {
    let parameters = context.call.parameters.nonEmpty
    span = try parameters.span()
    guard let text = parameters.text("q"), text.contains(where: { !$0.isWhitespace }) else {
      request = nil
      return
    }
    var request = SearchRequest(text)
    request.mode = try parameters.choice("match") ?? request.mode
    request.sort = try parameters.choice("sort") ?? request.sort
    request.domain = parameters.text("domain")
    if let kind = parameters.text("kind") {
      request.filter = "contentType == \"\(kind.filter { $0 != "\"" && $0 != "\\" })\"c"
    }
    request.within = span
    self.request = request
  }

  /// What makes a search narrower, beside its words.
  static let filters = ["domain", "kind", "since", "until"]

  static func isNarrowed(_ context: PageContext) -> Bool {
    filters.contains { context.call.parameters.filled($0) != nil }
  }

  /// What the form calls a field, to begin a sentence about it.
  static func title(of field: String?) -> String {
    switch field {
    case "since": "Used or changed since: "
    case "until": "Used or changed until: "
    case "match": "Words: "
    case "sort": "Order: "
    default: ""
    }
  }

  static func write(_ html: inout HTML, _ context: PageContext) {
    let parameters = context.call.parameters
    html.element(
      "form",
      [.id("search"), .text("role", "search"), .text("method", "get"), .text("action", "/")]
    ) { html in
      if let asOf = context.asOf { html.hidden("asOf", String(asOf)) }
      html.element("div", [.class("asked")]) { html in
        html.element("label", [.text("for", "q"), .class("hidden")], "Search the history")
        html.void(
          "input",
          [
            .id("q"), .text("name", "q"), .text("type", "search"),
            .text("value", parameters.text("q") ?? ""), .text("autocomplete", "off"),
            .text("spellcheck", "false"), .text("placeholder", "Find it again"),
            .flag("autofocus", parameters.text("q") == nil),
            .text("maxlength", "1000"),
          ])
        html.element("button", [.text("type", "submit")], "Search")
        html.element(
          "ul",
          [
            .id("suggestions"), .text("role", "listbox"), .flag("hidden", true),
            .text("aria-label", "Suggestions"),
          ], "")
      }
      filters(&html, parameters)
    }
  }

  private static func filters(_ html: inout HTML, _ parameters: Parameters) {
    let isSet = (Self.filters + ["match", "sort"]).contains { parameters.filled($0) != nil }
    html.element("details", [.class("filters"), .flag("open", isSet)]) { html in
      html.element("summary", [], "Narrow it down")
      html.element("div", [.class("fields")]) { html in
        field(&html, "domain", "Domain", "web.org.example", parameters)
        field(&html, "kind", "Kind of content", "public.html", parameters)
        field(&html, "since", "Used or changed since", "last monday", parameters)
        field(&html, "until", "Used or changed until", "2026-11", parameters)
        choice(
          &html, "match", "Words",
          [("", "all of them"), ("any", "any of them"), ("phrase", "as a phrase")], parameters)
        choice(
          &html, "sort", "Order",
          [("", "best first"), ("recent", "last used first"), ("frequent", "most used first")],
          parameters)
      }
    }
  }

  private static func field(
    _ html: inout HTML, _ name: String, _ title: String, _ example: String,
    _ parameters: Parameters
  ) {
    html.field(
      title,
      [
        .text("name", name), .text("value", parameters.text(name) ?? ""),
        .text("placeholder", example),
      ])
  }

  private static func choice(
    _ html: inout HTML, _ name: String, _ title: String, _ values: [(String, String)],
    _ parameters: Parameters
  ) {
    html.element("label") { html in
      html.element("span", [], title)
      html.select([.text("name", name)], values, selected: parameters.text(name) ?? "")
    }
  }
}
