package import Values

/// A feed (RFC 4287) whose entries are bookmarks, as `cairn export` and services of bookmarks write
/// it.
package enum AtomFeed: HistoryFormat {
  package static let name = "atom"
  package static let summary = "bookmarks as a feed (Atom)"
  package static let source = Netscape.source
  /// Of the categories that are folders.
  package static let folderScheme = "urn:cairn:folder"

  /// Only what `cairn export` wrote: other feeds are what somebody publishes, not what they kept.
  package static func recognises(_ file: InputFile) -> Bool {
    let start = file.headText.prefix(2000)
    return start.contains("<feed") && start.contains("<id>urn:cairn:bookmarks</id>")
  }

  package static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var reader = Reader()
    try XMLElements().read(try file.bytes()) { (step) throws(CairnError) in
      switch step {
      case .begin(let name, let attributes): reader.begin(local(name), attributes)
      case .text(let text): reader.take(text)
      case .end(let name): reader.end(local(name), events)
      }
    }
    guard reader.isFound else { throw CairnError(.malformed, "is no Atom feed (no feed element)") }
    try reader.set.finish(source: source, events)
  }

  /// A name without the prefix of its namespace.
  private static func local(_ name: String) -> String {
    name.split(separator: ":").last.map(String.init) ?? name
  }

  private struct Reader {
    var set = BookmarkSet()
    private(set) var isFound = false
    private var entry: BookmarkSet.Entry?
    private var folders: [String] = []
    private var count = 0
    private var text = ""
    private var isHTML = false

    mutating func begin(_ name: String, _ attributes: [String: String]) {
      text = ""
      isHTML = attributes["type"] == "html"
      switch name {
      case "feed": isFound = true
      case "entry":
        entry = BookmarkSet.Entry(url: "", place: .record(count))
        folders = []
        count += 1
      case "link" where (attributes["rel"] ?? "alternate") == "alternate":
        if entry?.url.isEmpty == true { entry?.url = attributes["href"] ?? "" }
      case "category":
        guard let term = attributes["term"] else { return }
        let isFolder = attributes["scheme"] == AtomFeed.folderScheme
        if isFolder { folders.append(term) } else { entry?.tags.append(term) }
      default: return
      }
    }

    /// Adds the entry to each of its folders.
    private mutating func add(_ events: Collector) {
      guard var entry else { return }
      entry.folder = folders.first
      set.add(entry, events)
      for folder in folders.dropFirst() {
        entry.folder = folder
        set.add(entry, events)
      }
    }

    mutating func take(_ more: String) {
      if entry != nil, text.utf8.count < 1 << 20 { text += more }
    }

    mutating func end(_ name: String, _ events: Collector) {
      let content = isHTML ? HTMLText.plain(text) : CommandText.trimmed(text)
      switch name {
      case "title": entry?.title = content
      case "summary": entry?.description = content
      case "published", "updated":
        // When it was published is when it became a bookmark.
        if name == "published" || entry?.time == nil {
          entry?.time = BookmarkSet.time(iso: content)
        }
      case "entry":
        add(events)
        entry = nil
      default: return
      }
      text = ""
    }
  }
}
