import Events
import Foundation
import Testing

@testable import Importers

/// Shapes of documents that the producing programs write and our samples do not show.
@Suite struct DocumentVariantTests {
  // MARK: JSON

  @Test func `a bucket whose events come before its type and host is read all the same`() throws {
    let data = #"{"app":"vi","title":"a"}"#
    let event = #"{"data":\#(data),"duration":2.5,"timestamp":"2024-01-01T00:00:00+00:00"}"#
    let text = """
      {"buckets":{"w_desk":{"client":"c","events":[\(event)],"hostname":"desk","type":"currentwindow"},
      "v_desk":{"hostname":"desk","type":"currentwindow","events":[\(event)]},
      "none":{"events":[\(event)]}}}
      """
    let history = try ImportedHistory([(try MadeFile.file("export.json", text), "activitywatch")])
    #expect(history.failure == nil && history.malformed.isEmpty)
    #expect(history.events.compactMap(\.item) == ["window:vi/a", "window:vi/a"])
    #expect(history.events.compactMap { $0.domain.value } == ["apps.desk.vi", "apps.desk.vi"])
    #expect(Set(history.ids).count == 2)
  }

  @Test func `a title that was cut within a character is read`() throws {
    let data = #"{"app":"vi","title":"a \ud83d"}"#
    let event = #"{"data":\#(data),"duration":1,"timestamp":"2024-01-01T00:00:00+00:00"}"#
    let text = #"{"buckets":{"w":{"type":"currentwindow","hostname":"h","events":[\#(event)]}}}"#
    let history = try ImportedHistory([(try MadeFile.file("export.json", text), "activitywatch")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.map { $0.attributes["title"] } == [.string("a \u{fffd}")])
  }

  @Test func `an event of a bucket that is refused is told by its place in the file`() throws {
    let bucket = #"{"type":"currentwindow","hostname":"desk","events":[{"timestamp":"x"}]}"#
    let text = #"{"buckets":{"a":\#(bucket),"b":\#(bucket)}}"#
    let path = try MadeFile.file("export.json", text)
    let history = try ImportedHistory([(path, "activitywatch")])
    #expect(
      history.malformed == [68, 68 + bucket.utf8.count + 5].map { "\(path):byte \($0): no time" })
  }

  @Test func `listens come in the answer of the service, too`() throws {
    let listen =
      #"{"listened_at":1700000000,"track_metadata":{"artist_name":"A","track_name":"T"}}"#
    let text = #"{"payload":{"count":1,"latest_listen_ts":5,"listens":[\#(listen)]}}"#
    let events = try ImportedHistory.events("listenbrainz", "listens.json", text)
    #expect(events.compactMap(\.item) == ["music:A/T"])
  }

  @Test func `an episode without names is its URI`() throws {
    let text = """
      [{"ts":"2024-01-01T00:00:10Z","ms_played":10000,"spotify_episode_uri":"spotify:episode:x",
      "episode_name":null,"spotify_track_uri":null,"master_metadata_track_name":null}]
      """
    let events = try ImportedHistory.events("spotify", "endsong_0.json", text)
    #expect(events.compactMap(\.item) == ["spotify:episode:x"])
    #expect(events.first?.domain.value == "media.podcasts")
    #expect(events.first?.time?.rfc3339 == "2024-01-01T00:00:00Z")
  }

  @Test func `names of nothing are no names`() throws {
    let play = #"{"ts":"2024-01-01T00:00:10Z","ms_played":1,"master_metadata_track_name":"","#
    let plays = "[\(play)\"spotify_track_uri\":\"spotify:track:a\"},\(play)\"episode_name\":\" \"}]"
    let heard = try ImportedHistory([(try MadeFile.file("e.json", plays), "spotify")])
    #expect(heard.events.compactMap(\.item) == ["spotify:track:a"])
    #expect(heard.malformed.count == 1)
    let listen = #"{"listened_at":1700000000,"track_metadata":{"artist_name":"A","track_name":""}}"#
    let listens = try ImportedHistory([(try MadeFile.file("l.jsonl", listen), "listenbrainz")])
    #expect(listens.events.isEmpty && listens.malformed.count == 1)
  }

