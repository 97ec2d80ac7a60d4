import Cairn
import Rows

/// Pages of a store in a format that another program imports.
struct PeerExport {
  /// The formats.
  enum Format {
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
  }

  private let format: Format
  private var hasWritten = false
  private var seen: Set<String> = []

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

  /// Writes an event where the format has a place for it.
  mutating func write(_ recorded: RecordedEvent, to output: inout Output) throws(Failure) {
    let event = recorded.event
    guard let url = event.item, ["http://", "https://", "ftp://"].contains(where: url.hasPrefix),
      let time = event.time ?? event.recorded
    else { return }
    let title = Self.text(event, "title") ?? url
    switch format {
    case .browserexport, .activitywatch:
      guard event.kind == .view else { return }
      try writeVisit(url, title, time, dwell: event.dwell ?? 0, to: &output)
    case .netscape, .opml, .atom:
      let isBookmark = Self.text(event, "contentType") == "public.bookmark"
      // The last of a page counts, and events come newest first.
      guard event.kind == .index, isBookmark, seen.insert(url).inserted else { return }
      try writeBookmark(event, url, title, time, to: &output)
    }
    hasWritten = true
  }

  /// What stands after the last page.
  func end(_ output: inout Output) throws(Failure) {
    switch format {
    case .browserexport: return
    case .netscape: try output.line("</DL><p>")
    case .activitywatch: try output.line("]}}}")
    case .opml: try output.line("</body></opml>")
    case .atom: try output.line("</feed>")
    }
  }

  private func writeVisit(
    _ url: String, _ title: String, _ time: Timestamp, dwell: Double, to output: inout Output
  ) throws(Failure) {
    if format == .activitywatch, hasWritten { try output.line(",") }
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

  private func writeBookmark(
    _ event: Event, _ url: String, _ title: String, _ time: Timestamp, to output: inout Output
  ) throws(Failure) {
    let (link, name) = (Self.escaped(url), Self.escaped(title))
    let tags = Self.texts(event, "keywords").joined(separator: ",")
    let description = Self.text(event, "contentDescription")
    switch format {
    case .netscape:
      let tagText = tags.isEmpty ? "" : " TAGS=\"\(Self.escaped(tags))\""
      try output.line(
        "<DT><A HREF=\"\(link)\" ADD_DATE=\"\(time.seconds)\"\(tagText)>\(name)</A>")
      if let description { try output.line("<DD>\(Self.escaped(description))") }
    case .opml:
      try output.line("<outline type=\"link\" text=\"\(name)\" url=\"\(link)\"/>")
    case .atom:
      let summary = description.map { "<summary>\(Self.escaped($0))</summary>" } ?? ""
      try output.line(
        "<entry><title>\(name)</title><link href=\"\(link)\"/><id>\(link)</id>"
          + "<updated>\(time.rfc3339)</updated>\(summary)</entry>")
    case .browserexport, .activitywatch: return
    }
  }

  private static func text(_ event: Event, _ name: String) -> String? {
    if case .string(let text)? = event.attributes[name] { text } else { nil }
  }

  private static func texts(_ event: Event, _ name: String) -> [String] {
    guard case .array(let values)? = event.attributes[name] else { return [] }
    return values.compactMap { if case .string(let text) = $0 { text } else { nil } }
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
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\u{0}"..."\u{1F}", "\u{7F}", "\u{FFFE}", "\u{FFFF}": result += " "
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
