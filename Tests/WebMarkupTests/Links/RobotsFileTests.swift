import Testing

@testable import WebMarkup

@Suite struct RobotsFileTests {
  private static func allows(_ file: String, _ path: String, agent: String = "cairn") -> Bool {
    guard let url = WebURL("https://www.example.com" + path) else { return false }
    return RobotsFile(Array(file.utf8)).verdict(url, agent: agent).allowed
  }

  /// RFC 9309, section 2.2.2: the table of octets that are alike.
  @Test(arguments: [
    ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
    ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https://foo.bar"),
    ("/foo/bar?baz=https://foo.bar", "/foo/bar?baz=https%3A%2F%2Ffoo.bar"),
    ("/foo/bar?baz=https%3A%2F%2Ffoo.bar", "/foo/bar?baz=https://foo.bar"),
    ("/*baz=%2Ffoo", "/foo/bar?baz=%2ffoo"),
    ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
    ("/foo/bar/%E3%83%84", "/foo/bar/ツ"), ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
  ]) func `paths are compared by octets`(rule: String, path: String) {
    #expect(!Self.allows("User-agent: *\nDisallow: \(rule)", path))
  }

  @Test func `octets that are no UTF-8 stay what they are`() throws {
    let robots = RobotsFile(Array("User-agent: *\nDisallow: /".utf8) + [0xe9, 0x20])
    let named = robots.verdict(try #require(WebURL("https://e.org/%E9")), agent: "cairn")
    #expect(!named.allowed)
    let other = robots.verdict(try #require(WebURL("https://e.org/%EF%BF%BD")), agent: "cairn")
    #expect(other.allowed)
  }

  @Test(arguments: [11, 17, 18])
  func `a rule that is cut where reading ends is none`(kept: Int) {
    let rule = "Disallow: /private"
    let head = "User-agent: *\n#"
    let blank = RobotsFile.byteCountMax - head.utf8.count - 1 - kept
    let file = head + String(repeating: " ", count: blank) + "\n" + rule + "\nAllow: /a"
    #expect(Self.allows(file, "/a"))
    #expect(Self.allows(file, "/private") == (kept < rule.utf8.count))
  }

  /// RFC 9309, section 2.2.3.
  @Test(arguments: [
    ("/publications/*.html$", "/publications/a.html", false),
    ("/publications/*.html$", "/publications/a.html?x", true),
    ("/this/*/exactly", "/this/path/exactly/x", false), ("/$", "/", false), ("/$", "/x", true),
    ("/path/file-with-a-%2A.html", "/path/file-with-a-*.html", false),
    ("/path/foo-%24", "/path/foo-$", false), ("/a$b", "/a$b", false), ("*x", "/ax", false),
  ]) func `stars and the end sign`(rule: String, path: String, allowed: Bool) {
    #expect(Self.allows("User-agent: *\nDisallow: \(rule)", path) == allowed)
  }

  /// RFC 9309, section 5.1.
  private static let simple = """
    User-Agent: *
    Disallow: *.gif$
    Disallow: /example/
    Allow: /publications/

    User-Agent: foobot
    Disallow:/
    Allow:/example/page.html
    Allow:/example/allowed.gif

    User-Agent: barbot
    User-Agent: bazbot
    Disallow: /example/page.html

    User-Agent: quxbot
    """

  @Test(arguments: [
    ("other", "/example/a", false), ("other", "/publications/a", true), ("other", "/x.gif", false),
    ("other", "/x.gif?a", true), ("foobot", "/", false), ("foobot", "/example/page.html", true),
    ("foobot", "/example/allowed.gif", true), ("FooBot/2.1", "/publications/", false),
    ("barbot", "/example/page.html", false), ("bazbot", "/example/page.html", false),
    ("bazbot", "/example/", true), ("quxbot", "/example/page.html", true),
    ("foobot", "/robots.txt", true),
  ]) func `the simple example`(agent: String, path: String, allowed: Bool) {
    #expect(Self.allows(Self.simple, path, agent: agent) == allowed)
  }

  /// RFC 9309, section 5.2: the longest match.
  @Test(arguments: [
    ("/example/page/", true), ("/example/page/disallowed.gif", false), ("/example/page", true),
  ]) func `the longest rule decides`(path: String, allowed: Bool) {
    let file = """
      User-Agent: foobot
      Allow: /example/page/
      Disallow: /example/page/disallowed.gif
      """
    #expect(Self.allows(file, path, agent: "foobot") == allowed)
  }

  @Test func `equal rules allow, groups of one agent merge, and lines are told`() throws {
    let file =
      "\u{feff}user-AGENT : cairn # c\r\nDisallow: /a\r\rAllow: /a\nUser-agent: x\nDisallow: /\nUser-agent: CAIRN\nDisallow: /b\nSitemap: https://e.org/s.xml\ncrawl-delay: 2.5"
    let robots = RobotsFile(Array(file.utf8))
    let a = robots.verdict(try #require(WebURL("https://e.org/a")), agent: "cairn")
    #expect(a.allowed && a.rule == "/a" && a.line == 4)
    let b = robots.verdict(try #require(WebURL("https://e.org/b")), agent: "cairn")
    #expect(!b.allowed && b.rule == "/b" && b.line == 8)
    #expect(robots.sitemaps == ["https://e.org/s.xml"])
    #expect(robots.crawlDelay(agent: "cairn") == 2.5)
  }

  /// RFC 9309, section 2.2.4.
  @Test func `what is not the standard's ends no group`() {
    let file = "User-agent: a\nCrawl-delay: 9\nSitemap: x\nUser-agent: b\nDisallow: /x"
    #expect(!Self.allows(file, "/x", agent: "a") && !Self.allows(file, "/x", agent: "b"))
    #expect(RobotsFile(Array(file.utf8)).crawlDelay(agent: "a") == 9)
  }

  @Test func `Applebot without a group goes by Googlebot's, and waits for nobody`() {
    let file = "User-agent: Googlebot\nDisallow: /g\nCrawl-delay: 9\nUser-agent: *\nDisallow: /"
    #expect(Self.allows(file, "/x", agent: "Applebot"))
    #expect(!Self.allows(file, "/g", agent: "Applebot"))
    #expect(!Self.allows(file, "/x", agent: "cairn"))
    #expect(RobotsFile(Array(file.utf8)).crawlDelay(agent: "Applebot") == nil)
  }
}
