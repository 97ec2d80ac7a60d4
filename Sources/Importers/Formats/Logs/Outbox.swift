import Events

/// Posts of ActivityStreams 2.0, as in a Mastodon archive.
enum Outbox: JSONFormat {
  static let name = "outbox"
  static let summary = "posts (ActivityStreams, Mastodon outbox.json)"
  static let source = "activitystreams"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"orderedItems\"")
      || file.holds("www.w3.org/ns/activitystreams") && file.holds("\"items\"")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    let document = "no collection of ActivityStreams"
    try json.member("orderedItems", "items", kind: .array, of: document) { () throws(CairnError) in
      try json.elements { (index) throws(CairnError) in
        // Lists of likes and bookmarks in the archive say neither when nor what.
        guard try json.kind() != .string else {
          events.skip("address without an act")
          return try json.skip()
        }
        try json.record(events, at: .element(index)) { (activity, place) throws(CairnError) in
          try add(activity, place, events)
        }
      }
    }
  }

  private static func add(_ activity: JSONValue, _ place: RecordPlace, _ events: Collector)
    throws(CairnError)
  {
    guard let object = activity["object"], let id = object.string ?? object["id"]?.string else {
      return events.malformed(place, "no object")
    }
    let stamp = activity["published"]?.string ?? ""
    guard let time = events.time(CivilTime.iso(stamp), at: place) else { return }
    let text = HTMLText.plain(object["content"]?.string ?? "")
    let isPost = ["Create", "Update"].contains(activity["type"]?.string)
    let title =
      !isPost
      ? nil
      : object["name"]?.string.flatMap(CommandText.nonBlank)
        ?? object["summary"]?.string.flatMap(CommandText.nonBlank)
        ?? CommandText.nonBlank(
          String(String.UnicodeScalarView(text.unicodeScalars.prefix(80))))
    guard var event = events.event(url: id, title: title, at: place) else { return }
    event.time = time
    let type = activity["type"]
    event.identity = Identity(
      source, activity["id"]?.string ?? "\(type?.string ?? "") \(stamp) \(id)")
    event.actor = activity["actor"]?.string
    switch type?.string {
    case "Create": event.kind = .index
    case "Update": event.kind = .update
    case "Delete", "Undo": event.kind = .delete
    default:
      event.set("interpretation", type?.string)
      event.set("interpretation", type?.elements.compactMap(\.string) ?? [])
    }
    if event.kind == .index || event.kind == .update {
      event.set("textContent", text)
      let tags = object["tag"]?.elements.filter { $0["type"]?.string == "Hashtag" } ?? []
      event.set(
        "keywords", tags.compactMap { $0["name"]?.string }.map { String($0.trimmingPrefix("#")) })
    }
    try events.add(event)
  }
}
