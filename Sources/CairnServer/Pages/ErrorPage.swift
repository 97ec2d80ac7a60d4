import Cairn

/// What a page shows when it cannot: what is wrong, and what to do.
enum ErrorPage {
  static func answer(_ call: Call, _ refusal: Refusal) throws(Refusal) -> Answer {
    // Nobody is there any more, or the engine is so ill that no page can be made.
    if refusal.status == 0 || refusal.status >= 500 { throw refusal }
    let frame = PageFrame(title: "Not found", path: nil)
    return frame.bareAnswer(status: refusal.status) { html in
      html.heading(title(refusal))
      let place = refusal.place.map { " (\($0))" } ?? ""
      html.element("p", [], refusal.message + place)
      html.element("p") { html in
        html.element("a", [.href(PageLink("/"))], "Search the history")
      }
    }
  }

  private static func title(_ refusal: Refusal) -> String {
    switch refusal.code {
    case "noSuchPoint": "There is no such point in the history"
    case "badQuery": "This cannot be searched for"
    case "notFound": "There is nothing here"
    default: "This cannot be shown"
    }
  }
}
