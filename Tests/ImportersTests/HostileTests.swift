import Events
import Foundation
import TestSupport
import Testing

/// Damaged and malicious files: a clear line, nothing half, never a crash.
@Suite struct HostileTests {
  /// A table of the numbers from 1 to 3,000.
  private static let numbers = """
    create table numbers(n);
    with recursive r(n) as (select 1 union all select n + 1 from r where n < 3000)
      insert into numbers select n from r;
    """

  static let names: [String] = {
    let expected = try? OracleTests.object("hostile/EXPECTED.json")
    return (expected ?? [:]).keys.sorted()
  }()

  @Test(
    .enabled(if: SharedData.has("importers/hostile"), "needs ../shared/data/importers"),
    arguments: names) func `a hostile file is refused or taken in part`(name: String) throws
  {
    let all = try OracleTests.object("hostile/EXPECTED.json")
    let expected = try #require(all[name] as? [String: Any])
    let path = SharedData.folder.appending(path: "importers/hostile/\(name)").path
    let history = try ImportedHistory([(path, try #require(expected["format"] as? String))])
    #expect(history.events.count <= expected["acceptedAtMost"] as? Int ?? 0)
    if (expected["why"] as? String)?.contains("exit 0 or 65") != true {
      #expect(history.failure != nil || !history.malformed.isEmpty)
    }
    if let failure = history.failure { #expect(!failure.message.contains("\n")) }
  }

  @Test(arguments: [
    (
      "chromium",
      """
      create table urls(id integer primary key, url, title);
      create table visits(id integer primary key, url, visit_time, transition);
      insert into urls values (1, 'https://a.example/', 'A');
      insert into visits select n, 1, 13344473600000000 + n, 0 from numbers;
      """
    ),
    (
      "atuin",
      """
      create table history(id text primary key, timestamp, duration, exit, command, cwd, session,
        hostname);
      insert into history
        select hex(n), 1700000000000000000 + n, 1, 0, 'ls ' || n, '/', 's', 'h:u' from numbers;
      """
    ),
    (
      "kactivities",
      """
      create table ResourceInfo(targettedResource primary key, title, mimetype);
      create table ResourceEvent(usedActivity, initiatingAgent, targettedResource, start, end);
      insert into ResourceEvent select 'a', 'b', '/a' || n, 1700000000 + n, null from numbers;
      """
    ),
    (
      "mcfly",
      """
      create table commands(id integer primary key, cmd, session_id, when_run, exit_code, dir);
      insert into commands select n, 'ls ' || n, 's', 1700000000 + n, 0, '/' from numbers;
      """
    ),
    (
      "koreader",
      """
      create table book(id integer primary key, title, authors, md5);
      create table page_stat_data(id_book, page, start_time, duration, total_pages);
      insert into book values (1, 'A', 'B', 'c');
      insert into page_stat_data select 1, n, 1700000000 + n * 1000, 1, 9 from numbers;
      """
    ),
  ])
  func `a database that was cut off costs what is not there`(format: String, script: String) throws
  {
    let numbers = """
      create temp table numbers(n);
      with recursive r(n) as (select 1 union all select n + 1 from r where n < 9000)
        insert into numbers select n from r;
      """
    let path = try MadeFile.database("a.db", numbers + script)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: path))
    let history = try ImportedHistory([(path, format)])
    #expect(history.failure == nil && history.malformed.count == 1, "\(history.malformed)")
    #expect(history.malformed.allSatisfy { $0.contains("the file is cut off; ") })
    #expect(history.events.count > 3000 && history.events.count < 6000)
  }

  @Test func `a database that was cut in a page gives no row with a part of its bytes`() throws {
    let path = try MadeFile.database(
      "History",
      """
      create table urls(id integer primary key, url, title);
      create table visits(id integer primary key, url, visit_time, transition);
      insert into urls values (1, 'https://a.example/', 'A');
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 900)
        insert into visits select i, 1, 13344473600000000 + i, 0 from n;
      """)
    let bytes = try Data(contentsOf: URL(filePath: path))
    for byteCount in stride(from: 4 * 4096 + 137, to: 5 * 4096, by: 311) {
      try bytes.prefix(byteCount).write(to: URL(filePath: path))
      let history = try ImportedHistory([(path, "chromium")])
      let times = history.events.compactMap { $0.time?.microseconds }
      #expect(!times.isEmpty && history.malformed.count == 1, "\(history.malformed)")
      #expect(times.allSatisfy { (1_700_000_000_000_001...1_700_000_000_000_900).contains($0) })
    }
  }

  @Test func `a text whose end is missing is none`() throws {
    let path = try MadeFile.database(
      "history.db",
      """
      create table commands(id integer primary key, cmd, when_run);
      insert into commands values (1, 'ls', 1700000000),
        (2, 'echo ' || hex(zeroblob(3000)), 1700000001);
      """)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.dropLast(4096).write(to: URL(filePath: path))
    let history = try ImportedHistory([(path, "mcfly")])
    #expect(history.events.compactMap(\.item) == ["shell:ls"])
    #expect(history.malformed.map { $0.contains("row 2: no command") } == [true, false])
  }

  @Test(arguments: [1, 4096])
  func `a database that was cut off is told of where no row stood in what is missing`(
    byteCount: Int
  ) throws {
    let path = try MadeFile.database(
      "history.db",
      """
      create table commands(id integer primary key, cmd, when_run);
      insert into commands values (1, 'ls', 1700000000);
      create table other(blob);
      insert into other values (zeroblob(9000));
      """)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.dropLast(byteCount).write(to: URL(filePath: path))
    let history = try ImportedHistory([(path, "mcfly")])
    #expect(history.events.compactMap(\.item) == ["shell:ls"])
    #expect(history.malformed.map { $0.contains("the file is cut off; ") } == [true])
  }

  @Test func `a database whose log has what it lacks is not cut off`() throws {
    let path = try MadeFile.file("history.db", "")
    // As it lies where its program is in the middle of a checkpoint: the first page comes first.
    let program = """
      import sqlite3, shutil, sys
      path, made = sys.argv[1], sys.argv[1] + "-made"
      c = sqlite3.connect(made)
      c.execute("pragma journal_mode=wal")
      c.execute("create table commands(id integer primary key, cmd, when_run)")
      c.executemany("insert into commands values(?, ?, ?)",
                    [(n, "ls " + "x" * 900, 1700000000 + n) for n in range(1, 100)])
      c.commit()
      log = open(made + "-wal", "rb").read()
      pages = [log[at + 24:at + 4120] for at in range(32, len(log), 4120)
               if log[at:at + 4] == bytes([0, 0, 0, 1])]
      open(path, "wb").write(pages[-1])
      open(path + "-wal", "wb").write(log)
      """
    try #require(Program.output(of: ["python3", "-c", program, path]) != nil)
    let history = try ImportedHistory([(path, "mcfly")])
    #expect(history.events.count == 99 && history.malformed.isEmpty, "\(history.malformed)")
  }

  @Test func `a text that was cut off is none, also beside a log that lacks its end`() throws {
    let path = try MadeFile.database(
      "History",
      """
      create table urls(id integer primary key, url, title);
      create table visits(id integer primary key, url, visit_time, from_visit, transition);
      insert into urls values (1, 'https://a.example/', 't' || hex(zeroblob(4000)));
      insert into visits values (1, 1, 13350000000000000, 0, 0);
      """)
    let bytes = try Data(contentsOf: URL(filePath: path))
    try bytes.dropLast(4096).write(to: URL(filePath: path))
    try Data(count: 4152).write(to: URL(filePath: path + "-wal"))
    let history = try ImportedHistory([(path, "chromium")])
    #expect(history.events.map { $0.text("title") } == ["https://a.example/"])
  }

  @Test func `a length that an old SQLite left in a database is none`() throws {
    let path = try MadeFile.database(
      "history.db",
      """
      create table commands(id integer primary key, cmd, when_run);
      insert into commands values (1, 'ls', 1700000000);
      """)
    var bytes = try Data(contentsOf: URL(filePath: path))
    // One page more than there is, and another change than the one that the length is of.
    bytes[31] += 1
    bytes[27] += 1
    try bytes.write(to: URL(filePath: path))
    let history = try ImportedHistory([(path, "mcfly")])
    #expect(history.events.compactMap(\.item) == ["shell:ls"] && history.malformed.isEmpty)
  }

  @Test func `a file of more programs than there are costs no other file`() throws {
    func bookmark(_ path: String, _ count: Int) -> String {
      let uses = (0..<count).map {
        #"<application name="\#($0)" modified="2024-01-01T00:00:00Z"/>"#
      }
      return "<bookmark href=\"file://\(path)\"><info><metadata owner=\"http://freedesktop.org\">"
        + "<applications>\(uses.joined())</applications></metadata></info></bookmark>"
    }
    let text = "<xbel version=\"1.0\">\(bookmark("/a", 10_001))\(bookmark("/b", 10_000))</xbel>"
    let history = try ImportedHistory([(try MadeFile.file("a.xbel", text), "xbel")])
    #expect(history.events.count == 10_000 && history.failure == nil)
    #expect(history.malformed.map { $0.contains("more than 10000 programs") } == [true])
  }

  @Test func `links in too many folders are refused, and those after them are not`() throws {
    let depth = 120
    var text = "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>"
    for level in 1...depth {
      text += "<H3>x</H3><DL><DT><A HREF=\"https://a.example/\(level)\">a</A>"
    }
    for _ in 1...depth { text += "</DL>" }
    text += "<DT><A HREF=\"https://a.example/\">last</A></DL>"
    let history = try ImportedHistory([(try MadeFile.file("b.html", text), "netscape")])
    #expect(history.events.count == 101 && history.malformed.count == depth - 100)
    #expect(history.events.last?.attributes["bookmarkFolders"] == nil)
  }

  @Test func `a file of bash without further stamps is not held whole`() throws {
    let line = String(repeating: "x", count: 1 << 16) + "\n"
    let text = "#1700000000\n" + String(repeating: line, count: 80) + "#1700000001\nmake test\n"
    let history = try ImportedHistory([(try MadeFile.file(".bash_history", text), "bash")])
    #expect(history.events.compactMap(\.item) == ["shell:make test"])
    #expect(history.malformed.map { $0.hasSuffix(":2: the command is too long") } == [true])
  }

  @Test(arguments: [
    ("ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", "CATEGORIES:x", "END:VEVENT\n"),
    ("fish", "- cmd: ls\n  paths:\n", "    - /home/mira/x", ""),
    ("powershell", "ls `\n", "x", "y\n"),
    ("kindle", "Book\n- Your Note\n", "x", "==========\n"),
    ("apt", "Start-Date: 2019-07-10  16:38:08\n", "Commandline: x", "\n"),
  ])
  func `a record of many lines is not held whole`(
    format: String, head: String, line: String, tail: String
  ) throws {
    let end = format == "powershell" ? "`\n" : "\n"
    let lines = line + String(repeating: "x", count: 1 << 16) + end
    let note = "B\n- Your Note on page 2 | Added on Monday, 1 January 2024 22:00:00\n\nx\n"
    let next = [
      "ics": "BEGIN:VEVENT\nUID:2\nDTSTAMP:20240101T000000Z\nEND:VEVENT\nEND:VCALENDAR\n",
      "fish": "- cmd: pwd\n  when: 1700000000\n", "powershell": "pwd\n",
      "kindle": note + "==========\n",
      "apt": "Start-Date: 2019-07-10  16:38:09\nInstall: a:amd64 (1)\n",
    ]
    let text = head + String(repeating: lines, count: 80) + tail + (next[format] ?? "")
    let history = try ImportedHistory([(try MadeFile.file("x", text), format)])
    #expect(history.events.count == 1)
    #expect(history.malformed.map { $0.hasSuffix("is too long") } == [true])
    #expect(history.refused.allSatisfy { $0.utf8.count < 9 << 20 })
  }

  @Test func `an attachment of any size costs no entry of a calendar`() throws {
    let line = "ATTACH;VALUE=BINARY:" + String(repeating: "A", count: 1 << 16) + "\n"
    let entry = "BEGIN:VEVENT\nUID:1\nDTSTAMP:20240101T000000Z\nSUMMARY:Tide\n"
    let attachments = String(repeating: line, count: 80)
    let text = "BEGIN:VCALENDAR\n" + entry + attachments + "END:VEVENT\nEND:VCALENDAR\n"
    let history = try ImportedHistory([(try MadeFile.file("a.ics", text), "ics")])
    #expect(history.events.map { $0.text("title") } == ["Tide"] && history.malformed.isEmpty)
  }

  @Test(
    .enabled(if: SharedData.has("xbel"), "needs ../shared/data/xbel"))
  func `what GLib refuses is refused whole`() throws {
    let folder = SharedData.folder.appending(path: "xbel")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    for name in names.sorted() where name.hasPrefix("fail-") {
      let history = try ImportedHistory([(folder.appending(path: name).path, "xbel")])
      #expect(history.events.isEmpty, "\(name)")
    }
  }

  @Test(arguments: [
    (
      "kactivities",
      """
      create table ResourceInfo(targettedResource, title, mimetype);
      create table ResourceEvent(usedActivity, initiatingAgent, targettedResource, start, end);
      insert into ResourceInfo select '/a', 'A', 'text/plain' from numbers;
      insert into ResourceEvent select 'a', 'b', '/a', 1700000000 + n, null from numbers;
      """, 334, 1
    ),
    (
      "koreader",
      """
      create table book(id, title, authors, md5);
      create table page_stat_data(id_book, page, start_time, duration, total_pages);
      insert into book select 1, 'A', 'B', 'c' from numbers;
      insert into page_stat_data select 1, n, 1700000000 + n, 1, 9 from numbers;
      """, 1, 0
    ),
    (
      "ipython",
      """
      create table sessions(session, start);
      create table history(session, line, source, source_raw);
      insert into sessions select 1, '2024-01-01 00:00:00' from numbers;
      insert into history select 1, n, 'x', 'x' from numbers;
      """, 334, 1
    ),
  ])
  func `a key that stands there again and again multiplies nothing`(
    format: String, script: String, events: Int, malformed: Int
  ) throws {
    let path = try MadeFile.database("a.db", Self.numbers + script)
    let history = try ImportedHistory([(path, format)])
    #expect(history.events.count == events && history.malformed.count == malformed)
    #expect(history.events.allSatisfy { $0.dwell ?? 0 <= 3000 })
  }

  @Test func `what every other row needs of a damaged page costs no row but those`() throws {
    let path = try MadeFile.database(
      "History",
      """
      create table visits(id integer primary key, url, visit_time, transition);
      create table urls(id integer primary key, url, title);
      insert into urls select value, 'https://a.example/' || value, hex(zeroblob(40))
        from (with recursive n(value) as (select 1 union all select value + 1 from n
          where value < 200) select value from n);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 24000)
        insert into visits select i, case i % 2 when 0 then 1 else 200 end,
          13344473600000000 + i, 0 from n;
      """)
    var bytes = try Data(contentsOf: URL(filePath: path))
    // The page with the first address.
    let place = try #require(bytes.range(of: Data("https://a.example/1".utf8))?.lowerBound)
    let page = place / 4096 * 4096
    for index in page..<page + 4096 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: path))
    let history = try ImportedHistory([(path, "chromium")])
    #expect(history.failure == nil && history.malformed.count == 1)
    #expect(history.events.count == 12_000)
  }

