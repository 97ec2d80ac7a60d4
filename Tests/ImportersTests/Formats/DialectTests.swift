import Events
import Foundation
import Testing

@testable import Importers

/// The same format as more than one program writes it.
@Suite struct DialectTests {
  @Test func `fields of a log of CloudFront are parted by tabs`() throws {
    let text = """
      #Version: 1.0
      #Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query
      2019-12-04\t21:02:31\t192.0.2.1\tGET\t/a/b.html\t200\tMozilla/5.0%20(X)\tq=1
      2019-12-04 21:02:32 192.0.2.1 GET /c.html 304 - -

      """
    let history = try ImportedHistory([(try MadeFile.file("cf.log", text), "w3c")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.compactMap(\.item) == ["/a/b.html?q=1", "/c.html"])
    #expect(history.events.map(\.actor) == ["192.0.2.1", "192.0.2.1"])
  }

  @Test func `fields of a log that stand in quotes hold blanks and quotes`() throws {
    let text = #"""
      #Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query
      2024-01-01 10:00:05 10.0.0.1 GET "/0.html" 200 "x" ""
      2024-01-01 10:00:00 10.0.0.1 GET /a.html 200 "Mozilla/5.0 (""X"") rv:1 """ -
      2024-01-01 10:00:01 10.0.0.1 GET "/b c.html" 200 "" "q=1"
      2024-01-01 10:00:02 10.0.0.1 GET /d.html 200 "x" -
      2024-01-01 10:00:03 10.0.0.1 GET /e.html 200 "never ends -
      2024-01-01 10:00:04 10.0.0.1 GET /f.html 200 never ends -

      """#
    let history = try ImportedHistory([(try MadeFile.file("tomcat.log", text), "w3c")])
    #expect(
      history.events.compactMap(\.item) == ["/a.html", "/b c.html?q=1", "/d.html", "/0.html"])
    #expect(history.malformed.count == 2)
  }

  @Test func `a session of IPython began when the clock of its zone showed so`() throws {
    let path = try MadeFile.database(
      "history.sqlite",
      """
      create table sessions(session integer primary key, start timestamp);
      create table history(session integer, line integer, source text, source_raw text);
      insert into sessions values(1, '2024-07-01 10:00:00.5'), (2, '2024-07-01 10:00:00+00:00');
      insert into history values(1, 1, 'a', 'a'), (2, 1, 'b', 'b');
      """)
    var options = ImportedHistory.options
    options.zone = try #require(TimeZone(named: "Europe/Berlin"))
    let history = try ImportedHistory([(path, "ipython")], options: options)
    #expect(
      history.events.compactMap(\.time?.rfc3339)
        == ["2024-07-01T08:00:00.500Z", "2024-07-01T10:00:00Z"])
    // Wherever it is imported again, it is known.
    #expect(try ImportedHistory([(path, "ipython")]).ids.count == 2)
    #expect(Set(try ImportedHistory([(path, "ipython")]).ids) == Set(history.ids))
  }

  @Test func `a path of Windows is that of its address`() throws {
    let events = try ImportedHistory.events(
      "activitywatch", "export.json",
      #"""
      {"buckets":{"e":{"type":"app.editor.activity","hostname":"h","events":[
      {"timestamp":"2024-01-01T00:00:00Z","duration":1,"data":{"file":"c:\\Users\\A B\\x.py"}}]}}}
      """#)
    #expect(events.map(\.item) == ["file:///c:/Users/A%20B/x.py"])
    #expect(events.map(\.domain) == [.value("files.c:.Users.A B")])
    let saved = try MadeFile.file(
      "entries.json",
      #"{"resource":"file:///c%3A/Users/A%20B/x.py","entries":[{"id":"a","timestamp":1700000000000}]}"#
    )
    #expect(try ImportedHistory([(saved, "vscode")]).events.map(\.item) == events.map(\.item))
    let jumps = try MadeFile.file("z", "C:/a|1|1700000000\n\\\\server\\a|1|1700000000\nC:a|1|1\n")
    let history = try ImportedHistory([(jumps, "z")])
    #expect(history.events.map(\.item) == ["file:///C:/a"] && history.malformed.count == 2)
  }

  @Test(arguments: [false, true])
  func `what the extended history of Spotify has is not taken from the short one, too`(
    isShortFirst: Bool
  ) throws {
    func long(_ time: String) -> String {
      #"{"ts":"\#(time)Z","ms_played":1000,"master_metadata_track_name":"A","#
        + #""master_metadata_album_artist_name":"B","spotify_track_uri":"spotify:track:a"}"#
    }
    func short(_ time: String) -> String {
      #"{"endTime":"\#(time)","artistName":"B","trackName":"A","msPlayed":1000}"#
    }
    var files = [
      (
        try MadeFile.file(
          "long.json", "[\(long("2024-01-02T10:11:30")),\(long("2024-02-02T10:11:30")),{}]"),
        "spotify"
      ),
      (
        try MadeFile.file(
          "short.json",
          "[\(short("2024-01-02 10:11")),\(short("2024-02-02 10:11")),"
            + "\(short("2024-03-02 10:11"))]"), "spotify"
      ),
    ]
    if isShortFirst { files.reverse() }
    let history = try ImportedHistory(files)
    #expect(
      history.events.map { $0.time?.rfc3339 } == [
        "2024-01-02T10:11:29Z", "2024-02-02T10:11:29Z", "2024-03-02T10:10:59Z",
      ])
    #expect(history.skipped == ["in the extended history": 2])
    #expect(try ImportedHistory([files[isShortFirst ? 0 : 1]]).events.count == 3)
    // What a file between two of the extended one tells is not there.
    files.append((try MadeFile.file("later.json", "[\(long("2024-04-02T10:11:30"))]"), "spotify"))
    #expect(try ImportedHistory(files).skipped == ["in the extended history": 2])
  }

  @Test(arguments: [false, true])
  func `a play that one export of Spotify told comes from the other no more`(isShortFirst: Bool)
    throws
  {
    let long = #"{"ts":"2024-01-02T10:11:30Z","ms_played":90000,"platform":"p","#
    let named = #""master_metadata_album_artist_name":"A","master_metadata_track_name":"#
    let short = #"{"endTime":"2024-01-02 10:11","artistName":"A, B","msPlayed":90000,"trackName":"#
    // Heard twice, of which one export has a part, and something else of the same minute.
    let texts = [
      "[\(long)\(named)\"One\"},\(long)\(named)\"Two\"},\(long)\(named)\"Two\"}]",
      "[\(short)\"Two\"},\(short)\"Three\"}]",
    ]
    let paths = [
      try MadeFile.file("long.json", texts[0]), try MadeFile.file("short.json", texts[1]),
    ]
    let order = isShortFirst ? [1, 0] : [0, 1]
    let first = try ImportedHistory([(paths[order[0]], "spotify")])
    let second = try ImportedHistory(
      [(paths[order[1]], "spotify"), (paths[order[1]], "spotify")], past: first.uses)
    #expect(second.skipped["told by the other export"] == 2, "once for each copy")
    let new = isShortFirst ? ["One", "Two"] : ["Three"]
    #expect(Set(second.events.compactMap { $0.text("title") }) == Set(new))
    #expect(Set(second.ids).count == new.count)
  }

  @Test func `a rank of z has the comma of who used it`() throws {
    let path = try MadeFile.file("old", "/a|2,97|1700000000\n/b|12|1700000001\n")
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "z")
    let history = try ImportedHistory([(path, "z")])
    #expect(history.events.map(\.visitCount) == [3, 12] && history.malformed.isEmpty)
  }

  @Test func `a book is heard in the short history of Spotify, too`() throws {
    let text = """
      [{"endTime":"2024-01-02 10:11","authorName":"Ann","audiobookName":"Tides",
      "chapterName":"One","msPlayed":60000}]
      """
    let history = try ImportedHistory([(try MadeFile.file("heard.json", text), "spotify")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.compactMap(\.item) == ["book:Tides"])
    #expect(history.events.map { $0.time?.rfc3339 } == ["2024-01-02T10:10:00Z"])
  }

  @Test func `a chapter of a book without names is heard by its address`() throws {
    let text = """
      [{"ts":"2024-01-02T10:11:00Z","ms_played":60000,"audiobook_title":null,
      "audiobook_chapter_uri":"spotify:episode:7"}]
      """
    let history = try ImportedHistory([(try MadeFile.file("heard.json", text), "spotify")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.compactMap(\.item) == ["spotify:episode:7"])
    #expect(history.events.map(\.domain) == [.value("media.books")])
  }

  @Test(arguments: [
    (#"cut \ud83d"#, "cut \u{FFFD}"), (#"\ude00 \ud83d\ude00"#, "\u{FFFD} 😀"),
    (#"\\ud83d"#, #"\ud83d"#), (#"\ud83dx\u0041"#, "\u{FFFD}xA"),
  ]) func `half a character at the end of a title costs no record`(json: String, title: String)
    throws
  {
    let text = #"[{"url":"https://a.example/","dt":1700000000,"metadata":{"title":"\#(json)"}}]"#
    let history = try ImportedHistory([(try MadeFile.file("b.json", text), "browserexport")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.map { $0.text("title") } == [title])
  }

  @Test func `the likes and the account in an archive of Mastodon are no posts`() throws {
    let likes = #"{"@context":"x","orderedItems":["https://a"]}"#
    let history = try ImportedHistory([(try MadeFile.file("likes.json", likes), "outbox")])
    #expect(history.malformed.isEmpty && history.failure == nil)
    #expect(history.skipped == ["address without an act": 1])
    let actor = #"{"@context":["https://www.w3.org/ns/activitystreams"],"type":"Person"}"#
    let path = try MadeFile.file("actor.json", actor)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file) == nil)
  }

  @Test(arguments: [
    ("a < b", "a < b"), ("<p>x</p>1 &lt; 2", "x 1 < 2"), ("<p>un<b", "un<b"),
    ("<p>\u{301}a</p><br>\u{301}b", "\u{301}a \u{301}b"),
  ]) func `the text of a post is said once, whatever it begins and ends with`(
    html: String, text: String
  ) throws {
    let post = """
      {"orderedItems":[{"type":"Create","published":"2024-01-01T00:00:00Z",
      "object":{"id":"https://a.example/1","content":"\(html)"}}]}
      """
    let history = try ImportedHistory([(try MadeFile.file("outbox.json", post), "outbox")])
    #expect(history.events.map { $0.text("textContent") } == [text])
  }

  @Test(arguments: [
    ("listenbrainz", #"{"listened_at":1,"track_metadata":{"artist_name":"A","track_name":"#),
    ("browserexport", #"{"dt":1700000000,"metadata":{},"url":"https://a.example/"#),
    ("cloudtrail", #"{"eventSource":"a","eventTime":"2024-01-01T00:00:00Z","eventName":"#),
  ])
  func `a line of JSON that was cut off costs no other`(format: String, head: String) throws {
    let ends = ["listenbrainz": #""x"}}"#, "browserexport": #"x"}"#, "cloudtrail": #""x"}"#]
    let whole = head + (ends[format] ?? "") + "\n"
    // So long that those after the first stand in other pieces of the file.
    let first = whole + String(repeating: " ", count: 1 << 18) + "\n"
    for cut in [head, String(head.dropLast(12)), "x"] {
      let text = first + cut + "\n" + whole + cut + "\n" + whole
      let history = try ImportedHistory([(try MadeFile.file("x.jsonl", text), format)])
      #expect(history.files.map(\.events) == [format == "browserexport" ? 1 : 3], "\(cut)")
      #expect(history.malformed.count == 2 && history.failure == nil, "\(history.malformed)")
    }
  }

  @Test func `an export of wallabag is known whatever its first article's length`() throws {
    let content = String(repeating: "x", count: 1 << 18)
    let text =
      #"[{"is_archived":0,"is_starred":0,"title":"T","url":"https://a.example/","#
      + #""content":"\#(content)","created_at":"2024-01-01T00:00:00+0000"}]"#
    let file = try InputFile(
      try MadeFile.file("w.json", text), options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "wallabag-json")
  }

  @Test func `a hundred lines that were cut off cost no other`() throws {
    let lines = (1_700_000_000..<1_700_000_100).map { time -> String in
      let cut = #"{"dt":\#(time),"metadata":{},"url":"https://a.example/"#
      return cut + "\"}\n" + cut + "\n"
    }
    let path = try MadeFile.file("x.jsonl", lines.joined())
    let history = try ImportedHistory([(path, "browserexport")])
    #expect(history.events.count == 100 && history.malformed.count == 100)
    #expect(history.failure == nil)
    let cut = #"{"dt":1700000007,"metadata":{},"url":"https://a.example/"#
    #expect(history.refused.dropFirst(7).first == cut)
  }

  @Test func `lines that were cut off are kept, also the first ones and long ones`() throws {
    let whole = #"{"listened_at":1,"track_metadata":{"artist_name":"A","track_name":"B"}}"#
    let cut = String(whole.dropLast(20))
    let long = cut + String(repeating: "x", count: 1 << 18)
    let lines =
      Array(repeating: cut, count: 70) + [whole, "junk", "junk", long, "", whole, long]
    let path = try MadeFile.file("x.jsonl", lines.joined(separator: "\n"))
    let history = try ImportedHistory([(path, "listenbrainz")])
    #expect(history.files.map(\.events) == [2] && history.failure == nil)
    #expect(history.refused == lines.filter { $0 != whole && !$0.isEmpty })
  }

  @Test func `objects that go on in other lines are read one after the other`() throws {
    let objects = (1...2).map { number in
      "{\n\"dt\": 170000000\(number),\n\"metadata\":\n{\n},\n\"url\": \"https://a.example/\"\n}\n"
    }
    let path = try MadeFile.file("x.jsonl", objects.joined())
    let history = try ImportedHistory([(path, "browserexport")])
    #expect(history.events.count == 2 && history.malformed.isEmpty, "\(history.malformed)")
  }

  @Test func `a line that was cut off ends in no bracket of another's text`() throws {
    func line(_ number: Int, _ title: String) -> String {
      #"{"dt":170000000\#(number),"metadata":{"title":"\#(title)"},"#
        + #""url":"https://a.example/\#(number)"}"#
    }
    let lines = [line(1, "a"), String(line(2, "b").dropLast(9)), line(3, "c }"), line(4, "d")]
    let path = try MadeFile.file("x.jsonl", lines.joined(separator: "\n") + "\n")
    let history = try ImportedHistory([(path, "browserexport")])
    #expect(history.events.compactMap { $0.text("title") } == ["a", "c }", "d"])
    #expect(history.malformed.count == 1 && history.failure == nil, "\(history.malformed)")
  }

  @Test func `a record of apt that was cut off takes no package of the next`() throws {
    let text = """
      Start-Date: 2019-07-10  16:38:08
      Install: a:amd64 (1), b:am
      Start-Date: 2019-07-11  16:38:08
      Install: c:amd64 (1)
      """
    let history = try ImportedHistory([(try MadeFile.file("history.log", text), "apt")])
    #expect(history.events.compactMap(\.item) == ["package:a:amd64", "package:c:amd64"])
    #expect(
      history.events.compactMap { $0.time?.rfc3339 }
        == ["2019-07-10T16:38:08Z", "2019-07-11T16:38:08Z"])
    #expect(history.malformed.count == 1)
  }

  @Test func `lines of bash may end as those of Windows do`() throws {
    let text = "head\r\n#1700000000\r\nfor x\r\n\r\ndone\r\n#1700000005\r\nid"
    let path = try MadeFile.file("h", text)
    let history = try ImportedHistory([(path, "bash")])
    #expect(history.events.compactMap(\.item) == ["shell:head", "shell:for x\ndone", "shell:id"])
    #expect(
      history.events.map { $0.time?.seconds } == [1_700_000_000, 1_700_000_000, 1_700_000_005])
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "bash")
  }

  @Test func `lists of folders may end their lines as those of Windows do`() throws {
    for (format, text) in [("z", "/a|2|1700000000\r\n\r\n"), ("autojump", "14.1\t/a\r\n\r\n")] {
      let history = try ImportedHistory([(try MadeFile.file("h", text), format)])
      #expect(history.events.compactMap(\.item) == ["file:///a"], "\(history.malformed)")
    }
  }

  @Test func `a history of apt may end its lines as those of Windows do`() throws {
    let text = "Start-Date: 2024-01-02  03:04:05\r\nInstall: a:all (1)\r\n\r\n"
    let history = try ImportedHistory([(try MadeFile.file("history.log", text), "apt")])
    #expect(history.malformed.isEmpty, "\(history.malformed)")
    #expect(history.events.map(\.item) == ["package:a:all"])
  }

  @Test(arguments: [
    ("Monday, 1 January 24 22:00:00", "2024-01-01T22:00:00Z"),
    ("Saturday, 29 April 17 21:23:29 GMT-02:23", "2017-04-29T23:46:29Z"),
    ("Saturday, 29 April 17 12:23:29 GMT+01:00", "2017-04-29T11:23:29Z"),
    ("Monday, November 14, 2011, 12:24 AM", "2011-11-14T00:24:00Z"),
  ]) func `a Kindle may write two digits of a year, and its zone`(added: String, time: String)
    throws
  {
    let text = "Book\n- Your Bookmark on Location 5 | Added on \(added)\n\n\n==========\n"
    let history = try ImportedHistory([(try MadeFile.file("My Clippings.txt", text), "kindle")])
    #expect(history.events.map { $0.time?.rfc3339 } == [time], "\(history.malformed)")
  }

  @Test func `a Kindle that writes GMT alone is told nothing by the zone`() throws {
    let text =
      "Book\n- Your Note on page 5 | Added on Sunday, 1 July 18 12:00:00 GMT\n\nx\n==========\n"
    let zone = Importers.TimeZone(named: "Europe/Berlin")
    var options = ImportedHistory.options
    options.zone = try #require(zone)
    let path = try MadeFile.file("My Clippings.txt", text)
    let history = try ImportedHistory([(path, "kindle")], options: options)
    #expect(history.events.map { $0.time?.rfc3339 } == ["2018-07-01T12:00:00Z"])
  }

  @Test func `a file that was never visited was used when it was changed`() throws {
    let text = """
      <xbel version="1.0"><bookmark href="file:///a" added="2024-01-01T00:00:00Z"
      modified="2024-01-02T00:00:00Z" visited="1969-12-31T23:59:59Z"/></xbel>
      """
    let history = try ImportedHistory([(try MadeFile.file("recently-used.xbel", text), "xbel")])
    #expect(history.events.map { $0.time?.rfc3339 } == ["2024-01-02T00:00:00Z"])
  }

  @Test func `what nobody can have looked at for so long is no attention`() throws {
    let path = try MadeFile.database(
      "History",
      """
      create table urls(id integer primary key, url, title);
      create table visits(id integer primary key, url, visit_time, transition);
      create table context_annotations(visit_id, total_foreground_duration);
      insert into urls values(1, 'https://a.example/', 'Title');
      insert into visits values(1, 1, 13344473600000000, 0), (2, 1, 13344473600000001, 0);
      insert into context_annotations values(1, 2500000), (2, 4611686018427387904);
      """)
    #expect(try ImportedHistory([(path, "chromium")]).events.map(\.dwell) == [2.5, nil])
  }

  @Test func `an artist's name may begin as the head of a scrobbler log does`() throws {
    let text = "#AUDIOSCROBBLER/1.1\n#TZ/UTC\n#1 Dads\tAlbum\tSong\t1\t200\tL\t1700000000\t\n"
    let history = try ImportedHistory([(try MadeFile.file("s.log", text), "scrobbler-log")])
    #expect(history.events.compactMap(\.item) == ["music:%231%20Dads/Song"])
  }

  @Test func `a mark at the beginning of a name is of no character before it`() throws {
    let folder = "files.home.mira.\u{301}a"
    let path = "/home/mira/\u{301}a/\u{301}b"
    let folders = try ImportedHistory([(try MadeFile.file(".z", path + "|1|1700000000\n"), "z")])
    let database = try MadeFile.database(
      "database",
      """
      create table ResourceInfo(targettedResource, title, mimetype);
      create table ResourceEvent(usedActivity, initiatingAgent, targettedResource, start, end);
      insert into ResourceEvent values('a', 'b', '\(path)', 1700000000, null);
      insert into ResourceEvent values('a', 'b', '/\u{301}c', 1700000001, null);
      """)
    let desktop = try ImportedHistory([(database, "kactivities")])
    #expect(folders.events.map(\.domain.value) == [folder])
    #expect(folders.events.map { $0.text("title") } == ["\u{301}b"])
    #expect(desktop.events.map(\.domain.value) == [folder, "files"])
    #expect(desktop.events.map { $0.text("title") } == ["\u{301}b", "\u{301}c"])
    let lines = try MadeFile.file("history.txt", "echo <\\n>\u{301}x\n")
    let commands = try ImportedHistory([(lines, "nushell-text")])
    #expect(commands.events.compactMap(\.item) == ["shell:echo \n\u{301}x"])
  }

  @Test(arguments: [1, 2, 5]) func `records of logins are longer on ARM`(count: Int) throws {
    var bytes: [UInt8] = []
    for number in 1...UInt8(count) {
      var record = [UInt8](repeating: 0, count: 400)
      record[0] = 7
      record.replaceSubrange(44..<47, with: "ann".utf8)
      record.replaceSubrange(344..<352, with: [number, 0xF1, 0x53, 0x65, 0, 0, 0, 0])
      record[352] = 5
      bytes += record
    }
    let path = try MadeFile.file("wtmp", Data(bytes))
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "utmp")
    let history = try ImportedHistory([(path, "utmp")])
    #expect(history.malformed.isEmpty && history.skipped.isEmpty)
    #expect(
      history.events.compactMap { $0.time?.microseconds }
        == (1...Int64(count)).map { (1_700_000_000 + $0) * 1_000_000 + 5 })
  }

  @Test func `a mark at the beginning of a title leaves the verb before it one`() throws {
    // A joiner is of one character with the blank before it.
    let text = #"[{"header":"Search","title":"Visited \u200cX","time":"2024-01-02T10:11:00Z"}]"#
    let history = try ImportedHistory([(try MadeFile.file("a.json", text), "takeout-activity")])
    #expect(history.events.map { $0.text("title") } == ["\u{200C}X"])
  }

  @Test func `the time 0 in a history of zsh is none`() throws {
    let text = ": 0:0;old\n: 1700000000:0;new\n: 0:0;old\n: -5:0;never\n"
    let history = try ImportedHistory([(try MadeFile.file(".zsh_history", text), "zsh")])
    #expect(history.events.compactMap(\.item) == ["shell:old", "shell:new", "shell:old"])
    #expect(history.events.map { $0.time?.seconds } == Array(repeating: 1_700_000_000, count: 3))
    #expect(history.malformed.count == 1 && Set(history.ids).count == 3)
    let bare = try ImportedHistory([(try MadeFile.file("h", ": 0:0;old\n"), "zsh")])
    #expect(bare.events.map(\.isUntimed) == [true])
  }

  @Test func `a path of editors is its bytes, whatever the texts beside it are in`() throws {
    let viminfo = """
      # This viminfo file was generated by Vim 9.0.
      |2,0,1700000000,,"edit gr\u{FC}n"
      |4,48,1,0,1700000001,"/h/caf\u{E9}"
      > /h/caf\u{E9}
      \t*\t1700000001\t0

      """
    let emacs = "(setq recentf-list '(\"/h/caf\u{E9}\" \"/h/x\"))"
    for (name, text, items) in [
      ("viminfo", viminfo, ["vim::edit grün", "file:///h/caf%E9"]),
      ("recentf", emacs, ["file:///h/x", "file:///h/caf%E9"]),
    ] {
      let bytes = Data(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      let history = try ImportedHistory([(try MadeFile.file(name, bytes), name)])
      #expect(history.malformed.isEmpty)
      #expect(history.events.compactMap(\.item) == items)
    }
    let path: [UInt8] = [0xC4, 7] + Array("/h/caf".utf8) + [0xE9]
    let mark: [UInt8] = [0x81, 0xA1, 0x66] + path
    let shada = Data([7, 0xCE, 0x65, 0x53, 0xF1, 0x00, UInt8(mark.count)] + mark)
    let marks = try ImportedHistory([(try MadeFile.file("main.shada", shada), "shada")])
    #expect(marks.events.compactMap(\.item) == ["file:///h/caf%E9"])
    let other = try MadeFile.file("other.shada", "SQLite format 3 and more of it")
    #expect(try ImportedHistory([(other, "shada")]).files.first?.failure != nil)
  }

  @Test func `what an editor calls by an address, or not at all, is no fault`() throws {
    let text = """
      # This viminfo file was generated by Vim 9.0.
      |4,48,1,0,1700000000,"fugitive:///h/.git//0/a"
      |4,48,1,0,1700000001,"https://a.example/x"
      |4,48,1,0,1700000002,"a.txt"

      """
    let vim = try ImportedHistory([(try MadeFile.file("viminfo", text), "viminfo")])
    #expect(vim.events.compactMap(\.item) == ["https://a.example/x"])
    #expect(vim.skipped == ["fugitive:": 1] && vim.malformed.count == 1)
    let seen = ["unknown", "", "/a", "a"].map {
      #"{"timestamp":"2024-01-01T00:00:00Z","duration":0,"data":{"file":"\#($0)"}}"#
    }.joined(separator: ",")
    let bucket = #""type":"app.editor.activity","hostname":"h""#
    let export = #"{"buckets":{"b":{\#(bucket),"events":[\#(seen)]}}}"#
    let watched = try ImportedHistory([(try MadeFile.file("e.json", export), "activitywatch")])
    #expect(watched.events.compactMap(\.item) == ["file:///a"])
    #expect(watched.skipped == ["no file": 2] && watched.malformed.count == 1)
  }

  @Test func `a second export behind the first is not passed over in silence`() throws {
    let text = #"[{"ts":"2024-01-02T10:11:00Z","ms_played":1000,"spotify_track_uri":"spotify:1"}]"#
    let history = try ImportedHistory([(try MadeFile.file("s.json", text + text), "spotify")])
    #expect(history.events.count == 1)
    #expect(history.malformed.map { $0.contains("after the end") } == [true])
    let spaced = try ImportedHistory([(try MadeFile.file("s.json", text + " \n\n"), "spotify")])
    #expect(spaced.events.count == 1 && spaced.malformed.isEmpty)
  }

  @Test func `a name with properties does not end the list of Emacs`() throws {
    let text = """
      (setq recentf-list
            '(
              "/home/a/(one).txt"
              #("/home/a/two.txt" 0 5 (face bold help-echo "tip"))
              "/home/a/three.txt"
              ))

      (setq recentf-filter-changer-current 'nil "/home/a/none")
      """
    let history = try ImportedHistory([(try MadeFile.file("recentf", text), "recentf")])
    #expect(history.malformed.isEmpty)
    #expect(
      history.events.compactMap(\.item) == [
        "file:///home/a/three.txt", "file:///home/a/two.txt", "file:///home/a/(one).txt",
      ])
  }

  @Test(arguments: [("\n", 1), ("\n  \"/home/a/tw", 1), ("))", 0), (" \"/home/b\"))", 0)])
  func `a list of Emacs that was cut off is told of`(end: String, count: Int) throws {
    let text = "(setq recentf-list '(\n  \"/home/a/one\"" + end
    let history = try ImportedHistory([(try MadeFile.file("recentf", text), "recentf")])
    #expect(history.events.last?.item == "file:///home/a/one")
    #expect(history.malformed.count == count, "\(history.malformed)")
  }

  @Test func `a stream of a Mac without a name is left out for a reason that has one`() throws {
    let path = try MadeFile.database(
      "knowledgeC.db",
      "create table ZOBJECT(ZSTREAMNAME); insert into ZOBJECT values(null), ('/a');")
    let history = try ImportedHistory([(path, "knowledgec")])
    #expect(history.skipped == ["/a": 1, "for other reasons": 1])
  }
}
