import Foundation
import Testing

/// `inspect` and `weblink`, as users call them.
@Suite struct InspectTests {
  private func run(_ arguments: String..., input: String? = nil) throws -> ProcessResult {
    try RunningProcess(Store.binary, arguments).finish(input: input.map { Data($0.utf8) })
  }

  private func object(_ line: some Sequence<UInt8>) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
  }

  @Test func `a page on standard input is shown with the item it becomes`() throws {
    let html =
      "<title>Soup</title><meta name=description content=Hot><script type=application/ld+json>{</script>"
    let result = try run("inspect", "-", "--base", "https://a.example/x#y", "--json", input: html)
    #expect(result.status == 0)
    let page = try object(result.output)
    #expect(page["url"] as? String == "https://a.example/x")
    #expect(page["urlFrom"] as? String == "base")
    #expect((page["item"] as? [String: Any])?["domain"] as? String == "web.example.a")
    #expect(page["missing"] as? [String] == ["deepLink", "image"])
    let fault = try #require((page["malformed"] as? [[String: Any]])?.first)
    #expect(
      fault["kind"] as? String == "json" && fault["line"] as? Int == 1
        && fault["column"] as? Int == 89)
    let text = try run("inspect", "-", input: html)
    #expect(String(decoding: text.output, as: UTF8.self).contains("title: Soup\n"))
  }

  @Test func `a folder gives its pages in byte order, with what stands beside them`() throws {
    let folder = Scratch.path("pages")
    try FileManager.default.createDirectory(
      atPath: folder + "/b c", withIntermediateDirectories: true)
    for (name, text) in [
      ("b c/index.html", "<title>2</title>"), ("a.htm", "<title>1</title>"),
      ("a.htm.url", "\u{feff}https://s.example/1\n"),
      ("a.htm.headers", "HTTP/1.1 200 OK\r\nContent-Language: pt\r\n"),
      (".x.html", "<title>no</title>"), ("y.txt", "no"),
      ("z.html", "<title>3</title>"),
      ("z.html.url", "[InternetShortcut]\r\nurl=https://s.example/3\r\n"),
    ] { try Data(text.utf8).write(to: URL(filePath: folder + "/" + name)) }
    let plain = try run("inspect", folder, "--json")
    let pages = try plain.output.split(separator: 0x0A).map { try object($0) }
    #expect(pages.map { $0["title"] as? String } == ["1", "2", "3"])
    #expect(
      pages.map { $0["url"] as? String } == ["https://s.example/1", nil, "https://s.example/3"])
    #expect(pages.first?["language"] as? String == "pt" && pages.first?["status"] as? Int == 200)
    let based = try run("inspect", folder, "--base", "https://b.example/r", "--json")
    let urls = try based.output.split(separator: 0x0A).map { try object($0)["url"] as? String }
    #expect(
      urls == [
        "https://b.example/r/a.htm", "https://b.example/r/b%20c/", "https://b.example/r/z.html",
      ])
  }

  @Test func `a page whose name is no text is said, and the others are read`() throws {
    let folder = Scratch.path("names")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    // Foundation knows no such names.
    let script = #"for n in a 'b\344' c; do echo "<title>$n" > "$0/$(printf "$n").html"; done"#
    let made = try RunningProcess("sh", ["-c", script, folder]).finish()
    try #require(made.status == 0, "\(made.errors)")
    let result = try run("inspect", folder, "--json")
    let titles = try result.output.split(separator: 0x0A).map { try object($0)["title"] as? String }
    #expect(titles == ["a", "c"])
    #expect(result.status == 65 && result.errors.contains("its name is not UTF-8"))
    let found = try Store().run(
      "import", "web", folder, "--base", "https://b.example/", "--dry-run")
    #expect(found.status == 65 && found.errors.contains("its name is not UTF-8"))
  }

  @Test func `what is no page ends with the code that says why`() throws {
    #expect(try run("inspect", "/nowhere.html").status == 66)
    #expect(try run("inspect").status == 64)
    #expect(try run("inspect", "http://127.0.0.1:9/").status == 65)
    #expect(try run("inspect", "-", "--base", "nonsense", input: "").status == 64)
    #expect(try run("inspect", "http://[::1").status == 64)
    let secret = try run("inspect", "https://ann:secret@127.0.0.1:9/")
    #expect(secret.status == 65 && !secret.errors.contains("secret"))
    let url = "ftp://127.0.0.1/a.html"
    for other in [try run("inspect", url), try Store().run("import", "web", url)] {
      #expect(other.status == 66 && other.errors.contains("http and https alone"))
    }
    let broken = try Scratch.file("broken.har", Data("{\"log\":".utf8))
    let result = try run("inspect", broken)
    #expect(result.status == 65 && result.errors.contains("line 1, column 8"))
    let large = try Scratch.file("large.html", Data(count: 17 << 20))
    #expect(try run("inspect", large).status == 65)
  }

  @Test func `a file that holds no page is told of`() throws {
    let path = try Scratch.file("x.pdf", Data("%PDF-1.4\n".utf8))
    let result = try Shell.run(Store.binary, "inspect", path)
    #expect(
      result.status == 0 && result.output.isEmpty && result.errors == "\(path): holds no page\n")
  }

  @Test func `a source that cannot be had keeps nobody from the others`() throws {
    let first = try Scratch.file("first.html", Data("<title>First</title>".utf8))
    let last = try Scratch.file(
      "last.html", Data("<title>Last</title><meta name=robots content=none>".utf8))
    let broken = try Scratch.file("broken.har", Data("{\"log\":".utf8))
    func ends(_ source: String, _ status: Int32) throws {
      let result = try run("inspect", first, source, last)
      let text = String(decoding: result.output, as: UTF8.self)
      #expect(text.contains("title: First\n") && text.contains("title: Last\n"), "\(source)")
      #expect(text.contains("robots: noindex, nosnippet, nofollow\n"))
      #expect(result.status == status && result.errors.contains(source), "\(result.errors)")
    }
    try ends("/nowhere.html", 66)
    try ends("http://127.0.0.1:9/", 65)
    try ends(broken, 65)
    #expect(try run("inspect", "/nowhere.html", broken).status == 65)
  }

  @Test(arguments: ["", "x\r\nCookie: a", "a b", "Käfer", "/1.0"])
  func `what is no name of a crawler is not sent as one`(agent: String) throws {
    let result = try run("inspect", "http://127.0.0.1:9/", "--agent", agent)
    #expect(result.status == 64 && result.errors.contains("--agent takes"), "\(result.errors)")
  }

  @Test func `an association file says which app opens a URL`() throws {
    let file = try Scratch.file(
      "aasa",
      Data(
        #"{"applinks":{"details":[{"appIDs":["T.app"],"components":[{"/":"/n/*","exclude":true},{"/":"/*"}]}]}}"#
          .utf8))
    let opened = try run("weblink", "check", file, "https://a.example/x", "--json")
    #expect(opened.status == 0)
    let verdict = try object(opened.output)
    #expect(
      Set(verdict.keys) == [
        "url", "opens", "appIDs", "form", "detail", "rule", "pattern", "excluded", "warnings",
      ])
    #expect(verdict["opens"] as? String == "app" && verdict["rule"] as? Int == 1)
    let refused = try run("weblink", "check", file, "https://a.example/n/1", "--json")
    #expect(refused.status == 1)
    #expect(try object(refused.output)["excluded"] as? Bool == true)
    #expect(try run("weblink", "check", "-", "https://a.example/", input: "{").status == 65)
    #expect(try run("weblink", "check", "/nowhere", "https://a.example/").status == 66)
  }

  @Test func `a robots file says what a crawler may fetch`() throws {
    let file = try Scratch.file("robots.txt", Data("User-agent: *\nDisallow: /x*\n".utf8))
    let result = try run(
      "weblink", "robots", file, "https://a.example/y", "https://a.example/x1", "--json")
    #expect(result.status == 1)
    let rows = try result.output.split(separator: 0x0A).map { try object($0) }
    #expect(rows.map { $0["allowed"] as? Bool } == [true, false])
    #expect(rows.last?["rule"] as? String == "/x*" && rows.last?["line"] as? Int == 2)
    #expect(try run("weblink", "robots", file, "https://a.example/y").status == 0)
    #expect(try run("weblink", "robots", "/nowhere", "https://a.example/y").status == 66)
  }
}
