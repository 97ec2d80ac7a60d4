import Foundation
import Testing

// Archives, and captures of one page at several times.

extension ImportWebTests {
  private func record(_ type: String, _ url: String, _ time: String, _ content: String) -> String {
    """
    WARC/1.1\r
    WARC-Type: \(type)\r
    WARC-Target-URI: \(url)\r
    WARC-Date: \(time)\r
    Content-Type: application/http; msgtype=response\r
    Content-Length: \(content.utf8.count)\r
    \r
    \(content)\r
    \r

    """
  }

  @Test func `a copy leaves the item to the page that it is a copy of`() throws {
    let store = Store()
    let base = ["--base", "https://c.example/"]
    let folder = try folder([
      ("a.html", "<title>Print</title><link rel=canonical href=b.html>"),
      ("b.html", "<title>Real</title><link rel=canonical href=b.html>"),
    ])
    _ = try imported(store, folder, base[0], base[1])
    for _ in 0..<2 {
      let again = try imported(store, folder, base[0], base[1])
      #expect(again["accepted"] == 0 && again["unchanged"] == 2, "\(again)")
    }
    #expect(try shown(store, "https://c.example/b.html").title == "Real")
    try write("HTTP/1.1 404 Not Found\n", folder + "/a.html.headers")
    #expect(try imported(store, folder, base[0], base[1])["deleted"] == 0)
    #expect(try store.run("show", "https://c.example/b.html").status == 0)
  }

  @Test func `a page keeps the item that is named after it, whoever told of it before`() throws {
    let store = Store()
    let base = ["--base", "https://c.example/"]
    let folder = try folder([
      ("a.html", "<title>Print</title><link rel=canonical href=b.html>"),
      ("b.html", "<title>Real</title>"),
    ])
    func titles() throws -> [String?] {
      _ = try imported(store, folder, base[0], base[1])
      return try store.json(["items"], as: Shown.self).map(\.title).sorted { $0 ?? "" < $1 ?? "" }
    }
    // The copy comes first, and the other one does not say that it is no copy.
    #expect(try titles() == ["Real"])
    #expect(try imported(store, folder, base[0], base[1])["accepted"] == 0)
    try write("<title>Print</title>", folder + "/a.html")
    #expect(try titles() == ["Print", "Real"])
    try write("<title>Print</title><meta property=og:url content=b.html>", folder + "/c.html")
    #expect(try titles() == ["Print", "Real"])
    #expect(try imported(store, folder, base[0], base[1])["accepted"] == 0)
  }

  @Test func `the type beside a file counts as on the wire`() throws {
    let folder = try folder([
      ("a.html", "<title>A</title>"),
      ("a.html.headers", "Content-Type: text/html\nContent-Type: text/plain\n"),
      ("b.html", "<title>B</title>"),
      (
        "b.html.headers",
        "HTTP/1.1 301 Moved\r\nX-Robots-Tag: none\r\n\r\nHTTP/2 200\r\ncontent-type: Text/HTML; a=b\r\n"
      ),
      ("c.html", "C"), ("c.html.headers", "HTTP/1.1 410 Gone\nContent-Type: text/plain\n"),
    ])
    let plan = try actions(Store(), folder, "--base", "https://www.a.example/")
    #expect(plan.map(\.action) == ["skipped", "index", "gone"])
  }

  @Test func `a file beside a page that is too large keeps no page out`() throws {
    let fields = "X-Robots-Tag: noindex\n" + String(repeating: "a: b\n", count: 3_500_000)
    let folder = try folder([
      ("a.html", "<title>A</title>"), ("a.html.headers", fields), ("b.html", "<title>B</title>"),
    ])
    let plan = try actions(Store(), folder, "--base", "https://www.a.example/")
    #expect(plan.map(\.action) == ["noindex", "index"])
  }

