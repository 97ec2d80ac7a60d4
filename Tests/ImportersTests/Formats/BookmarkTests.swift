import Events
import Foundation
import Testing

@testable import Importers

/// What becomes of bookmarks that are not as one would write them.
@Suite struct BookmarkTests {
  private static func history(_ format: String, _ text: String) throws -> ImportedHistory {
    try ImportedHistory([(try MadeFile.file("bookmarks", text), format)])
  }

  @Test func `URLs that only their bytes tell apart are two bookmarks`() throws {
    let text = #"""
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL>
      <DT><A HREF="https://a.example/caf&#xe9;" ADD_DATE="1" TAGS="&#xe9;,e&#x301;">One</A>
      <DT><A HREF="https://a.example/cafe&#x301;" ADD_DATE="2">Two</A></DL>
      """#
    let history = try Self.history("netscape", text)
    #expect(
      history.events.compactMap { $0.item?.utf8.count } == [
        "https://a.example/caf\u{E9}".utf8.count, "https://a.example/cafe\u{301}".utf8.count,
      ])
    guard case .array(let tags)? = history.events.first?.attributes["keywords"] else {
      throw ImportedHistory.NoFormat(name: "no keywords")
    }
    #expect(tags.count == 2)
  }

  @Test(arguments: [
    ("pinboard-json", #"[{"href":"https://a.example/"},{"href":"https://b.exa"#),
    ("wallabag-json", #"[{"url":"https://a.example/"},{"url":"https://b.exa"#),
    (
      "chromium-bookmarks",
      #"{"roots":{"bookmark_bar":{"children":[{"url":"https://a.example/"}]},"other":{"chil"#
    ),
  ]) func `bookmarks that stand before a cut come in`(format: String, text: String) throws {
    let history = try Self.history(format, text)
    #expect(history.events.map(\.item) == ["https://a.example/"], "\(history.malformed)")
    #expect(history.malformed.count == 1)
  }

  @Test func `a bracket that begins no tag is a letter of a title`() throws {
    let text = #"""
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL>
      <DT><A HREF="https://a.example/" ADD_DATE="1">A > B < C</A><DD>1 <2 <3
      <DT><A HREF="https://b.example/" ADD_DATE="2">I <b>love</b> <3</A></DL><
      """#
    let history = try Self.history("netscape", text)
    #expect(history.events.map { $0.text("title") } == ["A > B < C", "I love <3"])
    #expect(history.events.first?.text("contentDescription") == "1 <2 <3")
  }

  @Test(arguments: [
    ("pocket-csv", "title,url,time_added\nA,https://a.example/,TIME\nB,https://b.example/,"),
    (
      "instapaper-csv",
      "URL,Title,Selection,Folder,Timestamp\nhttps://a.example/,A,,,TIME\nhttps://b.example/,B,,,"
    ),
    (
      "raindrop-csv",
      "url,title,folder,excerpt,created\nhttps://a.example/,A,,,TIME\nhttps://b.example/,B,,,"
    ),
    (
      "pinboard-json",
      #"[{"href":"https://a.example/","time":"TIME"},{"href":"https://b.example/","time":""}]"#
    ),
    (
      "wallabag-json",
      #"[{"url":"https://a.example/","created_at":"TIME"},{"url":"https://b.example/"}]"#
    ),
    (
      "opml",
      #"<opml><body><outline text="A" url="https://a.example/" created="TIME"/>"#
        + #"<outline text="B" url="https://b.example/" created=""/></body></opml>"#
    ),
    (
      "atom",
      #"<feed><entry><link href="https://a.example/"/><updated>TIME</updated></entry>"#
        + #"<entry><link href="https://b.example/"/><updated/></entry></feed>"#
    ),
    (
      "firefox-json",
      #"{"children":[{"uri":"https://a.example/","dateAdded":"TIME"},"#
        + #"{"uri":"https://b.example/","dateAdded":0}]}"#
    ),
    (
      "chromium-bookmarks",
      #"{"roots":{"other":{"children":[{"url":"https://a.example/","date_added":"TIME"},"#
        + #"{"url":"https://b.example/","date_added":"0"}]}}}"#
    ),
  ])
  func `a time that cannot be read is refused, and a missing one is none`(
    format: String, text: String
  ) throws {
    for time in ["yesterday", "99999999999999999999"] {
      let history = try Self.history(format, text.replacing("TIME", with: time))
      #expect(history.events.compactMap(\.item) == ["https://b.example/"])
      #expect(history.events.map(\.isUntimed) == [true])
      #expect(history.malformed.map { $0.hasSuffix(": no time") } == [true])
    }
  }

  @Test func `tags inside the text of a link or a folder do not cut it`() throws {
    let text = """
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p><DT><H3>Work <i>and</i> play</H3><DL><p>
      <DT><A HREF="https://a.example/"><b>Tide</b> and <em>time</em><br></A>
      <DD>As it is<br>not this
      <DT><A HREF="https://b.example/">Left <b>open<DT><A HREF="https://c.example/">Next</A>
      </DL><p></DL>
      """
    let events = try Self.history("netscape", text).events
    #expect(events.map { $0.text("title") } == ["Tide and time", "Left open", "Next"])
    #expect(events.first?.attributes["bookmarkFolders"] == .array([.string("Work and play")]))
    #expect(events.first?.text("contentDescription") == "As it is")
  }

  @Test(arguments: [("ISO-8859-1", Data([0x43, 0xE9])), ("UTF-8", Data([0x43, 0xC3, 0xA9]))])
  func `an outline is in the encoding that it says`(encoding: String, name: Data) throws {
    var bytes = Data("<?xml version=\"1.0\" encoding=\"\(encoding)\"?><opml><body>".utf8)
    bytes += Data("<outline htmlUrl=\"\" xmlUrl=\"https://a.example/\" text=\"".utf8)
    bytes += name + Data("\"/></body></opml>".utf8)
    let history = try ImportedHistory([(try MadeFile.file("feeds.opml", bytes), "opml")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.compactMap(\.item) == ["https://a.example/"])
    #expect(history.events.map { $0.text("title") } == ["Cé"])
  }

  @Test func `an encoding that is not read is told to be one`() throws {
    let text = "<?xml version=\"1.0\" encoding=\"KOI8-R\"?><opml/>"
    let history = try Self.history("opml", text)
    #expect(history.failure?.message.contains("iconv") == true)
  }

  @Test(arguments: [
    ("5\" disk", "5\" disk"), ("a \"b\" c", "a \"b\" c"),
    ("\"a \"\"b\"\", c\"", "a \"b\", c"), ("\"a\"b\"c\"", "ab\"c\""),
    ("\"\"\"a\"", "\"a"), ("\"\"", "https://a.example/"), (" \t\"a, b\"", " \ta, b"),
  ])
  func `a quote that begins no cell is one of its letters`(cell: String, title: String) throws {
    let text = "title,url,time_added\n\(cell),https://a.example/,1\nB,https://b.example/,2\n"
    let history = try ImportedHistory([(try MadeFile.file("p.csv", text), "pocket-csv")])
    #expect(history.events.compactMap { $0.text("title") } == [title, "B"])
    #expect(history.malformed.isEmpty)
  }

  @Test func `a header in quotes may stand behind a byte order mark`() throws {
    let text = "\u{FEFF}\"title\",\"url\",\"time_added\"\nA,https://a.example/,1\n"
    let history = try ImportedHistory([(try MadeFile.file("p.csv", text), "pocket-csv")])
    #expect(history.events.compactMap { $0.text("title") } == ["A"])
    #expect(history.malformed.isEmpty && history.failure == nil)
  }

  @Test(arguments: ["B,https://b.exa", "B"])
  func `a row that is cut off is no bookmark of the part that is left`(cut: String) throws {
    let text = "title,url,time_added,tags\nA,https://a.example/,1,\n\(cut)"
    let history = try ImportedHistory([(try MadeFile.file("p.csv", text), "pocket-csv")])
    #expect(history.events.compactMap(\.item) == ["https://a.example/"])
    #expect(history.malformed.map { $0.contains("3: the file ends in the middle") } == [true])
  }

  @Test func `a last row as short as those before it is whole without a newline`() throws {
    let text = "title,url,time_added,tags\nA,https://a.example/\nB,https://b.example/"
    let history = try ImportedHistory([(try MadeFile.file("p.csv", text), "pocket-csv")])
    #expect(history.events.compactMap(\.item) == ["https://a.example/", "https://b.example/"])
    #expect(history.malformed.isEmpty)
  }

  @Test func `rows before one whose quote never ends are taken`() throws {
    let text = "title,url,time_added\nA,https://a.example/,1\n\"B,https://b.example/,2\n"
    let history = try ImportedHistory([(try MadeFile.file("p.csv", text), "pocket-csv")])
    #expect(history.events.compactMap(\.item) == ["https://a.example/"])
    #expect(history.malformed.map { $0.contains("a quote in the row of line 3") } == [true])
  }

  @Test func `lines of a table may end with a return alone`() throws {
    let text = "URL,Title,Selection,Folder\rhttps://a.example/,\"A\rB\",,x\rhttps://b.example/,C,,"
    let path = try MadeFile.file("i.csv", text)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "instapaper-csv")
    let history = try Self.history("instapaper-csv", text)
    #expect(history.malformed.isEmpty)
    #expect(history.events.map { $0.text("title") } == ["A\rB", "C"])
    #expect(history.events.compactMap(\.item) == ["https://a.example/", "https://b.example/"])
  }

  @Test func `Pocket's former export in HTML has the times and the tags of its last one`() throws {
    let page = """
      <!DOCTYPE html><html><head><title>Pocket Export</title></head><body><h1>Unread</h1><ul>
      <li><a href="https://a.example/?x=1&amp;y" time_added="1466000000" tags="b,a">A</a></li>
      </ul><h1>Read Archive</h1><ul>
      <li><a href="https://b.example/" time_added="1366000000" tags="">B</a></li></ul></body></html>
      """
    let path = try MadeFile.file("ril_export.html", page)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "pocket-html")
    let former = try ImportedHistory([(path, "pocket-html")])
    #expect(former.malformed.isEmpty && former.events.count == 2)
    #expect(
      former.events.compactMap { $0.time?.seconds } == [1_366_000_000, 1_466_000_000])
    let table = """
      title,url,time_added,tags,status
      A,https://a.example/?x=1&y,1466000000,a|b,unread
      B,https://b.example/,1366000000,,archive
      """
    let last = try ImportedHistory([(try MadeFile.file("part_000000.csv", table), "pocket-csv")])
    #expect(former.ids == last.ids, "an article of both exports is one bookmark")
  }

  @Test func `articles of Instapaper have their tags`() throws {
    let text = """
      URL,Title,Selection,Folder,Timestamp,Tags
      https://a.example/,A,,Unread,1,"[""swift"",""dev""]"
      https://b.example/,B,,Unread,2,[]
      https://c.example/,C,,Unread,3,odd
      """
    let history = try Self.history("instapaper-csv", text)
    #expect(history.malformed.isEmpty && history.events.count == 3)
    #expect(
      history.events.map { $0.attributes["keywords"] } == [
        .array([.string("dev"), .string("swift")]), nil, nil,
      ])
  }

  @Test(arguments: [
    "<DT><A HREF=\"https://b.example/lo", "<DT><A HREF=\"https://b.example/\" ADD_DATE=\"17",
  ])
  func `a tag that is cut off is no bookmark of the part that is left`(cut: String) throws {
    let whole = #"<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.example/">A</A>"#
    let history = try Self.history("netscape", whole + cut)
    #expect(history.events.map(\.item) == ["https://a.example/"])
    #expect(history.malformed.map { $0.contains("in the middle of a tag") } == [true])
  }

  @Test func `thousands of tags of one bookmark are all taken`() throws {
    let tags = (0..<9000).map { "tag\(10_000 + $0)" }
    let text = """
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL>
      <DT><A HREF="https://a.example/" TAGS="\(tags.joined(separator: ","))">A</A></DL>
      """
    let history = try Self.history("netscape", text)
    #expect(history.events.first?.attributes["keywords"] == .array(tags.map { .string($0) }))
  }

  @Test func `an icon of megabytes costs no bookmark, and nothing of its own`() throws {
    let icon = String(repeating: "i", count: 3 << 20)
    let text = """
      <!DOCTYPE NETSCAPE-Bookmark-file-1><DL>
      <DT><A HREF="https://a.example/" ADD_DATE="1" ICON="data:\(icon)" TAGS="x>y">A</A>
      <DT><A HREF="https://b.example/" ADD_DATE="2">B</A></DL>
      """
    let history = try Self.history("netscape", text)
    #expect(history.events.map(\.item) == ["https://a.example/", "https://b.example/"])
    #expect(history.events.first?.attributes["keywords"] == .array([.string("x>y")]))
    #expect(history.malformed.isEmpty)
  }
}
