import Foundation
import Testing

/// Crawls that do not run to their end undisturbed.
@Suite(.enabled(if: LogReader.isPresent, "needs python3")) struct UnfinishedCrawlTests {
  private static let web = ["import", "web", "--allow-private", "--json"]

  private func waitFor(_ count: Int, of site: Site) {
    for _ in 0..<12_000 {
      guard site.requests.count < count else { return }
      usleep(5_000)
    }
  }

  @Test func `a crawl beside which another one began goes on where it was`() throws {
    let site = try Site(pageCount: 1, holdingAt: 3)
    defer { site.stop() }
    let store = Store()
    let arguments =
      Self.web + [site.url("/trap/0"), "--depth", "99", "--max-pages", "6", "--delay", "0"]
    let running = try store.start(arguments)
    waitFor(4, of: site)
    #expect(try store.run(Self.web + ["http://127.0.0.1:9/", "--delay", "0"]).status == 75)
    try site.release()
    #expect(running.finish().status == 0)
    let rows = try store.run(arguments).objects()
    #expect(rows.first?["indexed"] as? Int == 6, "\(rows)")
  }

  @Test func `an interrupt says what a crawl has kept`() throws {
    let site = try Site(pageCount: 1, holdingAt: 3)
    defer { site.stop() }
    let running = try Store().start(
      Self.web + [site.url("/trap/0"), "--depth", "99", "--delay", "0.6"])
    waitFor(4, of: site)
    running.kill(SIGINT)
    let result = running.finish()
    #expect(result.status == 130)
    #expect(result.errors.hasPrefix("cairn: interrupted: 2 events kept"), "\(result.errors)")
  }
}
