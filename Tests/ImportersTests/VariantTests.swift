import Events
import Foundation
import Testing

@testable import Importers

/// Shapes that the producing programs write and our samples do not show.
@Suite struct VariantTests {
  private static func events(_ format: String, _ name: String, _ text: String) throws -> [Event] {
    try ImportedHistory([(try MadeFile.file(name, text), format)]).events
  }

  // MARK: Shells

  @Test func `a stamp of bash that is none ends the command before it`() throws {
    let text = "head\n#1700000000\nls\n#99999999999999999999\npwd\n#1700000005\nid\n"
    let history = try ImportedHistory([(try MadeFile.file("h", text), "bash")])
    #expect(
      history.events.compactMap(\.item) == ["shell:head", "shell:ls", "shell:pwd", "shell:id"])
    #expect(
      history.events.map { $0.time?.seconds } == [
        1_700_000_000, 1_700_000_000, 1_700_000_000, 1_700_000_005,
      ])
    #expect(history.malformed.count == 1)
  }

  @Test func `lines of zsh before the first stamp take its time, marked bytes and all`() throws {
    // é is C3 A9; zsh writes 83 E3 for a byte that is C3 … where it is one of its marks.
    var bytes = Data(
      "first\n\\:second\n: 1700000000:0;echo \\\\\\\nmore \\ \n: 1700000001:5;a;b\n".utf8)
    bytes.append(contentsOf: Array(": 1700000002:0;echo ".utf8) + [0x83, 0xB6, 0x0A])
    let history = try ImportedHistory([(try MadeFile.file("h", bytes), "zsh")])
    // 0x96 alone is no UTF-8.
    #expect(history.malformed.count == 1)
    #expect(
      history.events.compactMap(\.item) == [
        "shell:first", "shell::second", "shell:echo \\\\\nmore \\", "shell:a;b",
      ])
    #expect(
      history.events.map { $0.time?.seconds } == [
        1_700_000_000, 1_700_000_000, 1_700_000_000, 1_700_000_001,
      ])
  }

  @Test func `blanks at the end of a command of fish stay, marks of fish 1 go`() throws {
    let text = """
      - cmd: touch a\\\\ \n  when: 1700000000
        paths:
          - a\\\\ b \n- cmd: - cmd: - cmd: old
        when: 1700000001

      """
    let events = try Self.events("fish", "fish_history", text)
    #expect(events.compactMap(\.item) == ["shell:touch a\\ ", "shell:old"])
    #expect(events.first?.attributes["paths"] == .array([.string("a\\ b ")]))
  }

  @Test func `equal lines are told apart across times and files, the same each time`() throws {
    let text = "ls\nls\npwd\nls\n"
    let stamped = "#1700000000\nls\n#1700000000\nls\n#1700000001\nls\n"
    let paths = try [("a", text), ("b", stamped)].map { try MadeFile.file($0.0, $0.1) }
    let one = try ImportedHistory(paths.map { ($0, "bash") })
    let other = try ImportedHistory(paths.reversed().map { ($0, "bash") })
    #expect(one.events.count == 7 && Set(one.ids).count == 7)
    #expect(Set(one.ids) == Set(other.ids))
    let longer = try MadeFile.file("c", text + "ls\n")
    let again = try ImportedHistory([(longer, "bash")])
    #expect(Set(again.ids).subtracting(one.ids).count == 1)
  }

  // MARK: The desktop

  // MARK: Databases

  @Test func `a damaged page costs the rows in it and no others`() throws {
    let path = try MadeFile.file("places.sqlite", Data())
    try MadeFile.database(
      path,
      """
      create table moz_places(id integer primary key, url, title);
      create table moz_historyvisits(id integer primary key, place_id, from_visit, visit_date,
        visit_type);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)
        insert into moz_places select i, 'https://a.example/' || i, 'T' from n;
      insert into moz_historyvisits select id * 3, id, 0, 1700000000000000 + id, 1 from moz_places;
      """)
    var bytes = try Data(contentsOf: URL(filePath: path))
    // A leaf of the last table made, in the middle of the file's second half.
    let pageCount = bytes.count / 4096
    let page = pageCount * 7 / 8
    try #require(bytes[page * 4096] == 0x0D)
    for index in page * 4096..<page * 4096 + 4096 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: path))
    let history = try ImportedHistory([(path, "firefox")])
    #expect(history.failure == nil && history.malformed.count == 1)
    #expect(history.events.count > 2700 && history.events.count < 3000)
    #expect(history.events.last?.item == "https://a.example/3000")
  }

  @Test func `tables that a format does not need may be missing, and columns come and go`() throws {
    let samples = [
      (
        "qutebrowser",
        "create table History(url, atime); insert into History values "
          + "('https://a.example/', 1700000000);"
      ),
      (
        "falkon",
        "create table history(id integer primary key, url, title, date, count);"
          + "insert into history values (1, 'https://a.example/', 'A', 1700000000000, 3);"
      ),
      (
        "epiphany",
        "create table urls(id integer primary key, url, title);"
          + "create table visits(id integer primary key, url, visit_time, visit_type);"
          + "insert into urls values (1, 'https://a.example/', 'A');"
          + "insert into visits values (1, 1, 1700000000000000, 2);"
      ),
      (
        "nushell",
        "create table history(id integer primary key, command_line, start_timestamp);"
          + "insert into history values (1, 'ls', 1700000000000);"
      ),
      (
        "windows-timeline",
        "create table Activity(Id, AppId, ActivityType, StartTime, Payload);"
          + "insert into Activity values (x'01', '[{\"platform\":\"packageId\",\"application\":\"x\"}]',"
          + " 5, 1700000000, '{}');"
      ),
    ]
    for (format, script) in samples {
      let path = try MadeFile.file("database", Data())
      try MadeFile.database(path, script)
      let file = try InputFile(path, options: ImportedHistory.options)
      #expect(HistoryFormats.format(of: file)?.name == format)
      let history = try ImportedHistory([(path, format)])
      #expect(history.failure == nil, "\(format): \(String(describing: history.failure))")
      #expect(history.events.map { $0.time?.seconds } == [1_700_000_000], "\(format)")
    }
  }

  @Test func `a command without a host is of this machine`() throws {
    let path = try MadeFile.file("history.sqlite3", Data())
    try MadeFile.database(
      path,
      "create table history(id integer primary key, command_line, start_timestamp, hostname);"
        + "insert into history values (1, 'ls', 1700000000000, '');")
    let history = try ImportedHistory([(path, "nushell")])
    #expect(history.events.map { $0.domain.value } == ["shell.testhost"])
  }

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

  @Test func `listens come in the answer of the service, too`() throws {
    let listen =
      #"{"listened_at":1700000000,"track_metadata":{"artist_name":"A","track_name":"T"}}"#
    let text = #"{"payload":{"count":1,"latest_listen_ts":5,"listens":[\#(listen)]}}"#
    let events = try Self.events("listenbrainz", "listens.json", text)
    #expect(events.compactMap(\.item) == ["music:A/T"])
  }

  @Test func `an episode without names is its URI`() throws {
    let text = """
      [{"ts":"2024-01-01T00:00:10Z","ms_played":10000,"spotify_episode_uri":"spotify:episode:x",
      "episode_name":null,"spotify_track_uri":null,"master_metadata_track_name":null}]
      """
    let events = try Self.events("spotify", "endsong_0.json", text)
    #expect(events.compactMap(\.item) == ["spotify:episode:x"])
    #expect(events.first?.domain.value == "media.podcasts")
    #expect(events.first?.time?.rfc3339 == "2024-01-01T00:00:00Z")
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
  }

  // MARK: Calendars and bookmarks

  @Test func `a line of a calendar that is folded inside a character is whole`() throws {
    var text = Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Gr".utf8)
    text += [0xC3] + Array("\r\n ".utf8) + [0xBC] + Array("n\r\nCREATED:19000101T120000Z\r\n".utf8)
    text += Array("DTSTAMP:20240101T100000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    let history = try ImportedHistory([(try MadeFile.file("a.ics", Data(text)), "ics")])
    #expect(history.events.map { $0.text("title") } == ["Grün"])
    // Google writes 1900 where it does not know.
    #expect(history.events.first?.time?.rfc3339 == "2024-01-01T10:00:00Z")
  }

  @Test func `a folder's name of Instapaper is one name, and any separator will do`() throws {
    let text = "URL;Title;Selection;Folder;Timestamp\nhttps://a.example/;A;;x/y;1700000000\n"
    let path = try MadeFile.file("instapaper.csv", text)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "instapaper-csv")
    let events = try Self.events("instapaper-csv", "i.csv", text)
    #expect(events.first?.attributes["bookmarkFolders"] == .array([.string("x%2Fy")]))
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
    let outlines = try Self.events("opml", "a.opml", opml)
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
    let feed = try Self.events("atom", "a.atom", atom)
    #expect(feed.compactMap(\.item) == ["https://a.example/"])
    #expect(feed.first?.time?.microseconds == 1_700_000_000_500_000)
    #expect(feed.first?.text("contentDescription") == "s")
    #expect(throws: Never.self) { try ImportedHistory([(try MadeFile.file("x", "<a/>"), "opml")]) }
  }

  // MARK: Any format

  @Test func `what comes through a pipe is read as a file is`() throws {
    let path = try MadeFile.file("pipe", Data())
    let database = try MadeFile.file("database", Data())
    try MadeFile.database(
      database,
      "create table History(url, atime); insert into History values ('https://a.example/', 1700000000);"
    )
    try MadeFile.shell("rm '\(path)' && mkfifo '\(path)'")
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    writer.arguments = ["-c", "cat '\(database)' > '\(path)'"]
    try writer.run()
    let history = try ImportedHistory([(path, "qutebrowser")])
    writer.waitUntilExit()
    #expect(history.failure == nil && history.events.count == 1)
  }

  @Test func `reasons that a file makes up do not grow without end`() throws {
    var text = "["
    for number in 0..<500 {
      text += "{\"url\":\"s\(number)x:y\",\"dt\":1,\"metadata\":{}},"
    }
    text += "{\"url\":\"https://a.example/\",\"dt\":1700000000,\"metadata\":{}}]"
    let history = try ImportedHistory([(try MadeFile.file("d.json", text), "browserexport")])
    #expect(history.events.count == 1 && history.skipped.count <= 101)
    #expect(history.skipped.values.reduce(0, +) == 500)
  }
}
