import Values
import WebMarkup

/// Outlines with links (OPML 2.0): bookmarks, and subscriptions to feeds and podcasts.
enum OPML: HistoryFormat {
  static let name = "opml"
  static let summary = "bookmarks and subscriptions as outlines (OPML)"
  static let source = Netscape.source

  static func recognises(_ file: InputFile) -> Bool { file.headText.prefix(2000).contains("<opml") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var set = BookmarkSet()
    // The folders that are open; nil for a link with others below it.
    var folders: [String?] = []
    var count = 0
    var isFound = false
    try XMLElements().read(try file.bytes()) { (step) throws(CairnError) in
      switch step {
      case .begin("opml", _): isFound = true
      case .begin("outline", let attributes):
        guard folders.count < depthMax else {
          throw CairnError(.malformed, "has outlines inside one another, \(depthMax) and more")
        }
        let name = attributes["text"] ?? attributes["title"] ?? ""
        // Who knows of no page of a feed leaves its address empty.
        let urls = ["url", "htmlUrl", "xmlUrl"].compactMap { attributes[$0] }
        let url = urls.first { !$0.isEmpty } ?? urls.first
        if let url {
          set.add(entry(url, name, attributes, folders.compactMap { $0 }, .record(count)), events)
          count += 1
        }
        folders.append(url == nil && !name.isEmpty ? name : nil)
      case .end("outline"): folders.removeLast()
      default: return
      }
    }
    guard isFound else { throw CairnError(.malformed, "is no OPML (no opml element)") }
    try set.finish(source: source, events)
  }

  private static let depthMax = 100

  private static func entry(
    _ url: String, _ name: String, _ attributes: [String: String], _ folders: [String],
    _ place: RecordPlace
  ) -> BookmarkSet.Entry {
    let tags = (attributes["category"] ?? "").split(separator: ",")
    let created = attributes["created"].flatMap(CommandText.nonBlank)
    let time = created.map { WrittenTime(mail: $0)?.microseconds ?? CivilTime.iso($0) ?? Int64.max }
    return BookmarkSet.Entry(
      url: url, title: name, description: attributes["description"],
      time: time.flatMap { $0 > 0 ? $0 : nil }, tags: tags.map { CommandText.trimmed($0) },
      folder: BookmarkSet.folder(folders), place: place)
  }
}
