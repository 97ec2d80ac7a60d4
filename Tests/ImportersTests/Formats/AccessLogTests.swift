import Events
import Foundation
import Testing

@testable import Importers

@Suite struct `Reading a web server's log` {
  private static func parse(_ line: String) throws -> AccessLogLine {
    try AccessLogLine(Array(line.utf8)[...])
  }

  @Test func `a Common and a Combined line say the same of who saw what and when`() throws {
    let common = #"h - - [17/May/2015:10:05:03 +0000] "GET /a/b.png?x=1 HTTP/1.1" 200 2030"#
    let line = try Self.parse(common)
    #expect(line == (try Self.parse(common + #" "http://from/" "Mozilla \"5\"""#)))
    #expect(line.host == "h" && line.target == "/a/b.png?x=1" && line.method == "GET")
    #expect(line.time == 1_431_857_103 && line.status == 200 && line.isView)
  }

  @Test(arguments: [("- -", ""), ("- frank", "frank"), ("x ann b", "ann b"), ("-", "")])
  func `the third field is who signed in`(names: String, user: String) throws {
    let line = try Self.parse(
      #"h \#(names) [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1"#)
    #expect(line.host == "h" && line.user ?? "" == user)
  }

  @Test func `the server that Debian puts first is not who asked`() throws {
    let line = try Self.parse(
      #"a.example:443 ::1 - ann b [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 1"#)
    #expect(line.host == "::1" && line.user == "ann b")
  }

  @Test func `the first of the addresses on the way is who asked, and a hyphen is nobody`() throws {
    for server in ["", "a.example:443 "] {
      let line = try Self.parse(
        server + #"10.0.0.1, 10.9.9.9, ::1 - ann b [17/May/2015:10:05:03 +0000] "GET /" 200 1"#)
      #expect(line.host == "10.0.0.1" && line.user == "ann b")
    }
    for way in ["10.0.0.1,10.9.9.9", "10.0.0.1,10.9.9.9, ::1", #""10.0.0.1, ::1""#, #""10.0.0.1""#]
    {
      let line = try Self.parse(way + #" - ann [17/May/2015:10:05:03 +0000] "GET /" 200 1"#)
      #expect(line.host == "10.0.0.1" && line.user == "ann", "\(way)")
    }
    let nobody = try Self.parse(#"- - "" [17/May/2015:10:05:03 +0000] "GET /" 200 1"#)
    #expect(nobody.host == nil && nobody.user == nil)
  }

  @Test func `what a proxy was asked for is in the domain of its page`() throws {
    let events = try ImportedHistory.events(
      "access-log", "access.log",
      #"""
      ::1 - - [17/May/2015:10:05:03 +0000] "GET http://www.tide.example/a/b HTTP/1.1" 200 1
      ::1 - - [17/May/2015:10:05:04 +0000] "GET /a/http://x.example/ HTTP/1.1" 200 1

      """#)
    #expect(events.map(\.item) == ["http://www.tide.example/a/b", "/a/http://x.example/"])
    #expect(
      events.map(\.domain) == [.value("web.example.tide.www"), .value("a.http:.x%2Eexample")])
  }

  @Test(arguments: [
    ("GET / HTTP/1.1", 200, true), ("GET / HTTP/1.1", 206, true), ("GET / HTTP/1.1", 304, true),
    ("GET / HTTP/1.1", 404, false), ("GET / HTTP/1.1", 301, false), ("POST / HTTP/1.1", 200, false),
    ("HEAD / HTTP/1.1", 200, false), ("GET /", 200, true), ("GET", 200, false), ("-", 408, false),
    ("get / HTTP/1.1", 200, false), ("", 400, false),
  ]) func `a view is a GET answered with content`(request: String, status: Int, isView: Bool) throws
  {
    let line = try Self.parse(
      #"::1 - ann b [17/May/2015:10:05:03 +0000] "\#(request)" \#(status) -"#)
    #expect(line.isView == isView)
  }

  @Test(arguments: [
    (#"GET /a\"b\\ HTTP/1.1"#, #"/a\"b\\"#), ("GET /a b HTTP/1.0", "/a b"),
    ("GET /%7Ea HTTP/2", "/%7Ea"), ("GET * HTTP/1.1", "*"), ("GET / HTTPS", "/ HTTPS"),
  ]) func `the target is what stands in the request, as written`(request: String, target: String)
    throws
  {
    let line = try Self.parse(#"h - - [17/May/2015:10:05:03 +0000] "\#(request)" 200 1"#)
    #expect(line.target == target)
  }

  @Test(arguments: [
    ("01/Jan/1970:00:00:00 +0000", 0), ("29/Feb/2000:23:59:59 +0000", 951_868_799),
    ("01/Mar/2000:01:29:59 +0130", 951_868_799), ("31/Dec/1969:23:00:00 -0100", 0),
    ("31/Dec/1999:23:59:60 +0000", 946_684_800),
  ]) func `a time is read with its zone`(text: String, seconds: Int64) {
    #expect(AccessLogTime.unixSeconds(text[...]) == seconds)
  }

  @Test(arguments: [
    "29/Feb/2001:00:00:00 +0000", "00/Jan/2000:00:00:00 +0000", "01/Foo/2000:00:00:00 +0000",
    "01/Jan/2000:24:00:00 +0000", "01/Jan/2000:00:00:00 0000", "1/Jan/2000:00:00:00 +0000", "",
  ]) func `a time that is none is refused`(text: String) {
    #expect(AccessLogTime.unixSeconds(text[...]) == nil)
  }

  @Test(arguments: [
    "", "host", "h - - no time", #"h - - [yesterday] "GET / HTTP/1.1" 200 1"#,
    "h - - [17/May/2015:10:05:03 +0000] GET / 200 1",
    #"h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1 200 1"#,
    #"h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" OK 1"#,
    #"h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200"#,
    #"h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 many"#,
  ]) func `a line that is none is refused with a reason`(line: String) {
    #expect(throws: AccessLogLine.Malformed.self) { try Self.parse(line) }
  }

  @Test(arguments: [
    ("/favicon.ico", nil), ("/", nil), ("/a/", "a"), ("/a/b/c", "a.b"),
    ("/v1.2/x%/y", "v1%2E2.x%25"), ("//a//b", "a"), ("src/x.c", "src"),
    (".github/workflows/ci.yml", "%2Egithub.workflows"),
  ]) func `folders make the domain, with dots and percent signs escaped`(
    path: String, domain: String?
  ) { #expect(DomainPath.folders(of: path[...]) == domain) }

  @Test(arguments: [
    ("/a%20b", "/a b"), ("/caf%C3%A9", "/café"), ("/%FF", "/%FF"), ("/%0A", "/%0A"),
    ("/100%", "/100%"), ("/%4", "/%4"), ("/%zz", "/%zz"),
  ]) func `a title is the target as people read it`(target: String, title: String) {
    #expect(PercentEncoding.decode(target) == title)
  }

  @Test func `events are in the order of time, and a line that stands twice is two views`() throws {
    func line(_ second: Int, _ target: String) -> String {
      #"h - - [17/May/2015:10:05:0\#(second) +0000] "GET \#(target) HTTP/1.1" 200 1"#
    }
    let path = try Self.file(
      [line(3, "/c"), line(1, "/a"), line(3, "/c"), line(2, "/b")].joined(separator: "\n"))
    let history = try ImportedHistory([(path, "access-log")])
    #expect(history.events.compactMap(\.item) == ["/a", "/b", "/c", "/c"])
    #expect(Set(history.ids).count == 4)
  }

  @Test func `a log whose lines end as those of Windows do is known by its content`() throws {
    let line = #"h - - [17/May/2015:10:05:00 +0000] "GET /a HTTP/1.1" 200 1"#
    let file = try InputFile(Self.file(line + "\r\n"), options: ImportedHistory.options)
    #expect(HistoryFormats.format(of: file)?.name == "access-log")
  }

  private static func file(_ text: String) throws -> String {
    let path = ImportedHistory.scratch + "-log-\(UUID().uuidString)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }
}
