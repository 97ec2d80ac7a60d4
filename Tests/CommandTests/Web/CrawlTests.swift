import Foundation
import Testing

/// `import web URL` against a site on this machine, which has everything that sites do to crawlers.
@Suite(.enabled(if: LogReader.isPresent, "needs python3")) struct CrawlTests {
  private struct Row: Decodable {
    var item: String
    var title: String?
  }

  @Test func `a site is taken in once, and then what has changed`() throws {
    let site = try Site(pageCount: 120)
    defer { site.stop() }
    let store = Store()
    let result = try crawl(store, [site.url("/"), "--site"])
    var first = try counts(result)
    #expect(result.status == 0, "\(result.errors)")
    // The pages of the sitemaps, and the start.
    #expect(first["indexed"] == 121 && first["accepted"] == 121, "\(first)")
    #expect(site.requests.contains("/map1.xml.gz") && !site.requests.contains("/private/1"))
    #expect(site.agents.allSatisfy { $0.hasPrefix("Cairn/") && $0.contains("(+") })
    let before = site.requests.count
    first = try counts(try crawl(store, [site.url("/"), "--site"]))
    #expect(first["accepted"] == 0 && first["unchanged"] == 121, "\(first)")
    #expect(first["notModified"] ?? 0 > 0, "\(first)")
    // Half of the pages have a time in the sitemap that spares the request.
    #expect(site.requests.count - before < 70)
    try site.change()
    let changed = try counts(try crawl(store, [site.url("/"), "--site"]))
    #expect(changed["changed"] == 3 && changed["deleted"] == 1, "\(changed)")
    #expect(changed["accepted"] == 4)
    let items = try store.json(["items"], as: Row.self)
    #expect(items.count == 120 && items.contains { $0.title == "Page 20 anew" })
    // What a purge takes, a crawl has forgotten.
    #expect(try store.run("purge", "--domain", "web", "--yes").status == 0)
    for file in try FileManager.default.contentsOfDirectory(atPath: store.path) {
      let bytes = try Data(contentsOf: URL(filePath: store.path + "/" + file))
      #expect(bytes.range(of: Data("/p/20".utf8)) == nil, "\(file)")
    }
  }

  @Test func `a sitemap is asked for once, whatever names it`() throws {
    let site = try Site(pageCount: 4)
    defer { site.stop() }
    let maps = ["/sitemap.xml", "/map1.xml.gz", "/map2.xml", "/missing.xml"]
    let found = try counts(
      try crawl(Store(), [site.url("/map2.xml"), site.url("/sitemap.xml"), "--site"]))
    #expect(found["indexed"] == 4 && found["skipped"] == 2, "\(found)")
    for map in maps { #expect(site.requests.count { $0 == map } == 1, "\(map)") }
    // Without --site a source is one as well, and another names it.
    let before = site.requests.count
    let again = try counts(
      try crawl(Store(), [site.url("/map2.xml"), site.url("/sitemap.xml")]))
    #expect(again["indexed"] == 4 && again["skipped"] == 2, "\(again)")
    for map in maps { #expect(site.requests[before...].count { $0 == map } == 1, "\(map)") }
  }

  @Test func `a URL that is too long is refused, and the others are asked for`() throws {
    let site = try Site(pageCount: 2)
    defer { site.stop() }
    let long = site.url("/p/1?" + String(repeating: "x", count: 4_096))
    let result = try crawl(Store(), [long, site.url("/p/1")])
    let found = try counts(result)
    #expect(result.status == 65 && found["rejected"] == 1 && found["indexed"] == 1, "\(found)")
    #expect(result.errors.contains("its URL is longer than 4096 bytes"))
  }

  @Test func `what sites do to crawlers costs the page, never the crawl`() throws {
    let site = try Site(pageCount: 3)
    defer { site.stop() }
    func outcome(_ path: String, _ more: String...) throws -> (String, String, Int32) {
      let result = try Store().run(
        ["import", "web", site.url(path), "--dry-run", "--allow-private", "--delay", "0"]
          + ["--timeout", "2", "--json"] + more)
      let row = try result.objects().first
      return (row?["action"] as? String ?? "", row?["reason"] as? String ?? "", result.status)
    }
    #expect(try outcome("/private/1").0 == "disallowed")
    #expect(try outcome("/p/1").0 == "index")
    #expect(try outcome("/gone").0 == "gone")
    let moved = try outcome("/moved")
    #expect(moved.0 == "index" && moved.2 == 0)
    let loop = try outcome("/loop1")
    #expect(loop.0 == "failed" && loop.1.contains("circle") && loop.2 == 75)
    #expect(try outcome("/hops/1").1.contains("redirects"))
    #expect(try outcome("/err500").2 == 75 && site.requests.count { $0 == "/err500" } == 3)
    let shouted = site.url("/p/1").replacing("http:", with: "HTTP:")
    let loud = try crawl(Store(), [shouted])
    #expect(try counts(loud)["indexed"] == 1, "\(loud.errors)")
    let slow = try outcome("/slow")
    #expect(slow.0 == "failed" && slow.1.contains("too long") && slow.2 == 75)
    let big = try outcome("/big")
    #expect(big.0 == "rejected" && big.1.contains("larger") && big.2 == 65)
    let bomb = try outcome("/bomb")
    #expect(bomb.0 == "rejected" && bomb.1.contains("unpacked"))
    let picture = try outcome("/image")
    #expect(picture.0 == "skipped" && picture.1 == "no page: image/png")
    let image = try RunningProcess(
      Store.binary, ["inspect", site.url("/image"), "--allow-private", "--json"]
    ).finish()
    #expect(try image.objects().first?["item"] is NSNull)
    #expect(image.errors.contains("its type is that of no page"))
    #expect(try outcome("/challenge").0 == "skipped")
    #expect(try outcome("/cut").0 == "failed")
    for path in ["/latin", "/folded"] {
      let latin = try RunningProcess(
        Store.binary, ["inspect", site.url(path), "--allow-private", "--json"]
      ).finish()
      #expect(try latin.objects().first?["title"] as? String == "Käse")
    }
    // Without leave nothing on this machine is asked.
    let asked = site.requests.count
    let refused = try Store().run("import", "web", site.url("/p/1"), "--json")
    #expect(refused.status == 65 && refused.errors.contains("--allow-private"))
    let inspected = try RunningProcess(Store.binary, ["inspect", site.url("/p/1")]).finish()
    #expect(inspected.status == 65)
    #expect(site.requests.count == asked)
    let dead = try Store().run(
      "import", "web", "http://127.0.0.1:9/", "--allow-private", "--delay", "0", "--json")
    #expect(dead.status == 75, "\(dead.errors)")
  }

  @Test func `links are followed as far as told, and a trap ends at the limit`() throws {
    let site = try Site(pageCount: 5)
    defer { site.stop() }
    let store = Store()
    let two = try counts(try crawl(store, [site.url("/trap/0"), "--depth", "2", "--same-host"]))
    #expect(two["indexed"] == 3, "\(two)")
    let limited = try crawl(
      Store(), [site.url("/trap/0"), "--depth", "1000", "--max-pages", "15", "--same-host"])
    #expect(limited.status == 0)
    #expect(try counts(limited)["fetched"] == 15)
  }

  @Test func `a page that could not be had is asked for again where the crawl goes on`() throws {
    let site = try Site(pageCount: 3)
    defer { site.stop() }
    let store = Store()
    let pages = [site.url("/err500"), site.url("/p/1"), site.url("/p/2")]
    for (more, fetched) in [(["--max-pages", "2"], 2), ([], 2), ([], 3)] {
      let result = try crawl(store, pages + more)
      #expect(result.status == 75)
      let counts = try counts(result)
      #expect(counts["failed"] == 1 && counts["fetched"] == fetched, "\(counts)")
    }
    #expect(try store.json(["items"], as: Row.self).count == 2)
  }

  @Test func `what has not changed stays so, and is read again for its links`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let store = Store()
    _ = try crawl(store, [site.url("/tagged/1")])
    // An answer without content says nothing anew of the page, and takes nothing back.
    for _ in 0..<3 {
      #expect(try counts(try crawl(store, [site.url("/tagged/1")]))["notModified"] == 1)
    }
    let one = try counts(try crawl(store, [site.url("/tagged/1"), "--depth", "1"]))
    #expect(one["indexed"] == 1 && one["unchanged"] == 1 && one["notModified"] == 0, "\(one)")
    let again = try counts(try crawl(store, [site.url("/tagged/1"), "--depth", "1"]))
    #expect(again["notModified"] == 2 && again["accepted"] == 0, "\(again)")
    let two = try counts(try crawl(store, [site.url("/tagged/1"), "--depth", "2"]))
    #expect(two["indexed"] == 1 && two["unchanged"] == 2, "\(two)")
    let all = try counts(try crawl(store, [site.url("/tagged/1"), "--depth", "2"]))
    #expect(all["notModified"] == 3 && all["accepted"] == 0, "\(all)")
  }

  @Test func `a page that was gone for a while comes back as it was`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let store = Store()
    #expect(try counts(try crawl(store, [site.url("/back")]))["indexed"] == 1)
    try site.change()
    #expect(try counts(try crawl(store, [site.url("/back")]))["deleted"] == 1)
    try site.changeBack()
    #expect(try counts(try crawl(store, [site.url("/back")]))["indexed"] == 1)
    #expect(try counts(try crawl(store, [site.url("/back")]))["notModified"] == 1)
  }

  @Test func `of pages that are one item the same one tells of it each time`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let store = Store()
    let urls = [site.url("/twin/1"), site.url("/twin/2")]
    #expect(try counts(try crawl(store, urls))["indexed"] == 1)
    for _ in 0..<2 {
      let again = try counts(try crawl(store, urls))
      #expect(again["accepted"] == 0 && again["notModified"] == 1, "\(again)")
    }
  }

  @Test func `a link that failed is followed again, though its page has not changed`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let store = Store()
    let arguments = [site.url("/parent"), "--depth", "1"]
    let failed = try crawl(store, arguments)
    #expect(failed.status == 75)
    #expect(try counts(failed)["indexed"] == 1)
    try site.change()
    let had = try counts(try crawl(store, arguments))
    #expect(had["indexed"] == 1 && had["unchanged"] == 1, "\(had)")
    let again = try counts(try crawl(store, arguments))
    #expect(again["notModified"] == 1 && again["accepted"] == 0, "\(again)")
  }

  @Test func `a page that the schema refused is asked for whole when it may be taken`() throws {
    let site = try Site(pageCount: 20)
    defer { site.stop() }
    let store = Store()
    let schema =
      #"{"cairnSchema":1,"domains":{"web":{"attributes":{"title":"#
      + #"{"type":"text","maxLength":7}}}}}"#
    let file = try Scratch.file("schema.json", Data(schema.utf8))
    #expect(try counts(try crawl(store, [site.url("/p/20")]))["indexed"] == 1)
    #expect(try store.run("schema", "set", file).status == 0)
    try site.change()
    let refused = try crawl(store, [site.url("/p/20")])
    #expect(refused.status == 65 && refused.errors.contains("/p/20: title: maxLength: "))
    #expect(try counts(refused)["rejected"] == 1)
    #expect(try store.run("schema", "undo").status == 0)
    #expect(try counts(try crawl(store, [site.url("/p/20")]))["changed"] == 1)
  }

  @Test func `a page that led elsewhere is asked for whole when it is one of its own`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let store = Store()
    _ = try crawl(store, [site.url("/lent")])
    try site.change()
    #expect(try counts(try crawl(store, [site.url("/lent")]))["changed"] == 1)
    #expect(try store.json(["items"], as: Row.self).map(\.title) == ["Own"])
  }

  @Test func `a page that has not changed goes where its fields ask for it`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let store = Store()
    _ = try crawl(store, [site.url("/fields")])
    try site.change()
    let gone = try counts(try crawl(store, [site.url("/fields")]))
    #expect(gone["noindex"] == 1 && gone["deleted"] == 1 && gone["notModified"] == 1, "\(gone)")
    try site.changeBack()
    #expect(try counts(try crawl(store, [site.url("/fields")]))["indexed"] == 1)
  }

  @Test func `a page joins what an app indexes after it, changed or not`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let store = Store()
    _ = try crawl(store, [site.url("/fields")])
    let event = #"{"kind":"index","item":"app","domain":"com.app","attributes":{"title":"App","#
    let line = event + #""webpageURL":"\#(site.url("/fields"))"}}"#
    try #require(try store.append(Data(line.utf8)).accepted == 1)
    #expect(try counts(try crawl(store, [site.url("/fields")]))["notModified"] == 0)
    #expect(try store.json(["items"], as: Row.self).map(\.title) == ["App"])
    // Then nothing is left to join.
    #expect(try counts(try crawl(store, [site.url("/fields")]))["notModified"] == 1)
  }

  @Test func `what a page moved to for good is gone with it`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let store = Store()
    #expect(try counts(try crawl(store, [site.url("/o")]))["indexed"] == 1)
    try site.change()
    #expect(try counts(try crawl(store, [site.url("/o")]))["deleted"] == 1)
    // Nor does an older capture bring it to light, where nothing was known of it.
    let other = Store("other")
    #expect(try counts(try crawl(other, [site.url("/o")]))["gone"] == 1)
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Back</title>"
    let capture = """
      WARC/1.1\r
      WARC-Type: response\r
      WARC-Target-URI: \(site.url("/back"))\r
      WARC-Date: 2020-01-01T00:00:00Z\r
      Content-Type: application/http; msgtype=response\r
      Content-Length: \(page.utf8.count)\r
      \r
      \(page)\r
      \r

      """
    let archive = try Scratch.file("back.warc", Data(capture.utf8))
    #expect(try counts(try other.run("import", "web", archive, "--json"))["older"] == 1)
  }

  @Test func `crawls of one store keep a queue each`() throws {
    let site = try Site(pageCount: 6)
    defer { site.stop() }
    let store = Store()
    let pages = (1...4).map { site.url("/p/\($0)") }
    _ = try crawl(store, pages + ["--max-pages", "3"])
    _ = try crawl(store, [site.url("/p/5"), site.url("/p/6"), "--max-pages", "1"])
    #expect(try counts(try crawl(store, pages + ["--max-pages", "3"]))["fetched"] == 1)
    #expect(try counts(try crawl(store, [site.url("/p/5"), site.url("/p/6")]))["fetched"] == 1)
    #expect(try store.json(["items"], as: Row.self).count == 6)
  }

  @Test func `crawls of one store may begin at once`() throws {
    let site = try Site(pageCount: 2)
    defer { site.stop() }
    let store = Store()
    let urls = [site.url("/p/1"), site.url("/p/2")]
    _ = try crawl(store, urls)
    let arguments = ["import", "web", "--allow-private", "--delay", "0"] + urls
    for running in try (0..<6).map({ _ in try store.start(arguments) }) {
      let result = running.finish()
      #expect(result.status == 0, "\(result.errors)")
    }
    #expect(try store.json(["items"], as: Row.self).count == 2)
  }

  @Test func `a page that another import took meanwhile is unchanged`() throws {
    let site = try Site(pageCount: 2, holdingAt: 2)
    defer { site.stop() }
    let store = Store()
    let urls = [site.url("/p/1"), site.url("/p/2")]
    let running = try store.start(
      ["import", "web", "--allow-private", "--delay", "0", "--json"] + urls)
    // The rules, a page, and the page that is not answered yet.
    for _ in 0..<12_000 {
      guard site.requests.count < 3 else { break }
      usleep(5_000)
    }
    try #require(site.requests.count == 3)
    let html = "<title>Page 2</title><p>Some words 2<a href='/private/1'>x</a>"
    let file = try Scratch.file("p2.html", Data(html.utf8))
    let other = try store.run("import", "web", file, "--base", urls[1], "--json")
    #expect(try counts(other)["indexed"] == 1, "\(other.errors)")
    try site.release()
    let had = try counts(running.finish())
    #expect(had["accepted"] == 1 && had["duplicates"] == 1, "\(had)")
    #expect(had["indexed"] == 1 && had["unchanged"] == 1 && had["pages"] == 2, "\(had)")
    #expect(try store.json(["items"], as: Row.self).count == 2)
  }

  @Test func `what one host has too many of waits for the next run`() throws {
    let site = try Site(pageCount: 5)
    defer { site.stop() }
    let store = Store()
    let arguments = (1...5).map { site.url("/p/\($0)") } + ["--max-per-host", "2"]
    for fetched in [2, 2, 1] {
      let result = try crawl(store, arguments)
      #expect(try counts(result)["fetched"] == fetched && result.status == 0)
    }
    #expect(try store.json(["items"], as: Row.self).count == 5)
  }

  @Test func `what rules forbid is no request that counts`() throws {
    let site = try Site(pageCount: 2)
    defer { site.stop() }
    let urls = ["/private/1", "/private/2", "/p/1", "/p/2"].map { site.url($0) }
    let found = try counts(try crawl(Store(), urls + ["--max-pages", "2"]))
    #expect(found["disallowed"] == 2 && found["indexed"] == 2, "\(found)")
  }

  @Test func `a host is left alone between all requests`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let start = ContinuousClock.now
    let result = try Store().run(
      "import", "web", site.url("/moved"), "--allow-private", "--delay", "0.3", "--json")
    // The rules, the page, and where it leads.
    #expect(result.status == 0 && site.requests.count == 3, "\(site.requests)")
    #expect(start.duration(to: .now) >= .milliseconds(600))
  }

  @Test func `what a server says unasked is no answer of the next page`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let result = try Store().run(
      "import", "web", site.url("/hasty/1"), site.url("/hasty/2"), "--allow-private", "--delay",
      "0.5", "--json")
    #expect(try counts(result)["indexed"] == 2, "\(result.errors)")
  }

  @Test func `links of a page that is elsewhere are relative to that place`() throws {
    let site = try Site(pageCount: 1)
    defer { site.stop() }
    let found = try counts(try crawl(Store(), [site.url("/led"), "--depth", "1"]))
    #expect(found["indexed"] == 1, "\(found)")
    #expect(site.requests.contains("/dir/child") && !site.requests.contains("/child"))
  }

  @Test func `a crawl that was killed goes on, and fetches nothing twice that was acknowledged`()
    throws
  {
    let site = try Site(pageCount: 600, holdingAt: 250)
    defer { site.stop() }
    let store = Store()
    let arguments = ["import", "web", site.url("/"), "--site", "--allow-private"]
    let running = try store.start(arguments + ["--delay", "0.01"])
    for _ in 0..<12_000 {
      guard site.requests.count < 250 else { break }
      usleep(5_000)
    }
    try #require(site.requests.count >= 250)
    running.kill(SIGKILL)
    #expect(running.finish().signal == SIGKILL)
    try site.release()
    let had = try store.headNow() == 0 ? [] : store.json(["items"], as: Row.self).map(\.item)
    #expect(!had.isEmpty)
    let before = site.requests.count
    let result = try store.run(arguments + ["--delay", "0"])
    #expect(result.status == 0, "\(result.errors)")
    let again = site.requests[before...]
    let twice = Set(had).intersection(again.map { site.url($0) })
    #expect(twice.isEmpty, "\(twice.count) of \(had.count)")
    let items = try store.json(["items"], as: Row.self).map(\.item)
    #expect(items.count == 601, "\(items.count), \(String(decoding: result.output, as: UTF8.self))")
    #expect(try store.run("verify").status == 0)
  }
}
