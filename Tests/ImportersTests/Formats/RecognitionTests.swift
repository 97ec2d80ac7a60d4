import Events
import Foundation
import Testing

@testable import Importers

/// Files that are known by their content, as real exports begin.
@Suite struct RecognitionTests {
  /// What is read of a file whose format nobody told.
  private static func history(_ name: String, _ text: String) throws -> ImportedHistory {
    let path = try MadeFile.file(name, text)
    let file = try InputFile(path, options: ImportedHistory.options)
    let format = try #require(HistoryFormats.format(of: file), "\(name)")
    return try ImportedHistory([(path, format.name)])
  }

  @Test(arguments: ["Session", "Typed Url", "Shared Tab Group"])
  func `what a Takeout tells before the history of Chrome may be long`(section: String) throws {
    let other = #"{"title": "\#(String(repeating: "x", count: 1000))"}"#
    let others = Array(repeating: other, count: 300).joined(separator: ",\n")
    let visit = #"{"url": "https://a.example/", "time_usec": 1700000000123456}"#
    let text = "{\n  \"\(section)\": [\(others)],\n  \"Browser History\": [\(visit)]\n}"
    let history = try Self.history("History.json", text)
    #expect(history.events.map(\.time?.microseconds) == [1_700_000_000_123_456])
    // Older exports have these in a file of their own, which costs an archive nothing.
    let alone = try Self.history("Omnibox.json", "{\"\(section)\": [\(other)]}")
    #expect(alone.events.isEmpty && alone.malformed.isEmpty && alone.failure == nil)
  }

  @Test func `viminfo is known in the languages of Vim`() throws {
    let text = """
      # Diese viminfo-Datei wurde von Vim 9.0 erzeugt.
      # Bearbeitung ist bei Vorsicht erlaubt!

      # Viminfo version
      |1,4

      # Wert von 'encoding', als diese Datei geschrieben wurde
      *encoding=utf-8

      :wq
      |2,0,1700000000,,"wq"

      """
    #expect(try Self.history("viminfo", text).events.map(\.item) == ["vim::wq"])
    let windows = text.replacing("\n", with: "\r\n")
    #expect(try Self.history("_viminfo", windows).events.map(\.item) == ["vim::wq"])
  }

  @Test func `bookmarks of Google have no document type`() throws {
    let text = """
      <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
      <TITLE>Bookmarks</TITLE>
      <H1>Bookmarks</H1>
      <DL><p>
      <DT><H3 ADD_DATE="1523996194943160">Unlabeled</H3>
      <DL><p>
      <DT><A HREF="https://a.example/" ADD_DATE="1515515697780642">A</A>
      </DL><p>
      </DL><p>

      """
    let history = try Self.history("GoogleBookmarks.html", text)
    #expect(history.events.map(\.item) == ["https://a.example/"])
    #expect(history.events.map(\.time?.microseconds) == [1_515_515_697_780_642])
  }

