import Values

/// `recently-used.xbel` of GTK desktops (freedesktop desktop-bookmarks).
enum XBEL: HistoryFormat {
  static let name = "xbel"
  static let summary = "recently used files (recently-used.xbel)"
  static let isAggregate = true

  static func recognises(_ file: InputFile) -> Bool { file.headText.contains("<xbel") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard !file.head.isEmpty else { throw CairnError(.malformed, "is empty") }
    var reader = Reader()
    try XMLElements().read(try file.bytes()) { (step) throws(CairnError) in
      switch step {
      case .begin(let name, let attributes): try reader.open(name, attributes)
      case .text(let text): reader.text(text)
      case .end(let name): try reader.end(name, events)
      }
    }
    guard reader.hasRoot else { throw CairnError(.malformed, "is no XBEL (no xbel element)") }
  }

  private struct Reader {
    private struct Application {
      var name: String
      var count: Int64
      var time: Int64?
    }

    private struct Bookmark {
      var attributes: [String: String]
      var title = ""
      var mimeType: String?
      var applications: [Application] = []
      var place: RecordPlace
    }

    private(set) var hasRoot = false
    private var bookmark: Bookmark?
    private var isInTitle = false
    private var count = 0

    /// Elements that are open, from the outside in.
    private var open: [String] = []

    /// Checks where an element stands, as GLib does, and begins it.
    mutating func open(_ name: String, _ attributes: [String: String]) throws(CairnError) {
      let isForeign = open.contains("metadata of others")
      let isMisplaced =
        switch open.last {
        case nil: name != "xbel"
        case "info": name != "metadata" || attributes["owner"] == nil
        case "metadata": !name.hasPrefix("mime:") && !name.hasPrefix("bookmark:")
        default: false
        }
      guard !isMisplaced || isForeign, open.count < 64 else {
        throw CairnError(.malformed, "is no XBEL: an element stands where none may be")
      }
      let isOthers = name == "metadata" && attributes["owner"] != "http://freedesktop.org"
      open.append(isOthers ? "metadata of others" : name)
      if !isForeign { begin(name, attributes) }
    }

    private mutating func begin(_ name: String, _ attributes: [String: String]) {
      switch name {
      case "xbel": hasRoot = true
      case "bookmark":
        bookmark = Bookmark(attributes: attributes, place: .record(count))
        count += 1
      case "title": isInTitle = true
      case "mime:mime-type": bookmark?.mimeType = attributes["type"]
      case "bookmark:application":
        let stamp = attributes["timestamp"].flatMap { Int64($0) }
        bookmark?.applications.append(
          Application(
            name: attributes["name"] ?? "",
            count: attributes["count"].flatMap { Int64($0) } ?? 1,
            time: attributes["modified"].flatMap { CivilTime.iso($0) }
              ?? stamp.flatMap { CivilTime.scaled($0, by: 1_000_000) }))
      default: break
      }
    }

    mutating func text(_ text: String) {
      if isInTitle, bookmark != nil, (bookmark?.title.utf8.count ?? 0) < 1 << 16 {
        bookmark?.title += text
      }
    }

    mutating func end(_ name: String, _ events: Collector) throws(CairnError) {
      _ = open.popLast()
      if name == "title" { isInTitle = false }
      guard name == "bookmark", let done = bookmark else { return }
      bookmark = nil
      let own = ["visited", "modified", "added"].lazy.compactMap { done.attributes[$0] }
        .compactMap { CivilTime.iso($0) }.first
      let uses =
        done.applications.isEmpty
        ? [Application(name: "", count: 1, time: own)] : done.applications
      for use in uses {
        let url = done.attributes["href"]
        guard
          var event = events.event(
            url: url, title: CommandText.trimmed(done.title), at: done.place)
        else { return }
        guard let time = use.time ?? own, CivilTime.isInRange(time) else {
          events.malformed(done.place, "no time")
          continue
        }
        event.time = time
        event.visits = min(max(1, use.count), 1 << 40)
        event.isAggregate = true
        event.identity = Identity(XBEL.source, event.item, use.name, String(time))
        event.set("mimeType", done.mimeType)
        event.set("application", use.name)
        try events.add(event)
      }
    }
  }
}
