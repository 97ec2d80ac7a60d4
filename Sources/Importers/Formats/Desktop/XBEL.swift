import Values

/// `recently-used.xbel` of GTK desktops (freedesktop desktop-bookmarks).
enum XBEL: HistoryFormat {
  static let name = "xbel"
  static let summary = "recently used files (recently-used.xbel)"
  static let isAggregate = true

  static func recognises(_ file: InputFile) -> Bool { file.holds("<xbel") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var reader = Reader()
    try XMLElements().read(try file.bytes()) { (step) throws(CairnError) in
      switch step {
      case .begin(let name, let attributes): try reader.open(name, attributes)
      case .text(let text): reader.text(text)
      case .end: try reader.end(events)
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
    /// What the prefixes of names stand for; those that GTK uses need no declaration.
    private var namespaces = ["bookmark": bookmarks, "mime": types]

    private static let bookmarks = "http://www.freedesktop.org/standards/desktop-bookmarks"
    private static let types = "http://www.freedesktop.org/standards/shared-mime-info"

    /// What may stand in what (GLib, gbookmarkfile.c); nothing in anything else.
    private static let children: [String: Set<String>] = [
      "": ["xbel"], "xbel": ["title", "desc", "bookmark"], "bookmark": ["title", "desc", "info"],
      "info": ["metadata"], "metadata": ["applications", "groups", "private", "icon", "mime-type"],
      "applications": ["application"], "groups": ["group"],
    ]
    /// What must be told of an element.
    private static let needed: [String: [String]] = [
      "bookmark": ["href"], "metadata": ["owner"], "application": ["name"], "icon": ["href"],
    ]

    /// Checks where an element stands, as GLib does, and begins it.
    mutating func open(_ fullName: String, _ attributes: [String: String]) throws(CairnError) {
      for (key, value) in attributes where key.hasPrefix("xmlns:") {
        namespaces[String(key.dropFirst(6))] = value
      }
      let isForeign = open.last == "metadata of others"
      let name = isForeign ? open[open.count - 1] : local(fullName)
      let isKnown =
        Self.children[open.last ?? ""]?.contains(name) == true
        && Self.needed[name, default: []].allSatisfy { attributes[$0] != nil }
        && (name != "bookmark" || Self.bookmarkKeys.isSuperset(of: attributes.keys))
      guard isKnown || isForeign, open.count < 64 else {
        throw CairnError(.malformed, "is no list of GTK's: an element that it never writes")
      }
      let isOthers = name == "metadata" && attributes["owner"] != "http://freedesktop.org"
      open.append(isOthers ? "metadata of others" : name)
      if !isForeign { begin(name, attributes) }
    }

    private static let applicationCountMax = 10_000
    private static let bookmarkKeys: Set<String> = ["href", "added", "modified", "visited", "id"]

    /// A name without the prefix of a namespace that is read.
    private func local(_ name: String) -> String {
      guard let colon = name.firstIndex(of: ":") else { return name }
      let space = namespaces[String(name[..<colon])]
      let isRead = space == Self.bookmarks || space == Self.types
      return isRead ? String(name[name.index(after: colon)...]) : name
    }

    /// A time; GLib reads `20050930T23:05:28Z` as well.
    private static func time(_ text: String) -> Int64? {
      CivilTime.iso(text)
        ?? CivilTime.iso("\(text.prefix(4))-\(text.dropFirst(4).prefix(2))-\(text.dropFirst(6))")
    }

    private mutating func begin(_ name: String, _ attributes: [String: String]) {
      switch name {
      case "xbel": hasRoot = true
      case "bookmark":
        bookmark = Bookmark(attributes: attributes, place: .record(count))
        count += 1
      case "title": isInTitle = true
      case "mime-type": bookmark?.mimeType = attributes["type"]
      case "application":
        // One more than may be tells that there are too many.
        guard (bookmark?.applications.count ?? 0) <= Self.applicationCountMax else { return }
        let stamp = attributes["timestamp"].flatMap { Int64($0) }
        bookmark?.applications.append(
          Application(
            name: attributes["name"] ?? "",
            count: attributes["count"].flatMap { Int64($0) } ?? 1,
            time: attributes["modified"].flatMap { Self.time($0) }
              ?? stamp.flatMap { CivilTime.scaled($0, by: 1_000_000) }))
      default: break
      }
    }

    mutating func text(_ text: String) {
      if isInTitle, bookmark != nil, (bookmark?.title.utf8.count ?? 0) < 1 << 16 {
        bookmark?.title += text
      }
    }

    mutating func end(_ events: Collector) throws(CairnError) {
      let name = open.popLast()
      if name == "title" { isInTitle = false }
      guard name == "bookmark", let done = bookmark else { return }
      bookmark = nil
      guard done.applications.count <= Self.applicationCountMax else {
        return events.malformed(done.place, "more than \(Self.applicationCountMax) programs")
      }
      // GTK writes the last second of 1969 for what was never visited.
      let own = ["visited", "modified", "added"].lazy.compactMap { done.attributes[$0] }
        .compactMap { Self.time($0) }.first(where: CivilTime.isInRange)
      let uses =
        done.applications.isEmpty
        ? [Application(name: "", count: 1, time: own)] : done.applications
      for use in uses {
        let url = done.attributes["href"]
        guard
          var event = events.event(url: url, title: CommandText.trimmed(done.title), at: done.place)
        else { return }
        guard let time = events.time(use.time ?? own, at: done.place) else { continue }
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
