import Events

/// `BrowserHistory.json` of a Google Takeout, in whatever language it is named.
enum TakeoutChrome: JSONFormat {
  static let name = "takeout-chrome"
  static let summary = "Chrome history in Google Takeout"
  static let source = "takeout"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"Browser History\"") || file.firstKey.map(others.contains) ?? false
  }

  /// What else stands in the file, which before the history may be more than what is looked at.
  private static let others: Set = ["Session", "Shared Tab Group", "Typed Url"]

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    var isFound = false
    guard try json.kind() == .object else {
      throw CairnError(.malformed, "is no Browser History of Google Takeout (no object)")
    }
    try json.members { (key) throws(CairnError) in
      isFound = isFound || key == "Browser History" || others.contains(key)
      guard key == "Browser History" else { return try json.skip() }
      try json.records(events) { (visit, place) throws(CairnError) in
        let word = visit["page_transition"]?.string ?? visit["page_transition_qualifier"]?.string
        try events.add(
          PageVisit(
            url: visit["url"]?.string, title: visit["title"]?.string,
            time: visit["time_usec"]?.integer,
            transition: transition(word ?? ""), device: visit["client_id"]?.string, place: place))
      }
    }
    guard isFound else { throw CairnError(.malformed, "is no Browser History of Google Takeout") }
  }

  private static func transition(_ word: String) -> Transition {
    switch word {
    case "TYPED": .typed
    case "AUTO_BOOKMARK": .bookmark
    case "AUTO_SUBFRAME", "MANUAL_SUBFRAME": .embed
    case "GENERATED": .generated
    case "AUTO_TOPLEVEL", "START_PAGE", "KEYWORD_GENERATED": .auto
    case "FORM_SUBMIT": .form
    case "RELOAD": .reload
    case "KEYWORD": .keyword
    default: .link
    }
  }
}
