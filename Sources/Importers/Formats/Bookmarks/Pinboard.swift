import Events
import Values

enum Pinboard: JSONFormat {
  static let name = "pinboard-json"
  static let summary = "Pinboard bookmarks (JSON)"
  static let source = "pinboard"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"href\"") && file.holds("\"extended\"")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    try BookmarkSet.read(source: source, events) { (set) throws(CairnError) in
      try json.records(events) { node, place in
        guard let url = node["href"]?.string else { return events.malformed(place, "no URL") }
        set.add(
          BookmarkSet.Entry(
            url: url, title: node["description"]?.string, description: node["extended"]?.string,
            time: BookmarkSet.time(iso: node["time"]?.string),
            tags: (node["tags"]?.string ?? "").split(separator: " ").map(String.init), place: place),
          events)
      }
    }
  }
}