  @Test func `a backup of Firefox is unpacked`() throws {
    // Made by the lz4 tool: {"title":"","children":[{…}]} with repeats.
    let document = """
      {"guid":"root________","title":"","root":"placesRoot","type":"text/x-moz-place-container",
      "children":[{"guid":"menu________","title":"menu","root":"bookmarksMenuFolder",
      "type":"text/x-moz-place-container","children":[{"title":"A","type":"text/x-moz-place",
      "uri":"https://a.example/","dateAdded":1700000000000000,"tags":"x,y"}]}]}
      """
    let path = try MadeFile.file(
      "bookmarks.jsonlz4", Data(LZ4Sample.backup(of: Array(document.utf8))))
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "firefox-json")
    let history = try ImportedHistory([(path, "firefox-json")])
    let plain = try ImportedHistory([(try MadeFile.file("b.json", document), "firefox-json")])
    #expect(history.events.count == 1 && history.ids == plain.ids)
    #expect(history.events.first?.attributes["bookmarkFolders"] == .array([.string("menu")]))
    let other = try ImportedHistory([(try MadeFile.file("c.json", #"{"a":1}"#), "firefox-json")])
    #expect(other.files.first?.failure?.code == .malformed)
  }

  @Test func `what came out of Google's archive is read as the archive is`() throws {
    let folder = try MadeFile.file("x", "") + "-in/Takeout"
    try MadeFile.shell(
      """
      mkdir -p '\(folder)/My Activity/Chrome' '\(folder)/Chrome' && cd '\(folder)' && ln -s .. loop
      echo '[{"header":"X","title":"Used X","time":"2024-01-01T00:00:00Z"}]' > 'My Activity/Chrome/a.json'
      echo '{"Browser History":[{"url":"https://a.example/","time_usec":1700000000000000}]}' \
        > Chrome/Verlauf.json
      echo '<html><head><title>T</title><style>.mdl-typography--x</style>' > 'My Activity/a.html'
      echo other > other.txt
      """)
    let history = try ImportedHistory([(folder, ArchivedHistories.name)])
    #expect(history.events.compactMap(\.item) == ["https://a.example/", "google:X/X"])
    // Pages of HTML cannot be read, and say what to ask for.
    #expect(history.failure?.message.contains("JSON") == true)
    for place in [folder, folder + "/.."] {
      let content = HistoryPlaces.look(
        in: place, archives: true, options: ImportedHistory.options)
      #expect(content.found.map { $0.format.name } == [ArchivedHistories.name])
    }
  }

  @Test func `tags in an old backup of Firefox are no bookmarks`() throws {
    let text = """
      {"root":"placesRoot","type":"text/x-moz-place-container","children":[
      {"root":"bookmarksMenuFolder","title":"m","type":"text/x-moz-place-container","children":[
      {"type":"text/x-moz-place","uri":"https://a.example/","title":"A","dateAdded":1700000000000000}]},
      {"root":"tagsFolder","title":"tags","type":"text/x-moz-place-container","children":[
      {"title":"red","type":"text/x-moz-place-container","children":[
      {"type":"text/x-moz-place","uri":"https://a.example/","dateAdded":1}]}]}]}
      """
    let events = try ImportedHistory.events("firefox-json", "b.json", text)
    #expect(events.map { $0.time?.seconds } == [1_700_000_000])
    #expect(events.first?.attributes["keywords"] == .array([.string("red")]))
    #expect(events.first?.attributes["bookmarkFolders"] == .array([.string("menu")]))
  }

  // MARK: Bookmarks

  @Test(arguments: ["\n", "\r\n", "\r\r\n"])
  func `returns before a newline are no part of a row, and those in quotes are`(
    newline: String
  ) throws {
    let rows = ["URL,Title,Selection,Folder,Timestamp", "https://a.example/,A,,x,1700000000", ""]
    let path = try MadeFile.file("instapaper.csv", rows.joined(separator: newline))
    let history = try ImportedHistory([(path, "instapaper-csv")])
    #expect(history.events.map { $0.time?.seconds } == [1_700_000_000])
    #expect(history.malformed.isEmpty)
    let table = try MadeFile.file("a.csv", "a,b\(newline)1,\"2\r\"\(newline)\"3\",4\(newline)")
    var reader = try CSVRows(ByteStream(path: table))
    let (first, second) = (try reader.next(), try reader.next())
    #expect(first?.fields == ["1", "2\r"] && second?.fields == ["3", "4"])
  }

  @Test func `a folder's name of Instapaper is one name, and any separator will do`() throws {
    let text = "URL;Title;Selection;Folder;Timestamp\nhttps://a.example/;A;;x/y;1700000000\n"
    let path = try MadeFile.file("instapaper.csv", text)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "instapaper-csv")
    let events = try ImportedHistory.events("instapaper-csv", "i.csv", text)
    #expect(events.first?.attributes["bookmarkFolders"] == .array([.string("x%2Fy")]))
  }

  @Test(arguments: ["pocket-csv", "fish", "bash", "takeout-chrome", "netscape", "ics", "recentf"])
  func `a file in UTF-16 is told to be one`(format: String) throws {
    let text = "title,url,time_added\nA,https://a.example/,1\n"
    var bytes: [UInt8] = [0xFF, 0xFE]
    for byte in text.utf8 { bytes += [byte, 0] }
    let history = try ImportedHistory([(try MadeFile.file("p.csv", Data(bytes)), format)])
    #expect(history.failure?.message.contains("-f UTF-16") == true)
  }

  @Test func `entities of HTML and Windows' numbers are read`() throws {
    let text =
      "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF=\"https://a.example/?a&copy=1&amp;b\">"
      + "&iacute;&yuml;&bdquo;&#128;&#x263A;&none;&alpha;&check; AT&T &copy 2026</A></DL>"
    let events = try ImportedHistory.events("netscape", "b.html", text)
    #expect(events.first?.text("title") == "íÿ„€☺&none;α✓ AT&T © 2026")
    #expect(events.first?.item == "https://a.example/?a&copy=1&b")
  }

  @Test func `a link without an address is refused`() throws {
    let text = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A ADD_DATE=1>none</A></DL>"
    let history = try ImportedHistory([(try MadeFile.file("b.html", text), "netscape")])
    #expect(history.events.isEmpty && history.malformed.count == 1)
  }

  @Test func `outlines and feeds are bookmarks`() throws {
    let opml = """
      <?xml version="1.0"?><opml version="2.0"><head><title>t</title></head><body>
      <outline text="Pods"><outline type="rss" text="Show" xmlUrl="https://a.example/feed"
      created="Tue, 14 Nov 2023 22:13:20 GMT" category="x, y"/></outline>
      <outline text="none"/></body></opml>
      """
    let outlines = try ImportedHistory.events("opml", "a.opml", opml)
    #expect(outlines.compactMap(\.item) == ["https://a.example/feed"])
    #expect(outlines.first?.time?.seconds == 1_700_000_000)
    #expect(outlines.first?.attributes["bookmarkFolders"] == .array([.string("Pods")]))
    #expect(outlines.first?.attributes["keywords"] == .array([.string("x"), .string("y")]))
    let atom = """
      <feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><title type="html">A &amp;lt;b&amp;gt;</title>
      <link rel="self" href="https://a.example/self"/><link href="https://a.example/"/>
      <updated>2024-01-01T00:00:00Z</updated><published>2023-11-14T22:13:20.5Z</published>
      <category term="x"/><summary>s</summary></entry></feed>
      """
    let feed = try ImportedHistory.events("atom", "a.atom", atom)
    #expect(feed.compactMap(\.item) == ["https://a.example/"])
    #expect(feed.first?.time?.microseconds == 1_700_000_000_500_000)
    #expect(feed.first?.text("contentDescription") == "s")
    #expect(throws: Never.self) { try ImportedHistory([(try MadeFile.file("x", "<a/>"), "opml")]) }
  }

  @Test func `a bookmark without a URL is refused, and the time 0 is none`() throws {
    let tree = """
      {"roots":{"other":{"type":"folder","children":[{"type":"url","name":"N"},
      {"type":"folder","name":"f","children":[{"type":"url","url":"https://a.example/"}]}]}}}
      """
    let path = try MadeFile.file("Bookmarks", tree)
    let history = try ImportedHistory([(path, "chromium-bookmarks")])
    #expect(history.malformed.count == 1 && history.events.count == 1)
    #expect(history.events.first?.attributes["bookmarkFolders"] == .array([.string("other/f")]))
    let pocket = try ImportedHistory.events(
      "pocket-csv", "p.csv", "title,url,time_added\nA,https://a.example/,0\n")
    #expect(pocket.map(\.isUntimed) == [true])
    let activity = #"[{"header":"X","title":"Used X","time":"1970-01-01T00:00:00Z"}]"#
    let old = try ImportedHistory([(try MadeFile.file("a.json", activity), "takeout-activity")])
    #expect(old.events.isEmpty && old.malformed.count == 1)
  }

  @Test func `an author's name may hold brackets`() throws {
    let text = """
      One (Two) (Three (Four))
      - Your Bookmark on page 1 | Added on Tuesday, 16 January 2024 22:00:00

      ==========

      """
    let events = try ImportedHistory.events("kindle", "My Clippings.txt", text)
    #expect(events.compactMap(\.item) == ["book:One%20%28Two%29"])
    #expect(events.first?.attributes["authorNames"] == .array([.string("Three (Four)")]))
  }
}
