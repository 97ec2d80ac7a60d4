import Cairn
import Rows

/// Pages of a store in a format that another program imports.
struct PeerExport {
  enum Format: String {
    /// One visit a line, as browserexport and promnesia read them.
    case browserexport
    /// Bookmarks in HTML, as every browser reads them.
    case netscape
    /// A bucket of visits, as ActivityWatch imports them.
    case activitywatch
    /// Bookmarks as outlines (OPML 2.0).
    case opml
    /// Bookmarks as a feed (RFC 4287).
    case atom

    /// Whether it holds bookmarks, not visits.
    var isOfBookmarks: Bool { self == .netscape || self == .opml || self == .atom }
  }

  private let format: Format
  /// Schemes of pages, which bookmarks of files have beside them.
  private static let schemes: Set = ["http", "https", "ftp", "gopher", "gemini"]
  /// How many bookmarks are neither of a page nor of a file.
  private(set) var leftOutCount = 0
  private var hasWritten = false
  private var seen: Set<String> = []
  /// Held to the end, since they are written by folder.
  private var folders = BookmarkFolders()

  init(_ format: Format) { self.format = format }

  /// What stands before the first page.
  func begin(_ output: inout Output, now: Timestamp) throws(Failure) {
    switch format {
    case .browserexport: return
    case .netscape:
      try output.line("<!DOCTYPE NETSCAPE-Bookmark-file-1>")
      try output.line(#"<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">"#)
      try output.line("<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>")
    case .activitywatch:
      try output.line(#"{"buckets":{"cairn-web":{"id":"cairn-web","type":"web.tab.current","#)
      try output.line(
        #""client":"cairn","hostname":"unknown","created":"\#(now.rfc3339)","events":["#)
    case .opml:
      try output.line(#"<?xml version="1.0" encoding="UTF-8"?>"#)
      try output.line(#"<opml version="2.0"><head><title>Bookmarks</title></head><body>"#)
    case .atom:
      try output.line(#"<?xml version="1.0" encoding="UTF-8"?>"#)
      try output.line(#"<feed xmlns="http://www.w3.org/2005/Atom"><title>Bookmarks</title>"#)
      try output.line("<id>urn:cairn:bookmarks</id><updated>\(now.rfc3339)</updated>")
    }
  }

  /// Writes an event where the format has a place for it; of bookmarks, newest first.
  mutating func write(_ recorded: RecordedEvent, to output: inout Output) throws(Failure) {
    let event = recorded.event
    guard let url = event.item, let time = event.time ?? event.recorded else { return }
    // What has no colon is no URL, though its name be that of a scheme.
    let scheme = url.firstIndex(of: ":").map { url[..<$0].lowercased() } ?? ""
    guard format.isOfBookmarks else {
      guard event.kind == .view, Self.schemes.contains(scheme) else { return }
      let title = event.attributes["title"]?.string ?? url
      return try writeVisit(url, title, time, dwell: event.dwell ?? 0, to: &output)
    }
    // The last that was said of a page counts, also that it went.
    if event.kind == .delete { seen.insert(url) }
    guard event.kind == .index, event.attributes["contentType"]?.string == "public.bookmark",
      seen.insert(url).inserted
    else { return }
    guard Self.schemes.contains(scheme) || scheme == "file" else {
      leftOutCount += 1
      return
    }
    let bookmark = BookmarkFolders.Bookmark(event, url: url, time: time)
    if format == .atom { try output.line(bookmark.atom) } else { folders.add(bookmark) }
  }

  /// What stands after the last page.
  func end(_ output: inout Output) throws(Failure) {
    switch format {
    case .browserexport: return
    case .netscape:
      try folders.writeHTML(to: &output)
      try output.line("</DL><p>")
    case .activitywatch: try output.line("]}}}")
    case .opml:
      try folders.writeOPML(to: &output)
      try output.line("</body></opml>")
    case .atom: try output.line("</feed>")
    }
  }

  private mutating func writeVisit(
    _ url: String, _ title: String, _ time: Timestamp, dwell: Double, to output: inout Output
  ) throws(Failure) {
    if format == .activitywatch, hasWritten { try output.line(",") }
    hasWritten = true
    try output.object { line in
      if format == .activitywatch {
        line.field("timestamp", time.rfc3339)
        line.field("duration", dwell)
        line.object("data") { data in
          data.field("url", url)
          data.field("title", title)
        }
      } else {
        line.field("url", url)
        line.field("dt", time.unixSeconds)
        line.object("metadata") { $0.field("title", title) }
      }
    }
  }
}