  @Test func `the server of ActivityWatch in Rust tells what its export tells`() throws {
    let path = try MadeFile.database(
      "sqlite.db",
      """
      create table buckets(id integer primary key, name text, type text, client text,
        hostname text, created text, data_deprecated text, data text);
      create table events(id integer primary key, bucketrow, starttime, endtime, data text);
      insert into buckets values
        (1, 'aw-watcher-window_lap', 'currentwindow', 'c', 'lap', '', null, '{}'),
        (2, 'aw-watcher-afk_lap', 'afkstatus', 'c', 'lap', '', null, '{}');
      insert into events values
        (1, 1, 1700000000123456789, 1700000005623456789, '{"app":"Code","title":"x.py"}'),
        (2, 2, 1700000000000000000, 1700000005000000000, '{"status":"afk"}'),
        (3, 1, null, 1700000005000000000, '{"app":"Code","title":"y.py"}');
      """)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "aw-server-rust")
    let database = try ImportedHistory([(path, "aw-server-rust")])
    #expect(database.events.map(\.dwell) == [5.5])
    #expect(database.skipped == ["afkstatus": 1] && database.malformed.count == 1)
    let export = try Self.history(
      "export.json",
      """
      {"buckets": {"aw-watcher-window_lap": {"id": "aw-watcher-window_lap",
        "type": "currentwindow", "hostname": "lap", "events": [
        {"timestamp": "2023-11-14T22:13:20.123456789Z", "duration": 5.5,
          "data": {"app": "Code", "title": "x.py"}}]}}}
      """)
    #expect(export.ids == database.ids)
    #expect(export.events.map(\.oracleForm) == database.events.map(\.oracleForm))
  }

  @Test(arguments: [
    ("zsh_history", "ls\n"), ("old_zsh_history", "ls\n"),
    ("history", "ls\n: 1700000000:0;git status\n"),
  ])
  func `a copy of the history of zsh is one, also where stamps begin later`(
    name: String, text: String
  ) throws {
    let file = try InputFile(try MadeFile.file(name, text), options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "zsh")
  }

  @Test func `a session of xonsh as JSON tells what its database tells`() throws {
    let history = try Self.history(
      "xonsh-de16af90.json",
      """
      {"locs": [        69,       3371,       3451,       3978],
       "index": {"offsets":{"__total__":0,"cmds":[]},"sizes":{}},
       "data": {"cmds":[{"cwd":"/home/u","inp":"echo hello\\n","rtn":0,
      "ts":[1707193079.4782722,1707193079.4829233]},
      {"inp":"ls","rtn":1,"ts":[1707193080.5,null]},{"inp":"pwd","rtn":0}],
      "env":{"HOME":"/home/u"},"locked":false,"sessionid":"de16af90","ts":[1707193067.8,null]}
       }
      """)
    #expect(history.events.map(\.item) == ["shell:echo hello", "shell:ls"])
    #expect(
      history.events.map(\.time?.microseconds) == [1_707_193_079_478_272, 1_707_193_080_500_000])
    #expect(history.events.first?.oracleForm["attributes.duration"] == .number(0.004651))
    #expect(history.events.map(\.session) == ["de16af90", "de16af90"])
    #expect(history.malformed.count == 1)
    let path = try MadeFile.database(
      "xonsh-history.sqlite",
      """
      create table xonsh_history(inp text, rtn integer, tsb real, tse real, sessionid text,
        cwd text);
      insert into xonsh_history values
        ('echo hello\n', 0, 1707193079.4782722, 1707193079.4829233, 'de16af90', '/home/u');
      """)
    #expect(try ImportedHistory([(path, "xonsh")]).ids == Array(history.ids.prefix(1)))
  }

  @Test(arguments: [
    ("#1700000000\nls\n", "bash"), ("ls\n#17\n", "zsh"), (": 1700000000:0;ls\n", "zsh"),
  ]) func `what zsh calls its history may be one of bash`(text: String, format: String) throws {
    let file = try InputFile(
      try MadeFile.file(".histfile", text), options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == format)
  }

  @Test func `zsh-histdb tells a command's time, host and folder`() throws {
    let path = try MadeFile.database(
      "zsh-history.db",
      """
      create table commands(id integer primary key, argv text);
      create table places(id integer primary key, host text, dir text);
      create table history(id integer primary key, session int, command_id int, place_id int,
        exit_status int, start_time int, duration int);
      insert into commands values(1, 'make test');
      insert into places values(1, 'lap', '/home/u');
      insert into history values(1, 7, 1, 1, 2, 1700000000, 5), (2, 7, 1, 1, null, null, null),
        (3, 7, 9, 1, 0, 1700000001, 0);
      """)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "zsh-histdb")
    let history = try ImportedHistory([(path, "zsh-histdb")])
    #expect(history.events.map(\.item) == ["shell:make test"])
    #expect(history.events.first?.domain.value == "shell.lap")
    #expect(history.events.first?.time?.seconds == 1_700_000_000)
    #expect(history.events.first?.text("workingDirectory") == "/home/u")
    #expect(history.malformed.count == 2)
  }

  @Test func `a rank that aged to almost nothing is one`() throws {
    let history = try Self.history("fasd", "/home/u/a|8.5e-05|1700000000\n")
    #expect(history.events.map(\.item) == ["file:///home/u/a"])
  }

  @Test(
    arguments: [
      ("1700000000", 1_700_000_000_000_000), ("1700000000.25", 1_700_000_000_250_000),
      ("1700000000123", 1_700_000_000_123_000), ("2023-11-14T22:13:20Z", 1_700_000_000_000_000),
      ("0", nil), ("0.0", nil), ("", nil), ("-1", nil), ("nan", nil), ("1e300", nil),
    ] as [(String, Int64?)])
  func `the date of a bookmark in HTML is a number of seconds, a larger one, or a date`(
    text: String, time: Int64?
  ) throws {
    let history = try Self.history(
      "bookmarks.html",
      "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p><DT><A HREF=\"https://a.example/\" "
        + "ADD_DATE=\"\(text)\">A</A></DL>")
    #expect(history.events.count == 1)
    #expect(history.events.first?.isUntimed == (time == nil))
    if let time { #expect(history.events.first?.time?.microseconds == time) }
  }

  @Test(arguments: ["gzip", "xz"])
  func `a database is read also where it is packed`(tool: String) throws {
    let path = try MadeFile.database(
      "History",
      """
      create table urls(id integer primary key, url text, title text);
      create table visits(id integer primary key, url int, visit_time int, transition int);
      insert into urls values(1, 'https://a.example/', 'A');
      insert into visits values(1, 1, 13344473600000000, 805306368);
      """)
    try MadeFile.shell("\(tool) -c '\(path)' > '\(path).packed'")
    let file = try InputFile(path + ".packed", options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "chromium")
    let history = try ImportedHistory([(path + ".packed", "chromium")])
    #expect(history.events.map(\.time?.seconds) == [1_700_000_000])
  }

  private static func safari(_ pages: String) -> String {
    """
    {"metadata": {"browser_name": "Safari", "browser_version": "18.2", "data_type": "history",
    "export_time_usec": 1730156700763891, "schema_version": 1}, "history": [\(pages)]}
    """
  }

  @Test func `what Safari exports is a count and the latest visit of each page`() throws {
    let history = try Self.history(
      "History.json",
      Self.safari(
        """
        {"url": "http://a.example/", "time_usec": 1730134694000000, "visit_count": 1,
         "destination_url": "https://a.example/", "destination_time_usec": 1730134694100000},
        {"url": "https://a.example/", "title": "A", "time_usec": 1730134694123456,
         "visits_count": 3, "source_url": "http://a.example/", "latest_visit_was_http_get": true},
        {"url": "https://b.example/", "time_usec": 1730134695000000, "visit_count": 1,
         "latest_visit_was_load_failure": true},
        {"url": "about:blank", "time_usec": 1730134695000000, "visit_count": 1},
        {"url": "https://c.example/", "visit_count": 1}
        """))
    #expect(
      history.events.map { $0.oracleForm["transition"] }
        == ["redirect", "link", "auto"]
        .map { .text($0) })
    #expect(history.events.map(\.visitCount) == [1, 3, 1])
    #expect(
      history.events.map(\.time?.microseconds) == [
        1_730_134_694_000_000, 1_730_134_694_123_456, 1_730_134_695_000_000,
      ])
    #expect(history.events.map { $0.text("title") }.dropFirst().first == "A")
    #expect(history.events.allSatisfy { $0.source == "safari" })
    #expect(history.skipped == ["about:": 1] && history.malformed.count == 1)
    #expect(try Self.history("History.json", Self.safari("")).events.isEmpty)
  }

  @Test func `what Safari exports adds what its database did not tell`() throws {
    // 752,993,894.5 s after 2001 is 1,731,301,094.5.
    let path = try MadeFile.database(
      "History.db",
      """
      create table history_items(id integer primary key, url text);
      create table history_visits(id integer primary key, history_item, visit_time real, title);
      insert into history_items values(1, 'https://a.example/');
      insert into history_visits values(1, 1, 752993800.5, 'A'), (2, 1, 752993894.5, 'A');
      """)
    let database = try ImportedHistory([(path, "safari")])
    func export(_ time: Int64, _ count: Int) throws -> ImportedHistory {
      let page = #"{"url": "https://a.example/", "time_usec": \#(time), "visit_count": \#(count)}"#
      let file = try MadeFile.file("History.json", Self.safari(page))
      return try ImportedHistory([(file, "safari-export")], past: database.uses)
    }
    #expect(try export(1_731_301_094_500_000, 2).events.isEmpty)
    #expect(try export(1_731_301_099_000_000, 4).events.map(\.visitCount) == [2])
  }

  @Test func `counts of the profiles in one archive add up`() throws {
    let first = try MadeFile.file("x", "")
    let folder = String(first.dropLast(2)) + "/takeout"
    try MadeFile.shell("mkdir '\(folder)'")
    for (name, seconds, count) in [("a", 1_730_134_699, 4), ("b", 1_730_134_694, 9)] {
      let page = """
        {"url": "https://a.example/", "time_usec": \(seconds)000000, "visit_count": \(count)}
        """
      try Data(Self.safari(page).utf8).write(to: URL(filePath: "\(folder)/\(name).json"))
    }
    let archive = (path: folder, format: ArchivedHistories.name)
    let history = try ImportedHistory([archive])
    #expect(history.events.map(\.visitCount) == [9, 4])
    #expect(try ImportedHistory([archive], past: history.uses).events.isEmpty)
    #expect(try ImportedHistory([archive, archive]).events.count == 2)
  }
}
