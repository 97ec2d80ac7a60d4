import Cairn
import Importers

/// Bookmarks in their folders, as HTML and OPML nest them.
///
/// Memory for all of them.
struct BookmarkFolders {
  /// One bookmark, with its texts fit for XML and HTML.
  struct Bookmark {
    var link: String
    var title: String
    var tags: [String]
    var description: String?
    var time: Timestamp
    /// The paths of its folders.
    var paths: [String]

    init(_ event: Event, url: String, time: Timestamp) {
      link = BookmarkFolders.escaped(url)
      title = BookmarkFolders.escaped(event.attributes["title"]?.string ?? url)
      tags = BookmarkFolders.texts(event, "keywords").map(BookmarkFolders.escaped)
      description = event.attributes["contentDescription"]?.string.map(BookmarkFolders.escaped)
      self.time = time
      paths = BookmarkFolders.texts(event, "bookmarkFolders")
    }

    fileprivate var html: String {
      let tags = tags.isEmpty ? "" : " TAGS=\"\(tags.joined(separator: ","))\""
      let more = description.map { "\n<DD>\($0)" } ?? ""
      return "<DT><A HREF=\"\(link)\" ADD_DATE=\"\(time.seconds)\"\(tags)>\(title)</A>\(more)"
    }

    fileprivate var opml: String {
      let tags = tags.isEmpty ? "" : " category=\"\(tags.joined(separator: ","))\""
      let more = description.map { " description=\"\($0)\"" } ?? ""
      return "<outline type=\"link\" text=\"\(title)\" url=\"\(link)\" "
        + "created=\"\(MailTime.text(time.seconds))\"\(tags)\(more)/>"
    }

    /// As an entry of a feed (RFC 4287), which has no folders: they are categories of a kind that
    /// only our own import knows.
    var atom: String {
      let folders = paths.map(BookmarkFolders.escaped).map {
        "<category scheme=\"\(AtomFeed.folderScheme)\" term=\"\($0)\"/>"
      }
      let tags = tags.map { "<category term=\"\($0)\"/>" }.joined() + folders.joined()
      let more = description.map { "<summary>\($0)</summary>" } ?? ""
      return "<entry><title>\(title)</title><link href=\"\(link)\"/><id>\(link)</id>"
        + "<updated>\(time.rfc3339)</updated>\(tags)\(more)</entry>"
    }
  }

  private var bookmarks: [Bookmark] = []
  private var folders: [String: BookmarkFolders] = [:]

  /// Adds a bookmark to each folder that its event names.
  mutating func add(_ bookmark: Bookmark) {
    for path in bookmark.paths.isEmpty ? [""] : bookmark.paths {
      add(bookmark, path.split(separator: "/").prefix(Self.depthMax)[...])
    }
  }

  private mutating func add(_ bookmark: Bookmark, _ path: ArraySlice<Substring>) {
    guard let first = path.first else { return bookmarks.append(bookmark) }
    let name = String(first).replacing("%2F", with: "/").replacing("%25", with: "%")
    folders[name, default: BookmarkFolders()].add(bookmark, path.dropFirst())
  }

  /// Folders inside one another; what is deeper goes into the last.
  private static let depthMax = 100

  private var sorted: [(name: String, folder: BookmarkFolders)] {
    folders.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { (Self.escaped($0.key), $0.value) }
  }

  /// Writes all of it, oldest first, as every browser reads it.
  func writeHTML(to output: inout Output) throws(Failure) {
    try write(to: &output, { "<DT><H3>\($0)</H3>\n<DL><p>" }, "</DL><p>", \.html)
  }

  func writeOPML(to output: inout Output) throws(Failure) {
    try write(to: &output, { "<outline text=\"\($0)\">" }, "</outline>", \.opml)
  }

  private func write(
    to output: inout Output, _ begin: (String) -> String, _ end: String,
    _ line: KeyPath<Bookmark, String>
  ) throws(Failure) {
    for (name, folder) in sorted {
      try output.line(begin(name))
      try folder.write(to: &output, begin, end, line)
      try output.line(end)
    }
    for bookmark in bookmarks.reversed() { try output.line(bookmark[keyPath: line]) }
  }

  private static func texts(_ event: Event, _ name: String) -> [String] {
    guard case .array(let values)? = event.attributes[name] else { return [] }
    return values.compactMap { $0.string }
  }

  /// Text for XML and HTML: control characters, which XML cannot hold, become blanks.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // In an attribute of XML they would be read as blanks.
      case "\n", "\t": result += "&#\(scalar.value);"
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