  @Test(arguments: [
    (
      "ipython",
      """
      create table sessions(session integer primary key, start);
      create table history(session, line, source, source_raw, primary key (session, line));
      insert into sessions values(1, '2024-01-01 00:00:00');
      insert into history select 1, n, 'x', 'x' || n from numbers;
      """
    ),
    (
      "koreader",
      """
      create table book(id integer primary key, title, authors, md5);
      create table page_stat_data(id_book, page, start_time, duration, total_pages,
        unique (id_book, page, start_time));
      insert into book values(1, 'A', 'B', 'c');
      insert into page_stat_data select 1, n, 1700000000 + n * 1000, 1, 9 from numbers;
      """
    ),
  ])
  func `a damaged page costs no line of Python and no page of a book after it`(
    format: String, script: String
  ) throws {
    let path = try MadeFile.database("a.db", Self.numbers + script)
    var bytes = try Data(contentsOf: URL(filePath: path))
    // The last leaf but one of the table that was filled last.
    let leaves = stride(from: 0, to: bytes.count, by: 4096).filter { bytes[$0] == 0x0D }
    let page = try #require(leaves.dropLast().last)
    for index in page..<page + 4096 { bytes[index] = 0xA5 }
    try bytes.write(to: URL(filePath: path))
    let history = try ImportedHistory([(path, format)])
    #expect(history.failure == nil && history.malformed.count == 1, "\(history.malformed)")
    #expect(history.events.count > 2000 && history.events.count < 3000)
  }

