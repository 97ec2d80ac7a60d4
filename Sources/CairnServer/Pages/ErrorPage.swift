/// What a browser shows where there is no answer: what is wrong, and what to do.
///
/// Nothing of the history is in it, nor of the request: anybody may see it.
enum ErrorPage {
  static func answer(_ refusal: Refusal) -> Answer {
    let title = title(refusal)
    return PageFrame(title: title, path: nil).bareAnswer(status: refusal.status) { html in
      html.element("a", [.class("brand"), .text("href", "/")], "Cairn")
      html.heading(title)
      let advice = advice(refusal)
      if let advice { html.element("p", [], advice) }
      if advice == nil || tellsMore(refusal) {
        let place = refusal.place.map { " (\($0))" } ?? ""
        html.element("p", [.class("quiet")], "The server says: \(refusal.message)\(place).")
      }
      html.element("nav", [.class("actions"), .text("aria-label", "What to do")]) { html in
        for (path, text) in ways(refusal) {
          html.element("a", [.text("href", path.description)], text)
        }
      }
    }
  }

  private static func title(_ refusal: Refusal) -> String {
    switch refusal.code {
    case "noSuchPoint": return "There is no such point in the history"
    case "badQuery": return "This cannot be searched for"
    case "host": return "This name does not lead here"
    case "origin": return "Another site sent you here"
    case "readOnly": return "Nothing can be changed here"
    default: break
    }
    return switch refusal.status {
    case 303, 401: "Log in first"
    case 403: "You may not do this"
    case 404: "There is nothing here"
    case 405: "This page takes no such request"
    case 409, 412: "Something changed meanwhile"
    case 413, 414, 431: "That is too much at once"
    case 503: "The server is busy"
    case 507: "The disk is full"
    case 500...: "Something is wrong with the history"
    default: "This cannot be shown"
    }
  }

  private static func advice(_ refusal: Refusal) -> String? {
    switch refusal.status {
    case 303, 401: "This history is private. Show a token of the store, then go on."
    case 403 where refusal.code == "scope":
      "The token that let you in allows less. Log in with another one."
    case 403 where refusal.code == "origin":
      "Open the page from the address bar instead, so that no other site acts for you."
    case 404 where refusal.code == "notFound":
      "The address may be mistyped, or what it names was forgotten. Search for it by its words."
    case 404 where refusal.code == "noSuchPoint":
      "The history ends before it, its name was taken away, or old versions are not kept so far "
        + "back. Begin at the present instead."
    case 405: "Go back and use the page itself."
    case 409, 412: "Go back, load the page again and look at what it shows now."
    case 503: "Nothing is lost. Wait a moment, then try again."
    case 507: "What is there can still be read. Make room, then try again."
    case 500...: "Run cairn verify on the store: it says what is damaged and what to do."
    default: nil
    }
  }

  /// Whether the refusal's own words add to the advice.
  private static func tellsMore(_ refusal: Refusal) -> Bool {
    refusal.code == "noSuchPoint" || ![303, 401, 404, 405].contains(refusal.status)
  }

  /// Where to go on; an empty reference is the address itself.
  private static func ways(_ refusal: Refusal) -> [(StaticString, String)] {
    let home: (StaticString, String) = ("/", "Search the history")
    return switch refusal.status {
    case 303, 401: [("/login", "Log in")]
    case 403 where refusal.code == "scope": [("/login", "Log in with another token"), home]
    case 500...: [("", "Try again"), home]
    default: [home, ("/timeline", "Look through the timeline"), ("/help", "Help")]
    }
  }
}
