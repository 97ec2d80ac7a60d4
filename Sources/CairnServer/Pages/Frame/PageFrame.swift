import Cairn

/// What is around every page: head, navigation, the way through time.
struct PageFrame {
  /// Pages in the navigation, each with the key that leads to it after `g`.
  static let places: [(path: StaticString, title: String, key: String)] = [
    ("/", "Search", "s"), ("/timeline", "Timeline", "t"), ("/domains", "Domains", "d"),
    ("/diff", "Changes", "c"), ("/live", "Live", "l"), ("/settings", "Settings", "e"),
    ("/help", "Help", "h"),
  ]

  /// The title of the page, without the program's name.
  let title: String
  /// The path of the page in the navigation; nil for none of them.
  let path: StaticString?
  /// Where the same is found as JSON.
  var json: PageLink?
  /// Modules of the page beside those that all have.
  var scripts: [StaticString] = []

  func answer(
    _ context: PageContext, status: Int = 200, _ body: (inout HTML) throws(Refusal) -> Void
  ) throws(Refusal) -> Answer {
    let snapshots = try answering(context.store.snapshots())
    var html = HTML()
    html.documentType()
    try html.element("html", [.text("lang", "en")]) { (html) throws(Refusal) in
      head(&html)
      try html.element("body") { (html) throws(Refusal) in
        html.element("a", [.class("skip"), .anchor("main")], "Skip to content")
        navigation(&html, context)
        TimeBar(snapshots: snapshots).write(&html, context)
        try html.element(
          "main",
          [.id("main"), .text("tabindex", "-1"), .text("data-head", String(context.head))]
        ) { (html) throws(Refusal) in
          PauseSection.notice(&html, context)
          if context.isPast { Self.pastBanner(&html, context) }
          try body(&html)
        }
        footer(&html, context)
      }
    }
    return Self.page(html, status, at: context.moment.sequence)
  }

  /// A page for those who are not let in: no navigation, nothing of the history.
  func bareAnswer(status: Int = 200, _ body: (inout HTML) -> Void) -> Answer {
    var html = HTML()
    html.documentType()
    html.element("html", [.text("lang", "en")]) { html in
      head(&html)
      html.element("body", [.class("bare")]) { html in
        html.element("main", [.id("main")]) { body(&$0) }
      }
    }
    return Self.page(html, status, at: nil)
  }

  private static func page(_ html: HTML, _ status: Int, at sequence: UInt64?) -> Answer {
    Answer(
      status, MediaType.html, html.bytes, headers: [Header("Content-Security-Policy", policy)],
      at: sequence)
  }

  static let policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    + "img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

  private func head(_ html: inout HTML) {
    html.element("head") { html in
      html.void("meta", [.text("charset", "utf-8")])
      html.void(
        "meta",
        [.text("name", "viewport"), .text("content", "width=device-width, initial-scale=1")])
      html.void("meta", [.text("name", "color-scheme"), .text("content", "light dark")])
      // A tab cannot set a text apart from the words around it.
      let shown = String(title.unicodeScalars.filter { !$0.properties.isBidiControl })
      html.element("title", [], shown == "Cairn" ? shown : "\(shown) \u{2013} Cairn")
      html.void("link", [.text("rel", "stylesheet"), .text("href", PageAsset.style.path)])
      html.void(
        "link",
        [.text("rel", "icon"), .text("type", "image/svg+xml"), .text("href", PageAsset.icon.path)])
      for script in ["app", "feed"] + scripts.map(\.description) {
        guard let asset = PageAsset.script(script) else { continue }
        html.element("script", [.text("type", "module"), .text("src", asset.path)], "")
      }
    }
  }

  private func navigation(_ html: inout HTML, _ context: PageContext) {
    html.element("header", [.class("top")]) { html in
      html.link("Cairn", to: context.link("/"), class: "brand")
      html.element("nav", [.text("aria-label", "Pages")]) { html in
        for place in Self.places {
          var attributes: [HTML.Attribute] = [
            .href(context.link(place.path)), .text("data-key", place.key),
          ]
          if path?.description == place.path.description {
            attributes.append(.text("aria-current", "page"))
          }
          html.element("a", attributes, place.title)
        }
      }
    }
  }

  private static func pastBanner(_ html: inout HTML, _ context: PageContext) {
    html.element("p", [.class("banner"), .text("role", "status")]) { html in
      html.element("strong", [], "This is the past.")
      if context.moment.hasNoTime {
        html.text(" You see the history before its first event. ")
      } else {
        html.text(" You see the history as it was ")
        html.time(context.moment.clock, context.words)
        html.text(", after event \(context.moment.sequence) of \(context.head). ")
      }
      html.link("Back to the present", to: context.here([("asOf", nil)]))
    }
  }

  private func footer(_ html: inout HTML, _ context: PageContext) {
    html.element("footer") { html in
      html.element("p") { html in
        if let json {
          html.link("This page as JSON", to: json)
          html.text(" \u{00B7} ")
        }
        html.link("Keys and help", to: context.link("/help"))
        html.text(" \u{00B7} ")
        html.element("span", [.class("quiet")], "Everything stays on this machine.")
      }
    }
  }
}
