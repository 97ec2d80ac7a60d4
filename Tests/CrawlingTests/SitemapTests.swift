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
    #expect(read("<urlset><url><loc>") != nil && read("<") == nil && read("<!--") == nil)
  }

  @Test func `no more URLs are taken than a sitemap may have`() throws {
    let many = (0..<50_010).map { "https://a.example/\($0)" }.joined(separator: "\n")
    #expect(try #require(read(many)).entries.count == Sitemap.entryCountMax)
  }
}
