import Events

enum Wallabag: JSONFormat {
  static let name = "wallabag-json"
  static let summary = "wallabag articles (JSON)"
  static let source = "wallabag"

  static func recognises(_ head: String) -> Bool {
    // The first article may be longer than what is looked at, and is followed by its date.
    head.contains("\"is_archived\"") && head.contains("\"url\"")
      && (head.contains("\"created_at\"") || head.contains("\"content\""))
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    var set = BookmarkSet()
    try json.records(events) { node, place in
      guard let url = node["url"]?.text else { return events.malformed(place, "no URL") }
      let tags = node["tags"]?.elements.compactMap { $0.text ?? $0["label"]?.text } ?? []
      set.add(
        BookmarkSet.Entry(
          url: url, title: node["title"]?.text,
          time: BookmarkSet.time(iso: node["created_at"]?.text), tags: tags, place: place),
        events)
    }
    try set.finish(source: source, events)
  }
}
