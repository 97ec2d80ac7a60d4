import Foundation
import Testing

/// Sitemaps that a crawl meets.
@Suite(.enabled(if: LogReader.isPresent, "needs python3")) struct SitemapCrawlTests {
  @Test func `sitemaps wait where enough pages do`() throws {
    let site = try Site(pageCount: 6)
    defer { site.stop() }
    let store = Store()
    let first = try counts(try crawl(store, [site.url("/"), "--site", "--max-pages", "2"]))
    #expect(first["fetched"] == 2 && !site.requests.contains("/map2.xml"), "\(site.requests)")
    let rest = try counts(try crawl(store, [site.url("/"), "--site"]))
    #expect(rest["indexed"] == 5 && rest["skipped"] == 1, "\(rest)")
    for path in ["/sitemap.xml", "/map1.xml.gz", "/map2.xml", "/p/5"] {
      #expect(site.requests.count { $0 == path } == 1, "\(path)")
    }
  }

  @Test func `a sitemap may be larger than a page`() throws {
    let site = try Site(pageCount: 2)
    defer { site.stop() }
    let found = try counts(try crawl(Store(), [site.url("/mapbig.xml")]))
    #expect(found["indexed"] == 1 && found["skipped"] == 1 && found["rejected"] == 0, "\(found)")
  }

  @Test func `a sitemap is one whatever type it is served as`() throws {
    let site = try Site(pageCount: 2)
    defer { site.stop() }
    let found = try counts(try crawl(Store(), [site.url("/maphtml.xml")]))
    #expect(found["indexed"] == 1 && found["skipped"] == 1, "\(found)")
  }
}