  @Test(arguments: [9, 40])
  func `a row with a value of many megabytes is refused before it is copied`(megabytes: Int) throws
  {
    let path = try MadeFile.database(
      "History",
      """
      create table urls(id integer primary key, url, title);
      create table visits(id integer primary key, url, visit_time, transition);
      create table keyword_search_terms(url_id, term);
      insert into urls values (1, 'https://a.example/', zeroblob(\(megabytes) << 20)),
        (2, 'https://b.example/', 'B');
      insert into keyword_search_terms values (2, zeroblob(\(megabytes) << 20));
      insert into visits values (1, 1, 13344473600000000, 0), (2, 2, 13344473600000001, 0);
      """)
    let history = try ImportedHistory([(path, "chromium")])
    #expect(history.events.compactMap(\.item) == ["https://b.example/"])
    #expect(history.events.first?.attributes["keywords"] == nil)
    #expect(history.malformed.map { $0.contains("a value larger than") } == [true])
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: ["@", " -u a:", "token=$", "sshpass -p$", "://a:$@", "gh", "_github_pat"])
  func `a long command is looked through for secrets once`(part: String) throws {
    let text = "#1700000000\ncat <<x " + String(repeating: part, count: (1 << 20) / part.count)
    let history = try ImportedHistory([(try MadeFile.file(".bash_history", text), "bash")])
    #expect(history.events.count + history.skipped.count == 1 && history.malformed.isEmpty)
  }

