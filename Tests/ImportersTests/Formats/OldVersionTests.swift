import Events
import Foundation
import Testing

@testable import Importers

/// Shapes of programs that are no longer made, and of other systems.
@Suite struct OldVersionTests {
  @Test(arguments: ["period", "duration"])
  func `KOReader's pages stood in another table until 2020`(column: String) throws {
    let path = try MadeFile.database(
      "statistics.sqlite3",
      """
      create table book(id integer primary key, title text, authors text, md5 text,
        total_read_pages integer);
      create table page_stat(id_book integer, page integer, start_time integer, \(column) integer);
      insert into book values(1, 'Tides', 'Ann\nBo', 'm', 3);
      insert into page_stat values(1, 1, 1500000000, 20), (1, 2, 1500000020, 30), (1, 3, 1600000000, 5);
      """)
    let file = try InputFile(path, options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "koreader")
    let history = try ImportedHistory([(path, "koreader")])
    #expect(history.events.map(\.dwell) == [50, 5] && history.malformed.isEmpty)
    let empty = try MadeFile.database(
      "a.sqlite3", "create table book(authors, md5, total_read_pages);")
    let none = try ImportedHistory([(empty, "koreader")])
    #expect(none.failure?.message == "is not in the format koreader (no table page_stat_data)")
  }

  @Test(arguments: [
    (
      "chromium", "urls(id integer primary key, url)", "visits(url, visit_time)",
      "insert into urls values(1, 'https://a.example/'); insert into visits values(1, 13300000000000000);"
    ),
    (
      "firefox", "moz_places(id integer primary key, url)",
      "moz_historyvisits(place_id, visit_date)",
      "insert into moz_places values(1, 'https://a.example/'); insert into moz_historyvisits values(1, 1600000000000000);"
    ),
    (
      "epiphany", "urls(id integer primary key, url)", "visits(url, visit_time)",
      "insert into urls values(1, 'https://a.example/'); insert into visits values(1, 1600000000000000);"
    ),
    (
      "falkon", "history(url, date, count)", "other(x)",
      "insert into history values('https://a.example/', 1600000000000, 2);"
    ),
    (
      "atuin", "history(id, timestamp, command)", "other(x)",
      "insert into history values('a', 1600000000000000000, 'ls');"
    ),
    (
      "ipython", "sessions(session, start)", "history(session, line, source_raw)",
      "insert into sessions values(1, '2020-01-01 10:00:00'); insert into history values(1, 1, 'x');"
    ),
    (
      "kactivities", "ResourceEvent(targettedResource, initiatingAgent, start)", "other(x)",
      "insert into ResourceEvent values('/a/b', 'kate', 1600000000);"
    ),
    (
      "aw-db", "bucketmodel(key, id, type)", "eventmodel(bucket_id, timestamp, datastr)",
      """
      insert into bucketmodel values(1, 'w', 'currentwindow');
      insert into eventmodel values(1, '2020-01-01 10:00:00+00:00', '{"app":"a"}'),
        (1, '2020-01-01 10:01:00+00:00', '{"app":"","title":null}');
      """
    ),
  ])
  func `what a database lacks beside item and time costs no event`(
    format: String, one: String, other: String, rows: String
  ) throws {
    let path = try MadeFile.database("a.db", "create table \(one); create table \(other); \(rows)")
    let history = try ImportedHistory([(path, format)])
    #expect(history.failure == nil && history.events.count == 1, "\(history.malformed)")
    #expect(history.malformed.count == (format == "aw-db" ? 1 : 0))
  }

  @Test func `texts of vCalendar stand in a code of mail, over several lines`() throws {
    let text = """
      BEGIN:VCALENDAR\r
      VERSION:1.0\r
      BEGIN:VEVENT\r
      UID:1\r
      DCREATED:20040102T030405Z\r
      DTSTART:20040203T100000Z\r
      SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9 100% =3D 5=\r
       o'clock=zz\r
      DESCRIPTION;QUOTED-PRINTABLE;;=:One=0D=0A=\r
      two \r
      LOCATION;ENCODING=quoted-printable:M=FCnchen\r
      END:VEVENT\r
      END:VCALENDAR\r

      """
    let history = try ImportedHistory([(try MadeFile.file("a.vcs", text), "ics")])
    let event = try #require(history.events.first)
    #expect(event.text("title") == "Café 100% = 5 o'clock=zz")
    #expect(event.text("contentDescription") == "One\ntwo ")
    #expect(event.text("namedLocation") == "München")
    #expect(event.time?.rfc3339 == "2004-01-02T03:04:05Z" && history.malformed.isEmpty)
  }

