import Events
import Values

enum Wallabag: JSONFormat {
  static let name = "wallabag-json"
  static let summary = "wallabag articles (JSON)"
  static let source = "wallabag"

  static func fits(_ file: InputFile) -> Bool {
    // The first article may be longer than what is looked at, and is followed by its date.
    file.holds("\"is_archived\"") && file.holds("\"url\"")
      && (file.holds("\"created_at\"") || file.holds("\"content\""))
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    try BookmarkSet.read(source: source, events) { (set) throws(CairnError) in
      try json.records(events) { node, place in
        guard let url = node["url"]?.string else { return events.malformed(place, "no URL") }
        let tags = node["tags"]?.elements.compactMap { $0.string ?? $0["label"]?.string } ?? []
        set.add(
          BookmarkSet.Entry(
            url: url, title: node["title"]?.string,
            time: BookmarkSet.time(iso: node["created_at"]?.string), tags: tags, place: place),
          events)
      }
    }
  }
}
