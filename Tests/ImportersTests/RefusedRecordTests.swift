import Events
import Foundation
import Testing

/// What `--rejects` keeps of what is refused.
@Suite struct RefusedRecordTests {
  @Test(
    arguments: [
      ("zsh", ": 1:0;ls\n: bad\n: x:0;two\\\nlines\n", [": bad", ": x:0;two\\\nlines"]),
      (
        "bash", "#1700000000\nls\n#99999999999999\na\0\nb\n",
        ["#99999999999999", "#1700000000\na\0\nb"]
      ),
      ("fish", "- cmd: ls\n  when: x\njunk\n- cmd: ok\n", ["- cmd: ls\n  when: x", "junk"]),
      ("powershell", "Get-Item\r\na`\r\n\0b\r\nend\r\n", ["a`\r\n\0b\r"]),
      ("z", "/a|1|1700000000\nb|1\n", ["b|1"]),
      ("autojump", "10.0\t/a\nx\t/b\n10.0\tc\n", ["x\t/b", "10.0\tc"]),
      ("recentf", "(setq recentf-list '(\"/a\" \"b\"))", ["b"]),
      ("apt", "Start-Date: no\nInstall: a:b (1)\n\n", ["Start-Date: no\nInstall: a:b (1)\n"]),
      ("spotify", #"[ {"ts": "no"}, 5 , {"ts"}]"#, [#"{"ts": "no"}"#, "5", #"{"ts"}"#]),
      (
        "listenbrainz", "{\"listened_at\":1,\"tr\n{\"listened_at\":1}\n{}{\"a\nx\n{\"b\":",
        ["{\"listened_at\":1,\"tr", "{\"listened_at\":1}", "{}", "{\"a", "x", "{\"b\":"]
      ),
      (
        "cloudtrail", "{\"eventName\": 1}\r\n{\"Records\":[{\"a\": 1}, 2]}\r\n{\"b\": {}\n",
        ["{\"eventName\": 1}", "{\"a\": 1}", "2", "{\"b\": {}"]
      ),
      ("cloudtrail", "{\n \"eventName\": 1\n}\n", ["{\n \"eventName\": 1\n}"]),
      ("browserexport", "{}\n{\"url\": \"x\n[]\n", ["{}", "{\"url\": \"x", "[]"]),
      (
        "netflix", "Profile Name,Start Time,Duration,Title,Device Type\nA,no,1,\"x\ny\",B\r\n",
        ["A,no,1,\"x\ny\",B\r"]
      ),
      (
        "ics", "BEGIN:VCALENDAR\r\nX:1\r\nBEGIN:VTODO\r\nSUMMARY:a\r\n b\r\nEND:VTODO\r\n",
        ["BEGIN:VTODO\nSUMMARY:ab\nEND:VTODO"]
      ),
      (
        "netscape", "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF='b' X>B</A><DT><a>C</a>",
        ["<A HREF='b' X>", "<a>"]
      ),
      (
        "kindle", "Title\n- Markierung\n\nText\n==========\n",
        ["Title\n- Markierung\n\nText\n=========="]
      ),
      (
        "xonsh-json", #"{"locs": [], "data": {"cmds": [{"rtn": 0}, 7], "env": {"TOKEN": "x"}}}"#,
        [#"{"rtn":0}"#, "7"]
      ),
    ] as [(String, String, [String])])
  func `what is refused is told as it came`(format: String, text: String, refused: [String]) throws
  {
    let history = try ImportedHistory([(try MadeFile.file("h", text), format)])
    #expect(history.refused == refused, "\(history.malformed)")
  }

  @Test func `a row of a database that is refused is told by its columns`() throws {
    let path = try MadeFile.database(
      "History",
      """
      create table urls(id integer primary key, url, title);
      create table visits(id integer primary key, url, visit_time, transition);
      insert into urls values(1, 'nowhere', 'Title'), (2, 'https://a.example/', null);
      insert into visits values(7, 1, 13344473600000000, 0), (8, 2, 13344473600000000, 0);
      """)
    let history = try ImportedHistory([(path, "chromium")])
    #expect(history.events.count == 1)
    #expect(history.refused == ["7|13344473600000000|0|nowhere|Title|||1"])
  }

  @Test func `pages of no book, or of one without a title, are told by their columns`() throws {
    let path = try MadeFile.database(
      "statistics.sqlite3",
      """
      create table book(id integer primary key, title, authors, md5);
      create table page_stat_data(id_book, page, start_time, duration, total_pages);
      insert into book values(1, 'Tides', null, 'm'), (2, ' ', null, 'n');
      insert into page_stat_data values(1, 1, 1700000000, 5, 9), (2, 1, 1700000001, 6, 9),
        (3, 1, 1700000002, 7, 9);
      """)
    let history = try ImportedHistory([(path, "koreader")])
    #expect(history.events.map(\.item) == ["book:Tides"])
    #expect(history.refused == ["2|2|1700000001|6", "3|3|1700000002|7"])
  }

  @Test func `no record is told for what is wrong with a whole file`() throws {
    let cut = #"[{"ts":"2024-01-02T10:11:00Z","ms_played":1,"spotify_track_uri":"a"},{"ts":"2"#
    let history = try ImportedHistory([(try MadeFile.file("s.json", cut), "spotify")])
    #expect(history.events.count == 1 && history.refused == [""])
  }
}