  @Test func `texts of vCalendar stand in the charset and the digits that they name`() throws {
    var bytes = Data("BEGIN:VCALENDAR\r\nVERSION:1.0\r\n".utf8)
    func add(_ uid: Int, _ lines: String, _ rest: [UInt8] = []) {
      bytes += Data("BEGIN:VEVENT\r\nUID:\(uid)\r\nDTSTART:20040203T100000Z\r\n".utf8)
      bytes += Data(lines.utf8) + Data(rest) + Data("\r\nEND:VEVENT\r\n".utf8)
    }
    add(1, "SUMMARY;CHARSET=Shift_JIS;ENCODING=QUOTED-PRINTABLE:=93=FA=96=7B")
    add(2, "LOCATION;BASE64:TfxuY2hlbg==\r\nSUMMARY;CHARSET=windows-1252:Stra", [0xDF, 0x65, 0x80])
    add(3, "SUMMARY;ENCODING=BASE64;CHARSET=UTF-8:\r\n Q2Fm\r\n w6k=\r\n")
    add(4, "SUMMARY;ENCODING=b:SGk=\r\nDESCRIPTION;CHARSET=nobodys:é")
    bytes += Data("END:VCALENDAR\r\n".utf8)
    let history = try ImportedHistory([(try MadeFile.file("a.vcs", bytes), "ics")])
    #expect(history.malformed.isEmpty)
    #expect(history.events.map { $0.text("title") } == ["日本", "Straße€", "Café", "Hi"])
    #expect(history.events[1].text("namedLocation") == "München")
    #expect(history.events[3].text("contentDescription") == "é")
  }

  @Test func `Vim calls the home by its sign on Windows as well`() throws {
    let text = "*encoding=utf-8\n|1,4\n|4,48,1,0,1234567896,\"~\\\\vim\\\\a.txt\"\n"
    var options = ImportedHistory.options
    options.home = "C:\\Users\\mira"
    let path = try MadeFile.file(
      "_viminfo", "# This viminfo file was generated by Vim 9.0.\n" + text)
    let history = try ImportedHistory([(path, "viminfo")], options: options)
    #expect(history.events.map(\.item) == ["file:///C:/Users/mira/vim/a.txt"])
  }

