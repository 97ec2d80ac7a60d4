import Events
import Values

/// `MyActivity.json` and YouTube's `watch-history.json` of a Google Takeout.
enum TakeoutActivity: JSONFormat {
  static let name = "takeout-activity"
  static let summary = "My Activity and YouTube history in Google Takeout"
  static let source = "takeout"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"title\"") && file.holds("\"time\"")
      && (file.holds("\"header\"") || file.holds("\"products\""))
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    guard try json.kind() == .array else {
      throw CairnError(.malformed, "is no My Activity of Google Takeout (no array)")
    }
    try json.records(events) { (activity, place) throws(CairnError) in
      try read(activity, at: place, into: events)
    }
  }

  private static func read(_ activity: JSONValue, at place: RecordPlace, into events: Collector)
    throws(CairnError)
  {
    let stamp = activity["time"]?.string.flatMap { CivilTime.iso($0) }
    guard let time = events.time(stamp, at: place) else { return }
    let header = activity["header"]?.string ?? "Chrome"
    let fullTitle = activity["title"]?.string ?? ""
    let title = withoutVerb(fullTitle)
    guard var event = event(activity, header, title, at: place, events) else { return }
    event.time = time
    let details = activity["details"]?.elements.compactMap { $0["name"]?.string } ?? []
    if details.contains("From Google Ads") { event.transition = .embed }
    let names = activity["subtitles"]?.elements.compactMap { $0["name"]?.string } ?? []
    if header.hasPrefix("YouTube") {
      event.set("authorNames", Array(names.prefix(1)))
    } else {
      event.set("keywords", names)
    }
    event.identity = .pageVisit(event.item, time)
    try events.add(event)
  }

  private static func event(
    _ activity: JSONValue, _ header: String, _ title: String, at place: RecordPlace,
    _ events: Collector
  ) -> ImportedEvent? {
    if let url = activity["titleUrl"]?.string {
      return events.event(url: unwrapped(url), title: title, at: place)
    }
    guard let name = CommandText.nonBlank(title) else {
      events.malformed(place, "no title")
      return nil
    }
    return ImportedEvent(
      item: OtherItems.item("google", header, name),
      domain: OtherItems.domain("google", header), time: nil, title: name, identity: Identity(),
      place: place)
  }

  private static let verbs = [
    "Watched ", "Visited ", "Searched for ", "Viewed ", "Used ", "Listened to ",
  ]

  private static func withoutVerb(_ title: String) -> String {
    let text = title.unicodeScalars
    guard let verb = verbs.first(where: { text.starts(with: $0.unicodeScalars) }) else {
      return title
    }
    return String(text.dropFirst(verb.unicodeScalars.count))
  }

  /// What `https://www.google.com/url?q=X` leads to.
  private static func unwrapped(_ url: String) -> String {
    let prefix = "https://www.google.com/url?"
    guard url.hasPrefix(prefix) else { return url }
    for pair in url.dropFirst(prefix.count).split(separator: "&") where pair.hasPrefix("q=") {
      let value = Array(pair.dropFirst(2).replacing("+", with: " ").utf8)
      let target = PercentEncoding.bytes(value[...])
      return String(validating: target, as: UTF8.self) ?? url
    }
    return url
  }
}

/// The same as pages of HTML, which is what Google writes unless it is asked for JSON.
enum TakeoutPages: HistoryFormat {
  static let name = "takeout-html"
  static let summary = "My Activity in HTML, which cannot be imported"

  static func recognises(_ file: InputFile) -> Bool {
    let text = file.headText
    return text.prefix(64).lowercased().hasPrefix("<html><head><title>")
      && text.contains("mdl-typography")
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    throw CairnError(
      .malformed,
      "is activity as HTML; ask takeout.google.com for JSON (My Activity: Multiple formats)")
  }
}
