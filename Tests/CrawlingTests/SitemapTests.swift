import Crawling
import Testing

/// Sitemaps as sitemaps.org has them, and as sites write them.
@Suite struct SitemapTests {
  private func read(_ text: String) -> Sitemap? { Sitemap(Array(text.utf8)) }

  @Test func `a list of URLs is read with its times and references`() throws {
    let map = try #require(
      read(
        """
        \u{FEFF}<?xml version="1.0"?><!-- <url><loc>https://no.example/</loc></url> -->
        <sm:urlset xmlns:sm="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="i">
        <sm:url><sm:loc> https://a.example/?a=1&amp;b=2 </sm:loc><lastmod>2024-01-02</lastmod></sm:url>
        <sm:url><image:image><image:loc>https://a.example/i.png</image:loc></image:image>
        <sm:loc><![CDATA[https://a.example/c]]></sm:loc></sm:url><sm:url></sm:url>
        <sm:url><sm:loc>https://a.example/d</sm:loc>
        """))
    #expect(!map.isIndex)
    #expect(map.entries.first?.url == "https://a.example/?a=1&b=2")
    #expect(map.entries.first?.lastModified == "2024-01-02")
    #expect(
      map.entries.dropFirst().map(\.url) == ["https://a.example/c", "https://a.example/d"])
  }

  @Test(arguments: [
    ("&#39;", "'"), ("&#x27;", "'"), ("a&#61;b&amp;c", "a=b&c"), ("&#xE9;&#x1F600;", "é😀"),
    ("&#0038;lt;", "&lt;"), ("&quot;&apos;&lt;&gt;", "\"'<>"), ("&;&#;&#x;", "&;&#;&#x;"),
    ("&#0;&#xD800;&#x110000;&#+38;", "&#0;&#xD800;&#x110000;&#+38;"), ("&eacute; &", "&eacute; &"),
    ("&#xFFFF;&#99999999999;", "&#xFFFF;&#99999999999;"),
  ]) func `references by name and by number are resolved`(written: String, meant: String) throws {
    let map = try #require(read("<urlset><url><loc>https://a.example/\(written)</loc></url>"))
    #expect(map.entries.map(\.url) == ["https://a.example/\(meant)"])
  }

  @Test func `an index, lines of text, and what is neither`() throws {
    let index = try #require(
      read("<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>"))
    #expect(index.isIndex && index.entries.map(\.url) == ["https://a.example/1.xml"])
    let lines = try #require(
      read("https://a.example/1\r\nnot one\nhttp://a.example/2\n \tHTTP://a.example/3 \n"))
    #expect(
      lines.entries.map(\.url) == [
        "https://a.example/1", "http://a.example/2", "HTTP://a.example/3",
      ])
    #expect(read("<html><loc>https://a.example/</loc></html>") == nil)
    #expect(read("") == nil && read("%PDF-1.4\nsee https://a.example/") == nil)
    #expect(read("<urlset><url><loc>") != nil && read("<") == nil && read("<!--") == nil)
  }

  @Test func `a feed of RSS or Atom is a sitemap of its entries`() throws {
    let rss = try #require(
      read(
        """
        <?xml version="1.0"?><rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
        <atom:link href="https://a.example/feed" rel="self"/><link>https://a.example/</link>
        <item><title>One</title><link>https://a.example/1?a&amp;b</link>
        <description><![CDATA[<link>https://a.example/no</link>]]></description>
        <pubDate>Mon, 01 Jan 2024 10:00:00 GMT</pubDate></item>
        <item><link><![CDATA[https://a.example/2]]></link></item><link>https://a.example/</link>
        <item><link>https://a.example/cut</link>
        """))
    #expect(rss.entries.map(\.url) == ["https://a.example/1?a&b", "https://a.example/2"])
    #expect(!rss.isIndex && rss.entries.allSatisfy { $0.lastModified == nil })
    let atom = try #require(
      read(
        """
        <feed xmlns="http://www.w3.org/2005/Atom"><link href="https://a.example/"/>
        <updated>2025-01-01T00:00:00Z</updated>
        <entry><link rel="enclosure" href="/m.mp3"/><link href = '/1?a&amp;b' rel='alternate'/>
        <updated>2024-01-02T00:00:00Z</updated></entry>
        <entry><source><link href="https://b.example/"/><updated>2001-01-01T00:00:00Z</updated>
        </source><link href="/2"/></entry></feed>
        """))
    #expect(atom.entries.map(\.url) == ["/1?a&b", "/2"])
    #expect(atom.entries.map(\.lastModified) == ["2024-01-02T00:00:00Z", nil])
  }

  @Test func `a sitemap may be in another encoding`() throws {
    func map(_ encoding: String) -> String {
      "<?xml version='1.0' encoding='\(encoding)'?><urlset><url><loc>https://a.example/\u{e9}</loc>"
    }
    let little = map("UTF-16").utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let big = map("UTF-16").utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    for bytes in [
      map("ISO-8859-1").unicodeScalars.map { UInt8($0.value) }, little, [0xff, 0xfe] + little,
      big, [0xfe, 0xff] + big, Array(map("UTF-8").utf8),
    ] {
      let found = try #require(Sitemap(bytes))
      #expect(found.entries.map(\.url) == ["https://a.example/\u{e9}"])
    }
  }

  @Test(arguments: [
    "<loc>https://a.example/cu", "<loc><![CDATA[https://a.example/cu]]", "<loc>", "",
    "<loc>https://a.example/2</loc><lastmod>2024-0",
  ]) func `a URL that the file ends in is none`(rest: String) throws {
    let map = try #require(read("<urlset><url><loc>https://a.example/1</loc></url><url>\(rest)"))
    let urls = ["https://a.example/1"] + (rest.contains("/2") ? ["https://a.example/2"] : [])
    #expect(map.entries.map(\.url) == urls)
    #expect(map.entries.allSatisfy { $0.lastModified?.isEmpty ?? true })
  }

  @Test func `no more URLs are taken than a sitemap may have`() throws {
    let many = (0..<50_010).map { "https://a.example/\($0)" }.joined(separator: "\n")
    #expect(try #require(read(many)).entries.count == Sitemap.entryCountMax)
  }
}