  @Test(.timeLimit(.minutes(5))) func `a command of Vim on a million lines is put together once`()
    throws
  {
    let lines = String(repeating: "|<x\n", count: 1_000_000)
    let text = "# This viminfo file was generated by Vim 9.0.\n|2,0,1700000000,,>9\n|<\"\n"
    let path = try MadeFile.file(".viminfo", text + lines + "|<\"\n")
    let history = try ImportedHistory([(path, "viminfo")])
    #expect(history.events.count == 1 && history.malformed.isEmpty)
  }

  @Test(.timeLimit(.minutes(5))) func `a cell of blanks and then quotes is read once`() throws {
    let blanks = String(repeating: " ", count: 2 << 20)
    let cell = blanks + "x" + String(repeating: "\"", count: 2 << 20)
    let text = "title,url,time_added\n\(cell),https://a.example/,1\nB,https://b.example/,2\n"
    let history = try ImportedHistory([(try MadeFile.file("p.csv", text), "pocket-csv")])
    #expect(history.events.last?.item == "https://b.example/")
  }

  @Test func `a tag of XML that does not end is not read on and on`() throws {
    let tag = "<xbel version=\"1.0\"><bookmark href=\""
    let text = tag + String(repeating: "x", count: 10 << 20)
    let history = try ImportedHistory([(try MadeFile.file("a.xbel", text), "xbel")])
    #expect(history.failure?.message == "a tag is longer than 8 MiB")
  }
}