  @Test func `a note of a recycle bin is no log of logins`() throws {
    var bytes = Data([1, 0, 0, 0, 0, 0, 0, 0, 0x15, 0xB2, 1, 0, 0, 0, 0, 0])
    bytes += Data([0xC0, 0x9E, 0x6A, 0x3A, 0xF8, 0xAB, 0xCD, 1])
    bytes += Data("C:\\Users\\mira\\tides.zip".utf8.flatMap { [$0, 0] })
    bytes += Data(repeating: 0, count: 544 - bytes.count)
    let file = try InputFile(
      try MadeFile.file("$I1.zip", bytes), options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file) == nil)
  }

  @Test func `a proxy keeps no password of a page`() throws {
    let events = try ImportedHistory.events(
      "access-log", "access.log",
      #"""
      ::1 - - [17/May/2015:10:05:03 +0000] "GET http://eva:s@cret@tide.example:8080/a@b?u=@ HTTP/1.1" 200 1
      ::1 - - [17/May/2015:10:05:04 +0000] "GET /x/http://eva:s@tide.example/ HTTP/1.1" 200 1
      ::1 - - [17/May/2015:10:05:05 +0000] "GET http://tide.example/a@b HTTP/1.1" 200 1

      """#)
    #expect(
      events.map(\.item) == [
        "http://tide.example:8080/a@b?u=@", "/x/http://eva:s@tide.example/",
        "http://tide.example/a@b",
      ])
    #expect(events.first?.text("title") == "http://tide.example:8080/a@b?u=@")
    let log = try ImportedHistory.events(
      "w3c", "proxy.log",
      """
      #Fields: date time cs-method cs-uri-stem cs-uri-query sc-status
      2015-05-17 10:05:03 GET ftp://eva:secret@tide.example/a x=1 200

      """)
    #expect(log.map(\.item) == ["ftp://tide.example/a?x=1"])
    #expect(log.map(\.domain) == [.value("web.example.tide")])
  }

  @Test func `visits that an export of Safari counted come from its database no second time`()
    throws
  {
    // 731,301,000 s after 2001 is 1,709,608,200.
    func visits(_ seconds: ClosedRange<Int>) throws -> String {
      let rows = seconds.map { "(\($0), 1, \(731_301_000 + $0))" }.joined(separator: ", ")
      return try MadeFile.database(
        "History.db",
        """
        create table history_items(id integer primary key, url text);
        create table history_visits(id integer primary key, history_item, visit_time real);
        insert into history_items values(1, 'https://a.example/');
        insert into history_visits values \(rows);
        """)
    }
    func export(_ second: Int, _ count: Int) throws -> String {
      try MadeFile.file(
        "History.json",
        """
        {"metadata": {"browser_name": "Safari"}, "history": [{"url": "https://a.example/",
          "time_usec": \(1_709_608_200 + second)000000, "visit_count": \(count)}]}
        """)
    }
    // What a store has after one import after the other.
    func seconds(_ steps: [(path: String, format: String)]) throws -> [Int64: Int64] {
      var (past, all): (PastUses, [Event]) = (PastUses(), [])
      for step in steps + steps.suffix(1) {
        let events = try ImportedHistory([step], past: past).events
        for event in events where !all.contains(where: { $0.id == event.id }) {
          all.append(event)
          past.note(
            event, source: "safari", item: event.item ?? "", application: nil,
            time: event.time?.microseconds ?? 0)
        }
      }
      return Dictionary(
        uniqueKeysWithValues: all.map { (($0.time?.seconds ?? 0) - 1_709_608_200, $0.visitCount) })
    }
    let first = (path: try export(5, 5), format: "safari-export")
    let second = (path: try export(9, 9), format: "safari-export")
    let short = (path: try visits(1...5), format: "safari")
    let long = (path: try visits(1...11), format: "safari")
    #expect(try seconds([first, short]) == [5: 5])
    #expect(try seconds([first, long]) == [5: 5, 6: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1])
    #expect(try seconds([first, second, long]) == [5: 5, 9: 4, 10: 1, 11: 1])
    #expect(
      try seconds([short, second, long])
        == [1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 9: 4, 10: 1, 11: 1])
    // The same in one command.
    let together = try ImportedHistory([first, long])
    #expect(together.events.reduce(0) { $0 + $1.visitCount } == 11)
    #expect(try ImportedHistory([short, first]).events.map(\.visitCount) == [1, 1, 1, 1, 1])
    #expect(try ImportedHistory([short, second]).events.reduce(0) { $0 + $1.visitCount } == 9)
    let store = try ImportedHistory([short]).uses
    #expect(try ImportedHistory([short, second], past: store).events.map(\.visitCount).max() == 4)
  }

  @Test(arguments: [
    (#"[{"url":"https://a.example/","dt":1700000000,"metadata":{}},]"#, "element 1"),
    (#"[{"url":"https://a.example/","dt":1700000000,"metadata":{}},,1]"#, "element 1"),
  ])
  func `a comma before nothing is told as such`(text: String, place: String) throws {
    let path = try MadeFile.file("a.json", text)
    let history = try ImportedHistory([(path, "browserexport")])
    #expect(history.events.count == 1)
    #expect(
      history.malformed.first
        == "\(path):\(place): nothing stands where a comma says that more comes")
  }

  @Test func `so is one at the end of an object`() throws {
    let path = try MadeFile.file("a.json", #"{"Browser History":[],}"#)
    let history = try ImportedHistory([(path, "takeout-chrome")])
    #expect(history.failure?.message == "nothing stands where a comma says that more comes")
  }
}
