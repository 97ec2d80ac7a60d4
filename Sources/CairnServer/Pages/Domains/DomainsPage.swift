import Cairn

/// The tree of domains, a level at a time.
enum DomainsPage {
  static let parameters = [Parameter("parent", .text), Parameter("sizes", .flag)]

  /// What a page shows stays below 2,000 elements.
  private static let rowsMax = 100
  /// Each link of the trail names its whole domain: all of a thousand parts would be megabytes.
  private static let trailMax = 16

  static func answer(_ context: PageContext) throws(Refusal) -> Answer {
    let parent = context.call.parameters.filled("parent")
    let counts = try answering(context.moment.domains(below: parent))
    let shown = counts.prefix(rowsMax)
    var sizes: KeyOrdered<Int>?
    if try context.call.parameters.flag("sizes") {
      sizes = try answering(context.moment.byteCounts(of: shown.map(\.domain)))
    }
    let sizesFlag = sizes == nil ? nil : "true"
    var frame = PageFrame(
      title: parent ?? "Domains", path: "/domains",
      json: context.link("/api/v1/domains", [("parent", parent), ("sizes", sizesFlag)]))
    frame.scripts = ["domains"]
    return try frame.answer(context) { (html) throws(Refusal) in
      html.heading("Domains")
      trail(parent, &html, context)
      if counts.isEmpty {
        guard context.head > 0 else { return html.emptyHistory() }
        html.emptyState(
          parent == nil ? "There are no domains" : "There is nothing below this domain",
          "Items come with a domain, such as the site of a page or the folder of a file.")
      } else {
        table(shown, sizes, &html, context)
        if sizes == nil {
          html.element("p") { html in
            html.link("Show their bytes in the log", to: context.here([("sizes", "true")]))
          }
        }
        if counts.count > rowsMax {
          html.element(
            "p", [.class("quiet")],
            "The \(rowsMax) largest of \(counts.count); the JSON below has them all.")
        }
      }
      if context.allows(.admin), !context.isPast { recent(&html) }
    }
  }

  private static func trail(_ parent: String?, _ html: inout HTML, _ context: PageContext) {
    guard let parent else { return }
    html.element("nav", [.class("trail"), .text("aria-label", "Where this is")]) { html in
      html.link("All domains", to: context.link("/domains"))
      let parts = parent.split(separator: ".", omittingEmptySubsequences: false)
      if parts.count > trailMax { html.text(" \u{203A} \u{2026}") }
      for part in parts.suffix(trailMax) {
        let path = String(parent[..<part.endIndex])
        html.text(" \u{203A} ")
        html.storedLink(String(part), to: context.link("/domains", [("parent", path)]))
      }
    }
  }

  private static func table(
    _ counts: ArraySlice<DomainCount>, _ sizes: KeyOrdered<Int>?, _ html: inout HTML,
    _ context: PageContext
  ) {
    var columns: [HTML.Column] = [.text("Domain"), .figure("Items"), .figure("Events")]
    if sizes != nil { columns.append(.figure("Bytes")) }
    html.table([.class("domains")], columns + [.text("Below it"), .hidden("Forget")]) { html in
      for count in counts { row(count, sizes, &html, context) }
    }
  }

  private static func row(
    _ count: DomainCount, _ sizes: KeyOrdered<Int>?, _ html: inout HTML, _ context: PageContext
  ) {
    html.element("tr") { html in
      html.element("th", [.text("scope", "row")]) { html in
        html.storedLink(count.domain, to: context.link("/", [("domain", count.domain)]))
      }
      html.element("td", [.class("figure")], String(count.itemCount))
      html.element("td", [.class("figure")], String(count.eventCount))
      if let sizes { html.element("td", [.class("figure")], String(sizes[count.domain] ?? 0)) }
      html.element("td") { html in
        if count.childCount > 0 {
          html.element(
            "a",
            [
              .class("inside"),
              .href(
                context.link(
                  "/domains",
                  [("parent", count.domain), ("sizes", sizes == nil ? nil : "true")])),
            ], "\(count.childCount) inside")
        }
      }
      html.element("td") { html in
        if context.allows(.admin), !context.isPast {
          let link = PageLink("/forget", [("domain", count.domain)])
          html.link("Forget\u{2026}", to: link, class: "danger")
        }
      }
    }
  }

  /// The quickest ways to forget.
  private static func recent(_ html: inout HTML) {
    html.element("h2", [], "Forget what was just now")
    html.element("p", [.class("actions")]) { html in
      for (minutes, words) in [
        ("15", "the last 15 minutes"), ("60", "the last hour"), ("1440", "the last day"),
      ] {
        let link = PageLink("/forget", [("minutes", minutes)])
        html.link("Forget \(words)\u{2026}", to: link, class: "danger")
      }
    }
    html.element("h2", [], "Forget what mentions something")
    html.form("/forget", "get", class: "inline") { html in
      html.field(
        "A name, an address or another text",
        [.text("name", "mentioning"), .flag("required", true), .text("autocomplete", "off")])
      html.element("button", [.text("type", "submit")], "See what would go")
    }
  }
}