  @Test func `pages of one import belong where the next one finds that they do`() throws {
    let store = Store()
    let named = "<meta property=og:url content=https://c.example/x>"
    func link(_ url: String) -> String { "<meta property=al:ios:url content='\(url)'>" }
    let copied = "<link rel=canonical href=d.html>"
    let folder = try folder([
      ("a.html", "<title>A</title>\(named)"),
      ("b.html", "<title>B</title>\(named)\(link("app://x/1"))\(link("app://x/2"))"),
      ("c.html", "<title>C</title>\(link("app://x/3"))\(copied)"),
      ("e.html", "<title>E</title>\(copied)"), ("f.html", "<title>F</title>\(link("app://x/2"))"),
    ])
    // What a page is named by besides is nobody's item.
    let first = try imported(store, folder, "--base", "https://c.example/")
    #expect(first["indexed"] == 4 && first["unchanged"] == 1, "\(first)")
    let again = try imported(store, folder, "--base", "https://c.example/")
    #expect(again["accepted"] == 0 && again["unchanged"] == 5, "\(again)")
  }

  @Test func `pages that give the front page as theirs are items of their own`() throws {
    let store = Store()
    let front = "<meta property=og:url content='https://c.example/'>"
    let folder = try folder([
      ("index.html", "<title>Front</title>\(front)"), ("a.html", "<title>Soup</title>\(front)"),
      ("b.html", "<title>Stew</title>\(front)"),
    ])
    #expect(try imported(store, folder, "--base", "https://c.example/")["indexed"] == 3)
    #expect(try shown(store, "https://c.example/b.html").title == "Stew")
  }

  @Test func `an archive gives its pages, and what lies before damage is taken`() throws {
    let store = Store()
    let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    let chunked = answer + "Transfer-Encoding: chunked\r\n\r\n7\r\n<title>\r\n3\r\nOne\r\n0\r\n\r\n"
    let records = [
      record("warcinfo", "", "2020-01-01T00:00:00Z", "software: x"),
      record("response", "https://w.example/1", "2020-01-01T00:00:00Z", chunked),
      record("response", "https://w.example/2", "2020-01-02T00:00:00Z", answer + "\r\n<title>Two"),
      record("response", "https://w.example/2", "2019-01-02T00:00:00Z", answer + "\r\n<title>Old"),
      record("revisit", "https://w.example/1", "2020-02-01T00:00:00Z", ""),
      record(
        "response", "https://w.example/i", "2020-01-01T00:00:00Z", "HTTP/1.1 301 Moved\r\n\r\n"),
      record("response", "https://w.example/1", "2020-03-01T00:00:00Z", "HTTP/1.1 404 No\r\n\r\n"),
    ]
    let path = try Scratch.file("a.warc", Data(records.joined().utf8))
    #expect(
      try actions(store, path).map(\.action) == [
        "skipped", "index", "index", "older", "unchanged", "skipped", "gone",
      ])
    let counts = try imported(store, path)
    #expect(counts["accepted"] == 3 && counts["deleted"] == 1)
    #expect(try shown(store, "https://w.example/2").title == "Two")
    #expect(try imported(store, path)["accepted"] == 0)
    let cut = try Scratch.file("b.warc", Data(records.joined().utf8.prefix(900)))
    let other = Store()
    let result = try other.run("import", "web", cut)
    #expect(result.status == 65 && result.errors.contains("b.warc"), "\(result.errors)")
    #expect(try shown(other, "https://w.example/1").title == "One")
  }

  @Test func `an archive is read as its writers leave it, and never ends in silence`() throws {
    func page(_ name: String, _ fields: String = "") -> String {
      let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\(fields)\r\n<title>\(name)"
      return record("response", "https://w.example/\(name)", "2020-01-01T00:00:00Z", answer)
    }
    let (one, two) = (page("One"), page("Two", "Content-Encoding: gzip\r\n"))
    let close = try Scratch.file("a.warc", Data((one.dropLast(2) + two.dropLast(2)).utf8))
    #expect(try actions(Store(), close).map(\.title) == ["One", "Two"])
    let paths = try [one, two].map { try Scratch.file("part", Data($0.utf8)) }
    let script = "(gzip -c '\(paths[0])'; printf junk; gzip -c '\(paths[1])') > "
    let packed = Scratch.path("pages") + ".warc.gz"
    #expect(try Shell.run("/bin/sh", "-c", script + "'\(packed)'").status == 0)
    let store = Store()
    let result = try store.run("import", "web", packed)
    #expect(result.status == 65 && result.errors.contains("something else"), "\(result.errors)")
    #expect(try store.json(["items"], as: Shown.self).map(\.title) == ["One"])
    let old = Scratch.path("old") + ".warc"
    try write(one.replacing("WARC/1.1", with: "WARC/0.18"), old)
    let refused = try store.run("import", "web", old, "--base", "https://w.example/")
    #expect(refused.status == 65 && refused.errors.contains("is no web archive"))
  }

  @Test func `an older capture that is imported later changes nothing, whatever it would join`()
    throws
  {
    let store = Store()
    let url = "https://w.example/p"
    func archive(_ month: Int, _ answer: String) throws -> String {
      let record = record("response", url, "2020-0\(month)-01T00:00:00Z", "HTTP/1.1 " + answer)
      return try Scratch.file("a.warc", Data(record.utf8))
    }
    func page(_ title: String) -> String {
      "200 OK\r\nContent-Type: text/html\r\n\r\n<title>\(title)</title>"
    }
    let (old, new) = (try archive(1, page("Old")), try archive(3, page("New")))
    func expectOlder() throws {
      let counts = try imported(store, old)
      #expect(counts["older"] == 1 && counts["accepted"] == 0, "\(counts)")
    }
    #expect(try imported(store, new)["indexed"] == 1)
    try expectOlder()
    #expect(try shown(store, url).title == "New")
    try store.append(
      Data(#"{"kind":"index","item":"app","attributes":{"contentURL":"\#(url)"}}"#.utf8))
    try expectOlder()
    #expect(try imported(store, new)["changed"] == 1)
    try expectOlder()
    #expect(try store.json(["items"], as: Shown.self).map(\.title) == ["New"])
    #expect(try imported(store, try archive(4, "404 No\r\n\r\n"))["deleted"] == 1)
    try expectOlder()
    #expect(try shown(store, "app").title == nil)
  }

  @Test func `a capture between two imported ones that are alike changes nothing`() throws {
    let store = Store()
    let pages = try folder([("p.html.url", "https://a.example/soup")])
    func take(_ title: String, day: Double) throws -> [String: Int] {
      try write("<title>\(title)</title>", pages + "/p.html")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: day * 86_400)],
        ofItemAtPath: pages + "/p.html")
      return try imported(store, pages)
    }
    #expect(try take("Soup", day: 1)["indexed"] == 1)
    #expect(try take("Soup", day: 3)["unchanged"] == 1)
    let between = try take("Stew", day: 2)
    #expect(between["older"] == 1 && between["accepted"] == 0, "\(between)")
    #expect(try take("Stew", day: 4)["changed"] == 1)
    #expect(try shown(store, "https://a.example/soup").title == "Stew")
  }

  @Test func `captures in any order leave the newest one`() throws {
    let store = Store()
    let pages = try folder(
      [("1", "Soup"), ("2", "Soup"), ("3", "Stew")].flatMap { name, title in
        [
          ("\(name).html", "<title>\(title)</title>"),
          ("\(name).html.url", "https://a.example/soup"),
        ]
      })
    for (name, day) in [("1", 1.0), ("2", 3.0), ("3", 2.0)] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: day * 86_400)],
        ofItemAtPath: pages + "/\(name).html")
    }
    let counts = try imported(store, pages)
    #expect(counts["accepted"] == 1 && counts["unchanged"] == 1 && counts["older"] == 1)
    #expect(try shown(store, "https://a.example/soup").title == "Soup")
  }

  @Test func `a page that was gone stays so when an older capture of it comes later`() throws {
    let url = "https://c.example/gone"
    func capture(_ day: Int, _ answer: String) -> String {
      record("response", url, "2024-01-0\(day)T00:00:00Z", "HTTP/1.1 \(answer)")
    }
    let page = "200 OK\r\nContent-Type: text/html\r\n\r\n<title>Page</title>"
    let hidden = page + "<meta name=robots content=noindex>"
    for end in ["404 Not Found\r\n\r\n", hidden] {
      let store = Store()
      let newer = try Scratch.file("newer.warc", Data(capture(3, end).utf8))
      let older = try Scratch.file("older.warc", Data(capture(2, page).utf8))
      #expect(try actions(store, newer, older).last?.action == "older")
      #expect(try imported(store, newer)["accepted"] == 0)
      #expect(try imported(store, older)["older"] == 1)
      let back = try Scratch.file("back.warc", Data(capture(4, page).utf8))
      #expect(try imported(store, back)["indexed"] == 1)
    }
  }

  @Test func `a page whose item is told by another one since is not told again by older captures`()
    throws
  {
    let store = Store()
    func capture(_ name: String, _ day: Int, _ markup: String) -> String {
      record(
        "response", "https://c.example/\(name)", "2024-01-0\(day)T00:00:00Z",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>\(name) \(day)</title>" + markup)
    }
    let link = "<meta property=al:ios:url content=app://x/0>"
    let text =
      capture("b", 1, "") + capture("b", 2, "<link rel=canonical href=/c>" + link)
      + capture("d", 2, link)
    let archive = try Scratch.file("told.warc", Data(text.utf8))
    #expect(try imported(store, archive)["accepted"] == 3)
    for _ in 0..<2 { #expect(try imported(store, archive)["accepted"] == 0) }
    #expect(try store.json(["items"], as: Shown.self).map(\.title) == ["d 2"])
  }

  @Test func `an item that went with its page is not brought back by an older capture of a copy`()
    throws
  {
    let store = Store()
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Page</title>"
    func capture(_ name: String, _ day: Int, _ answer: String) -> String {
      record("response", "https://c.example/\(name)", "2024-01-0\(day)T00:00:00Z", answer)
    }
    let text =
      capture("copy", 1, page + "1<link rel=canonical href=/whole>") + capture("whole", 1, page)
      + capture("whole", 2, "HTTP/1.1 404 Not Found\r\n\r\n")
    let archive = try Scratch.file("ended.warc", Data(text.utf8))
    #expect(try imported(store, archive)["accepted"] == 3)
    #expect(try imported(store, archive)["accepted"] == 0)
    let copy = capture("copy", 3, page + "1<link rel=canonical href=/whole>")
    #expect(try imported(store, Scratch.file("copy.warc", Data(copy.utf8)))["indexed"] == 1)
    // The copy tells of it now, and the page's end is known still.
    #expect(try imported(store, archive)["accepted"] == 0)
  }

  @Test func `pages that contradict each other add nothing more in whatever order they come`()
    throws
  {
    func capture(_ name: String, _ markup: String) -> String {
      record(
        "response", "https://c.example/\(name)", "2024-01-01T00:00:03Z",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>\(name)</title>" + markup)
    }
    let link = "<meta property=al:ios:url content=app://x/0>"
    // Two that take each other for theirs, a copy of one, and two that lead to one place.
    let pages = [
      capture("a", "<link rel=canonical href=b>"), capture("b", "<link rel=canonical href=a>"),
      capture("e", "<link rel=canonical href=a>"), capture("c", link), capture("d", link),
    ]
    for first in [[0, 1, 3, 4], [4, 3, 1, 0], [1, 0, 2, 3], [1, 2, 0, 4], [2, 1, 0, 3]] {
      let store = Store()
      var known: [String] = []
      for order in [first, first, first.reversed(), first] {
        let archive = try Scratch.file("order.warc", Data(order.map { pages[$0] }.joined().utf8))
        let counts = try imported(store, archive)
        let items = try store.json(["items"], as: Shown.self)
        let shown = items.map { "\($0.item) \($0.title ?? "")" }.sorted()
        if known.isEmpty { known = shown } else { #expect(counts["accepted"] == 0, "\(counts)") }
        #expect(shown == known && shown.contains { $0.hasSuffix(" a") }, "\(shown) \(known)")
      }
      try checkRebuilt(store)
    }
  }

  @Test func `pages that lead one to the next at one time are the same items with each import`()
    throws
  {
    func capture(_ name: String, _ markup: String) -> String {
      record(
        "response", "https://c.example/\(name)", "2024-01-01T00:00:05Z",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>\(name)</title>" + markup)
    }
    let pages = [
      capture("c", "<link rel=canonical href=a>"), capture("a", "<link rel=canonical href=b>"),
      capture("b", ""),
    ]
    for first in [pages, pages.reversed()] {
      let store = Store()
      for (round, order) in [first, first, first.reversed()].enumerated() {
        let archive = try Scratch.file("chain.warc", Data(order.joined().utf8))
        let counts = try imported(store, archive)
        #expect((counts["accepted"] == 0) == (round > 0), "\(counts)")
        let items = try store.json(["items"], as: Shown.self)
        #expect(items.map(\.item) == ["https://c.example/a", "https://c.example/b"])
        #expect(items.compactMap(\.title) == ["c", "b"])
      }
    }
  }

  @Test func `a page that is a copy by its newest capture is no item by an older one`() throws {
    func capture(_ name: String, _ day: Int, _ markup: String) -> String {
      record(
        "response", "https://c.example/\(name)", "2024-01-0\(day)T00:00:00Z",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>\(name) \(day)</title>" + markup)
    }
    let link = "<link rel=canonical href=/c>"
    for pages in [
      [capture("a", 5, link), capture("a", 4, ""), capture("c", 5, "")],
      [capture("c", 5, ""), capture("a", 5, link), capture("a", 4, "")],
    ] {
      let store = Store()
      let archive = try Scratch.file("copy.warc", Data(pages.joined().utf8))
      for round in 0..<3 {
        let counts = try imported(store, archive)
        #expect((counts["accepted"] == 0) == (round > 0), "\(counts)")
        #expect(try store.json(["items"], as: Shown.self).map(\.title) == ["c 5"])
      }
    }
  }

  @Test func `a capture by a clock that went ahead does not keep later ones out`() throws {
    let store = Store()
    let url = "https://c.example/ahead"
    let archive = Scratch.path("ahead.warc")
    let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>Ahead</title>"
    try write(record("response", url, "2126-01-01T00:00:00Z", page), archive)
    #expect(try imported(store, archive)["indexed"] == 1)
    // Standard input is a capture of this moment.
    let now = try store.run(
      "import", "web", "-", "--base", url, input: Data("<title>Now</title>".utf8))
    #expect(now.status == 0, "\(now.errors)")
    #expect(try shown(store, url).title == "Now")
  }
}
