import Foundation
import Testing

/// `import web` on files, as users call it.
@Suite struct ImportWebTests {
  struct Plan: Decodable, Equatable {
    var url: String
    var action: String
    var item: String?
    var title: String?
  }

  struct Shown: Decodable {
    struct Source: Decodable, Equatable {
      var kind: String
      var source: String?
      var sequence: Int
      var url: String?
    }
    var item: String
    var domain: String?
    var title: String?
    var sources: [Source]?
    var sequence: Int?
    var attributes: [String: Attribute]?
  }

  /// An attribute that is a text; others are not looked at.
  struct Attribute: Decodable, Equatable, ExpressibleByStringLiteral {
    var text: String?
    init(stringLiteral text: String) { self.text = text }
    init(from decoder: any Decoder) throws {
      text = try? decoder.singleValueContainer().decode(String.self)
    }
  }

  func folder(_ pages: [(String, String)]) throws -> String {
    let folder = Scratch.path("pages")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in pages { try write(text, folder + "/" + name) }
    return folder
  }

  func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
  }

  func imported(_ store: Store, _ arguments: String...) throws -> [String: Int] {
    let result = try store.run(["import", "web", "--json"] + arguments)
    try #require(result.status == 0, "exit \(result.status): \(result.errors)")
    let object = try JSONSerialization.jsonObject(with: result.output) as? [String: Any]
    return try #require(object).compactMapValues { $0 as? Int }
  }

  func actions(_ store: Store, _ arguments: String...) throws -> [Plan] {
    try store.json(["import", "web", "--dry-run"] + arguments, as: Plan.self)
  }

  func shown(_ store: Store, _ item: String) throws -> Shown {
    try #require(try store.json(["show", item], as: Shown.self).first)
  }

  @Test func `a file that is no page by its content is passed over, whatever its name`() throws {
    let others = [
      ("a.pdf", "%PDF-1.4\n1 0 obj << /Type /Catalog >>"), ("b.html", "%PDF-1.4 <p>"),
      ("c", "{\"a\":\"<p>\"}"), ("d.txt", "plain words"), ("e.zip", "PK\u{3}\u{4}<p>"),
    ]
    let pages = [
      ("f", "some words <b>Tide</b>"), ("g.txt", "<title>Tide</title>"), ("h.htm", "x"),
      ("i.asp", "[Home] <b>x</b>"),
      ("j.php", String(repeating: "word\n", count: 3_000) + "<p>Tide</p>"),
    ]
    let folder = try folder(others + pages)
    for (name, _) in others {
      let counts = try imported(Store(), "\(folder)/\(name)", "--base", "https://b.example/x")
      #expect(counts["skipped"] == 1 && counts["indexed"] == 0, "\(name)")
    }
    for (name, _) in pages {
      let counts = try imported(Store(), "\(folder)/\(name)", "--base", "https://b.example/x")
      #expect(counts["indexed"] == 1, "\(name)")
    }
    try write("Content-Type: text/html", folder + "/d.txt.headers")
    let told = try imported(Store(), folder + "/d.txt", "--base", "https://b.example/x")
    #expect(told["indexed"] == 1)
  }

  @Test func `a folder becomes items, and the same again adds nothing`() throws {
    let store = Store()
    let folder = try folder([
      ("a.html", "<title>Apple pie</title>"), ("b.html", "<title>Bread</title>"),
      ("c.html", "<title>Secret</title><meta name=robots content=noindex>"),
      ("d.html", "<title>Gone</title>"), ("d.html.headers", "HTTP/1.1 404 Not Found\n"),
      ("e.css", "p { }"), (".hidden.html", "<title>Hidden</title>"),
      ("f.html", "<title>Wait</title>"), ("f.html.headers", "HTTP/1.1 202 Accepted\n"),
    ])
    let base = ["--base", "https://www.a.example/r"]
    let plan = try actions(store, folder, base[0], base[1])
    #expect(plan.map(\.action) == ["index", "index", "noindex", "gone", "skipped", "skipped"])
    #expect(plan.first?.item == "https://www.a.example/r/a.html")
    #expect(try actions(store, folder, base[0], base[1] + "?x#y").map(\.url) == plan.map(\.url))
    #expect(!FileManager.default.fileExists(atPath: store.path))
    var counts = try imported(store, folder, base[0], base[1])
    #expect(counts["accepted"] == 2 && counts["pages"] == 6 && counts["indexed"] == 2)
    #expect(counts["skipped"] == 2)
    counts = try imported(store, folder, base[0], base[1])
    #expect(counts["accepted"] == 0 && counts["unchanged"] == 2)
    try write("<title>Rye bread</title><!-- other -->", folder + "/b.html")
    try write("<title>Apple pie</title><!-- an advertisement -->", folder + "/a.html")
    counts = try imported(store, folder, base[0], base[1])
    #expect(counts["changed"] == 1 && counts["unchanged"] == 1 && counts["accepted"] == 1)
    #expect(try shown(store, "https://www.a.example/r/b.html").title == "Rye bread")
    try write("<title>Rye</title><meta name=robots content=none>", folder + "/b.html")
    #expect(try actions(store, folder, base[0], base[1])[1].action == "noindex")
    counts = try imported(store, folder, base[0], base[1])
    #expect(counts["noindex"] == 2 && counts["deleted"] == 1)
    #expect(try store.run("show", "https://www.a.example/r/b.html").status == 1)
    try write("<title>Bread</title>", folder + "/b.html")
    counts = try imported(store, folder, base[0], base[1])
    #expect(counts["indexed"] == 1)
  }

  @Test func `a page shows again after what an app said of it expired`() throws {
    let store = Store()
    let folder = try folder([("v.html", "<title>Tram</title>")])
    let (base, item) = ("https://www.a.example/r", "https://www.a.example/r/v.html")
    #expect(try imported(store, folder, "--base", base)["indexed"] == 1)
    let expired =
      #"{"kind":"index","item":"\#(item)","expires":"2020-01-01T00:00:00Z","attributes":{}}"#
    try store.append(Data(expired.utf8))
    #expect(try store.run("show", item).status == 1)
    #expect(try imported(store, folder, "--base", base)["accepted"] == 1)
    #expect(try shown(store, item).title == "Tram")
    #expect(try imported(store, folder, "--base", base)["accepted"] == 0)
  }

  @Test func `a page that was saved before what an app said of it expired shows, too`() throws {
    let store = Store()
    let saved = "<!-- Page saved with SingleFile\nsaved date: Sat Feb 01 2020 12:00:00 GMT+0000 -->"
    let folder = try folder([("v.html", saved + "<title>Tram</title>")])
    let (base, item) = ("https://www.a.example/r", "https://www.a.example/r/v.html")
    // Nothing was recorded since.
    let times = #""recorded":"2020-01-01T00:00:00Z","expires":"2020-06-01T00:00:00Z""#
    try store.append(Data(#"{"kind":"index","item":"\#(item)",\#(times),"attributes":{}}"#.utf8))
    #expect(try imported(store, folder, "--base", base)["accepted"] == 1)
    #expect(try shown(store, item).title == "Tram")
    #expect(try imported(store, folder, "--base", base)["accepted"] == 0)
  }

  @Test func `a page whose canonical URL is another one is another item`() throws {
    let store = Store()
    let folder = try folder([])
    let base = "https://www.a.example/"
    func canonical(_ query: String) throws -> [String: Int] {
      try write("<title>B</title><link rel=canonical href='/b?\(query)'>", folder + "/b.html")
      return try imported(store, folder, "--base", base)
    }
    for (app, query) in [("one", "x=1"), ("four", "x=4")] {
      try store.append(
        Data(
          #"{"kind":"index","item":"\#(app)","attributes":{"webpageURL":"\#(base)b?\#(query)"}}"#
            .utf8))
    }
    #expect(try canonical("x=1")["indexed"] == 1)
    #expect(try shown(store, "one").sources?.map(\.kind) == ["app", "web"])
    for (query, item) in [("x=2", base + "b?x=2"), ("x=3", base + "b?x=3"), ("x=4", "four")] {
      let counts = try canonical(query)
      #expect(counts["changed"] == 1 && counts["deleted"] == 1, "\(query): \(counts)")
      #expect(try shown(store, item).sources?.last?.kind == "web")
      #expect(try canonical(query)["unchanged"] == 1)
    }
    #expect(try shown(store, "one").sources?.map(\.kind) == ["app"])
    #expect(try store.json(["items"], as: Shown.self).map(\.item) == ["four", "one"])
    #expect(try canonical("x=1")["deleted"] == 1)
    #expect(try shown(store, "one").sources?.map(\.kind) == ["app", "web"])
    try checkRebuilt(store)
  }

  @Test func `of pages that are one item of an app none keeps an item of its own`() throws {
    let store = Store()
    let folder = try folder([("a.html", "<title>A</title>"), ("c.html", "<title>C</title>")])
    let base = "https://www.a.example/"
    #expect(try imported(store, folder, "--base", base)["indexed"] == 2)
    try store.append(
      Data(
        #"{"kind":"index","item":"7","attributes":{"webpageURL":"\#(base)a.html","contentURL":"\#(base)c.html"}}"#
          .utf8))
    #expect(try imported(store, folder, "--base", base)["deleted"] == 2)
    #expect(try store.json(["items"], as: Shown.self).map(\.item) == ["7"])
    #expect(try imported(store, folder, "--base", base)["unchanged"] == 2)
  }

  private static let recipe = """
    <title>Lemon soup - Site</title><meta property=al:ios:url content="soup://r/7">
    <meta property=al:ios:app_store_id content=123><link rel=canonical href="/soup">
    <script type=application/ld+json>{"@context":"https://schema.org","@type":"Recipe","name":
    "Lemon soup","description":"Sour","recipeIngredient":["zitronenschale"],"aggregateRating":
    {"@type":"AggregateRating","ratingValue":4,"ratingCount":12}}</script><p>Hello there
    """

  @Test func `app, activity and page are one item, and go together`() throws {
    let store = Store()
    try store.append(
      Data(
        """
        {"kind":"index","item":"soup-7","domain":"recipes","source":"app","attributes":{"title":"Our soup","relatedUniqueIdentifier":"https://s.example/soup"}}
        {"kind":"view","item":"soup-7","source":"activity","attributes":{"title":"Reading soup"}}
        {"kind":"index","item":"other","domain":"notes","attributes":{"title":"Note"}}
        """.utf8))
    let folder = try folder([("s.html", Self.recipe)])
    let counts = try imported(store, folder, "--base", "https://s.example/")
    #expect(counts["accepted"] == 1)
    let item = try shown(store, "soup-7")
    #expect(item.title == "Our soup" && item.domain == "recipes")
    #expect(
      item.sources == [
        .init(kind: "app", source: "app", sequence: 1),
        .init(kind: "activity", source: "activity", sequence: 2),
        .init(kind: "web", source: "web", sequence: 4, url: "https://s.example/s.html"),
      ])
    // Words that only the page has lead to the app's item, with all sources named.
    let hits = try store.json(["search", "sour", "--explain"], as: Shown.self)
    #expect(hits.map(\.item) == ["soup-7"] && hits.first?.sources?.count == 3)
    try store.append(
      Data(
        #"{"kind":"index","item":"soup-7","domain":"recipes","source":"app","attributes":{"title":"Better soup"}}"#
          .utf8))
    #expect(try store.json(["search", "sour"], as: Shown.self).map(\.title) == ["Better soup"])
    #expect(try imported(store, folder, "--base", "https://s.example/")["unchanged"] == 1)
    #expect(try store.run("purge", "--domain", "recipes", "--yes").status == 0)
    #expect(try store.run("show", "soup-7").status == 1)
    #expect(try store.json(["items"], as: Shown.self).map(\.item) == ["other"])
    #expect(try store.json(["log"], as: Line.self).allSatisfy { $0.item != "soup-7" })
    #expect(try store.run("verify", "--deep").status == 0)
    try expectNothing(of: ["zitronenschale"], in: store)
  }

  private struct Line: Decodable { var item: String? }

  private static let orders = [
    ["app", "activity", "page"], ["app", "page", "activity"], ["activity", "app", "page"],
    ["activity", "page", "app"], ["page", "app", "activity"], ["page", "activity", "app"],
  ]

  /// A store that was told of one thing and of another, with the folder of its page.
  private func told(_ steps: [String: String], in order: [String]) throws
    -> (store: Store, folder: String)
  {
    let store = Store()
    let folder = try folder([("s.html", Self.recipe)])
    try store.append(
      Data(#"{"kind":"index","item":"other","domain":"d","attributes":{"title":"O"}}"#.utf8))
    for step in order {
      if let events = steps[step] {
        try store.append(Data(events.utf8))
      } else {
        _ = try imported(store, folder, "--base", "https://s.example/")
      }
    }
    return (store, folder)
  }

  /// What names the page: only the activity does.
  private static let steps = [
    "app": """
    {"kind":"index","item":"soup-7","domain":"recipes","source":"app","attributes":{"title":"Our soup"}}
    """,
    "activity": """
    {"kind":"view","item":"soup-7","source":"reader","attributes":{"title":"Reading soup",\
    "contentDescription":"gelbwurz","webpageURL":"https://s.example/soup"}}
    """,
  ]

  @Test(arguments: orders)
  func `an activity's page is one item with what the app indexed, whoever comes first`(
    order: [String]
  ) throws {
    let (store, folder) = try told(Self.steps, in: order)
    // What came after the page joins it with the next import.
    _ = try imported(store, folder, "--base", "https://s.example/")
    #expect(try store.json(["items"], as: Shown.self).map(\.item) == ["other", "soup-7"])
    let item = try shown(store, "soup-7")
    #expect(item.title == "Our soup" && item.domain == "recipes")
    #expect(item.sources?.map(\.kind) == ["app", "activity", "web"])
    #expect(item.attributes?["contentDescription"] == "gelbwurz")
    #expect(item.attributes?["kind"] == "Recipe")
    for word in ["gelbwurz", "lemon", "our"] {
      let hits = try store.json(["search", word, "--exact", "--explain"], as: Shown.self)
      #expect(hits.map(\.item) == ["soup-7"] && hits.first?.sources?.count == 3, "\(word)")
    }
    try checkRebuilt(store)
    #expect(try shown(store, "soup-7").sources == item.sources)
    #expect(try store.run("purge", "--domain", "recipes", "--yes").status == 0)
    #expect(try store.json(["items"], as: Shown.self).map(\.item) == ["other"])
    #expect(try store.run("search", "gelbwurz").output.isEmpty)
    #expect(try store.json(["log"], as: Line.self).allSatisfy { $0.item != "soup-7" })
    #expect(try store.run("verify", "--deep").status == 0)
    try expectNothing(of: ["gelbwurz", "zitronenschale"], in: store)
  }

  private static let separateSteps = [
    "app": """
    {"kind":"index","item":"soup-7","domain":"recipes","source":"app","attributes":{"title":"Our soup","contentURL":"https://s.example/soup"}}
    """,
    "activity": """
    {"kind":"view","item":"reading-1","source":"reader","attributes":{"title":"Reading soup",\
    "contentDescription":"gelbwurz","webpageURL":"https://s.example/soup"}}
    """,
  ]

  /// What names the page's deep link, and what names the app's item.
  private static let relatedSteps = [
    "app": """
    {"kind":"index","item":"soup-7","domain":"recipes","source":"app","attributes":{"title":"Our soup","relatedUniqueIdentifier":"soup://r/7"}}
    """,
    "activity": """
    {"kind":"view","item":"reading-1","source":"reader","attributes":{"title":"Reading soup",\
    "contentDescription":"gelbwurz","relatedUniqueIdentifier":"soup-7"}}
    """,
  ]

  @Test(arguments: orders, [separateSteps, relatedSteps])
  func `items of an app and of an activity that one page is about are one result`(
    order: [String], steps: [String: String]
  ) throws {
    let (store, folder) = try told(steps, in: order)
    _ = try imported(store, folder, "--base", "https://s.example/")
    #expect(try imported(store, folder, "--base", "https://s.example/")["unchanged"] == 1)
    let items = try store.json(["items"], as: Shown.self).map(\.item).filter { $0 != "other" }
    #expect(items.count == 1)
    let item = try shown(store, "soup-7")
    #expect(item.item == "soup-7" && item.domain == "recipes")
    #expect(items == ["soup-7"])
    #expect(try shown(store, "reading-1").item == item.item)
    #expect(item.title == "Our soup")
    #expect(item.sources?.map(\.kind) == ["app", "activity", "web"])
    #expect(item.attributes?["contentDescription"] == "gelbwurz")
    for word in ["gelbwurz", "lemon", "our", "gelbwurz lemon our"] {
      let hits = try store.json(["search", word, "--exact", "--explain"], as: Shown.self)
      #expect(hits.map(\.item) == items && hits.first?.sources?.count == 3, "\(word)")
    }
    #expect(try store.json(["top"], as: Shown.self).map(\.item) == items)
    try checkRebuilt(store)
    // What is told of a part shows; what was said of the whole goes with it, and back.
    try store.append(
      Data(
        #"{"kind":"update","item":"reading-1","attributes":{"contentDescription":"kurkuma"}}"#
          .utf8))
    #expect(try store.json(["search", "kurkuma"], as: Shown.self).map(\.item) == items)
    try write("HTTP/1.1 410 Gone\n", folder + "/s.html.headers")
    #expect(try imported(store, folder, "--base", "https://s.example/")["deleted"] == 1)
    #expect(try store.json(["items"], as: Shown.self).count == 3)
    #expect(try shown(store, "reading-1").item == "reading-1")
    #expect(try store.json(["search", "kurkuma"], as: Shown.self).map(\.item) == ["reading-1"])
    try FileManager.default.removeItem(atPath: folder + "/s.html.headers")
    _ = try imported(store, folder, "--base", "https://s.example/")
    #expect(try shown(store, "reading-1").item == shown(store, "soup-7").item)
    #expect(try store.json(["items"], as: Shown.self).count == 2)
    try checkRebuilt(store)
    #expect(try store.run("purge", "--item", "soup-7", "--yes").status == 0)
    #expect(try store.json(["items"], as: Shown.self).map(\.item) == ["other"])
    #expect(try store.json(["log"], as: Line.self).compactMap(\.item) == ["other"])
    #expect(try store.run("verify", "--deep").status == 0)
    try expectNothing(of: ["gelbwurz", "kurkuma", "zitronenschale", "reading-1"], in: store)
  }

  @Test func `what a front end remembers of a page is found also when the page has changed`() throws
  {
    let store = Store()
    let folder = try folder([("s.html", Self.recipe)])
    _ = try imported(store, folder, "--base", "https://s.example/")
    try store.append(
      Data(
        #"{"kind":"index","item":"\u0001activity:1","attributes":{"title":"Reading","comment":"gelbwurz","relatedUniqueIdentifier":"soup://r/7"}}"#
          .utf8))
    try write(Self.recipe + " kurkuma", folder + "/s.html")
    #expect(try imported(store, folder, "--base", "https://s.example/")["changed"] == 1)
    for word in ["gelbwurz", "kurkuma"] {
      #expect(try store.json(["search", word], as: Shown.self).map(\.item) == ["soup://r/7"])
    }
    try checkRebuilt(store)
  }

  private struct Use: Decodable, Equatable {
    var item: String
    var views: Int
    var lastViewed: String?
  }

  private struct Change: Decodable, Equatable {
    var item: String
    var change: String
  }

  @Test func `a comparison of two points tells what is one with what changed`() throws {
    let store = Store()
    let folder = try folder([("s.html", Self.recipe)])
    try store.append(Data((Self.separateSteps["app"] ?? "").utf8))
    try store.append(Data((Self.separateSteps["activity"] ?? "").utf8))
    _ = try imported(store, folder, "--base", "https://s.example/")
    let told = #"{"kind":"update","item":"reading-1","attributes":{"comment":"kurkuma"}}"#
    try store.append(Data(told.utf8))
    try write("HTTP/1.1 410 Gone\n", folder + "/s.html.headers")
    _ = try imported(store, folder, "--base", "https://s.example/")
    func diff(_ one: String, _ other: String) throws -> [Change] {
      try store.json(["diff", one, other], as: Change.self)
    }
    let (soup, reading) = ("soup-7", "reading-1")
    #expect(
      try diff("2", "3") == [
        Change(item: reading, change: "removed"), Change(item: soup, change: "changed"),
      ])
    #expect(try diff("3", "4") == [Change(item: soup, change: "changed")])
    #expect(
      try diff("4", "5") == [
        Change(item: reading, change: "added"), Change(item: soup, change: "changed"),
      ])
    #expect(try diff("5", "4").map(\.change) == ["removed", "changed"])
  }

  private struct Life: Decodable {
    var views: Int
    var lastViewed: String?
    var firstSeen: String?
    var events: Int
    var rank: Int?
  }

  @Test func `top, show and log count what is one together, at any point`() throws {
    let store = Store()
    let folder = try folder([("s.html", Self.recipe)])
    func view(_ item: String, _ time: String) throws {
      let line = #"{"kind":"view","item":"\#(item)","time":"\#(time)"}"#
      try store.append(Data(line.utf8))
    }
    try store.append(Data((Self.separateSteps["app"] ?? "").utf8))
    try store.append(Data((Self.separateSteps["activity"] ?? "").utf8))
    try store.append(
      Data(#"{"kind":"index","item":"other","domain":"d","attributes":{"title":"O"}}"#.utf8))
    for hour in 1...3 { try view("other", "2024-01-0\(hour)T00:00:00Z") }
    try view("soup-7", "2024-02-01T00:00:00Z")
    _ = try imported(store, folder, "--base", "https://s.example/")
    try view("reading-1", "2030-01-01T00:00:00Z")
    try view("soup-7", "2024-02-02T00:00:00Z")
    for (point, views, events) in [("7", 1, 2), ("8", 2, 4), ("9", 3, 5), ("10", 4, 6)] {
      let life = try #require(
        try store.json(["show", "soup-7", "--as-of", point], as: Life.self).first)
      #expect(life.views == views && life.events == events, "as of \(point)")
      let log = try store.json(["log", "soup-7", "--as-of", point], as: Line.self)
      #expect(log.count == events, "as of \(point)")
      for order in ["count", "recent", "frecency"] {
        let top = try store.json(["top", "--by", order, "--as-of", point], as: Use.self)
        let use = top.first { $0.item == "soup-7" }
        #expect(use?.views == views && use?.lastViewed == life.lastViewed, "\(order) \(point)")
      }
    }
    let life = try #require(try store.json(["show", "reading-1"], as: Life.self).first)
    #expect(life.views == 4 && life.lastViewed == "2030-01-01T00:00:00Z")
    let top = try store.json(["top", "--by", "count"], as: Use.self)
    #expect(top.map(\.item) == ["soup-7", "other"] && top.map(\.views) == [4, 3])
    for item in ["soup-7", "reading-1"] {
      let log = try store.json(["log", item], as: Line.self)
      #expect(
        log.map(\.item) == ["soup-7", "reading-1", "soup-7", "soup-7", "reading-1", "soup-7"])
      let newest = try store.json(["log", item, "--reverse", "-n", "2"], as: Line.self)
      #expect(newest.map(\.item) == ["soup-7", "reading-1"])
    }
  }

  @Test func `a purge of the domain takes what is one with its items, and of a part the page`()
    throws
  {
    for (scope, left) in [
      (["--domain", "recipes"], ["other"]), (["--domain", "readings"], ["other", "soup-7"]),
      (["--item", "reading-1"], ["other"]),
    ] {
      let store = Store()
      let folder = try folder([("s.html", Self.recipe)])
      try store.append(
        Data(#"{"kind":"index","item":"other","domain":"d","attributes":{"title":"O"}}"#.utf8))
      try store.append(Data((Self.separateSteps["app"] ?? "").utf8))
      let view = (Self.separateSteps["activity"] ?? "").replacing(
        #""source""#, with: #""domain":"readings","source""#)
      try store.append(Data(view.utf8))
      _ = try imported(store, folder, "--base", "https://s.example/")
      #expect(try shown(store, "reading-1").item == "soup-7")
      #expect(try store.run(["purge", "--yes"] + scope).status == 0)
      #expect(try store.json(["items"], as: Shown.self).map(\.item) == left)
      #expect(try store.run("verify", "--deep").status == 0)
      try checkRebuilt(store)
      try expectNothing(of: ["gelbwurz", "reading-1"], in: store)
    }
  }

  func checkRebuilt(_ store: Store) throws {
    let digests = try store.digests()
    #expect(try store.run("rebuild").status == 0)
    #expect(try store.digests() == digests)
  }

  func expectNothing(of words: [String], in store: Store) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: store.path) {
      let bytes = try Data(contentsOf: URL(filePath: store.path + "/" + file))
      for word in words { #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(file)") }
    }
  }

  @Test func `a view shows nothing of its own without a page, and what it told at any point`()
    throws
  {
    let store = Store()
    let folder = try folder([("s.html", Self.recipe)])
    try store.append(Data((Self.steps["app"] ?? "").utf8))
    try store.append(Data((Self.steps["activity"] ?? "").utf8))
    #expect(try shown(store, "soup-7").attributes?["contentDescription"] == nil)
    #expect(try shown(store, "soup-7").sequence == 1)
    #expect(try store.run("search", "gelbwurz").output.isEmpty)
    #expect(try imported(store, folder, "--base", "https://s.example/")["accepted"] == 1)
    let later = #"""
      {"kind":"view","item":"soup-7","attributes":{"title":"R","contentDescription":"kurkuma"}}
      """#
    try store.append(Data(later.utf8))
    try store.append(Data(later.utf8))
    #expect(try shown(store, "soup-7").sequence == 4)
    let described = try (1...4).map { (point) -> Attribute? in
      try store.json(["show", "soup-7", "--as-of", "\(point)"], as: Shown.self).first?
        .attributes?["contentDescription"]
    }
    #expect(described == [nil, nil, "gelbwurz", "kurkuma"])
    #expect(try store.run("search", "gelbwurz").output.isEmpty)
    #expect(try !store.run("search", "gelbwurz", "--as-of", "3").output.isEmpty)
    let digests = try store.digests()
    #expect(try store.run("rebuild").status == 0)
    #expect(try store.digests() == digests)
  }

  @Test func `a page joins what an app indexes later, and leaves it when it is gone`() throws {
    let store = Store()
    let folder = try folder([("s.html", Self.recipe)])
    _ = try imported(store, folder, "--base", "https://s.example/")
    #expect(try shown(store, "soup://r/7").title == "Lemon soup - Site")
    try store.append(
      Data(
        #"{"kind":"index","item":"app-soup","domain":"r","attributes":{"title":"App","contentURL":"soup://r/7"}}"#
          .utf8))
    #expect(try imported(store, folder, "--base", "https://s.example/")["changed"] == 1)
    #expect(try store.json(["items"], as: Shown.self).map(\.item) == ["app-soup"])
    try write("HTTP/1.1 410 Gone\n", folder + "/s.html.headers")
    #expect(try imported(store, folder, "--base", "https://s.example/")["deleted"] == 1)
    let item = try shown(store, "app-soup")
    #expect(item.title == "App" && item.sources?.map(\.kind) == ["app"])
    #expect(try store.run("search", "sour").output.isEmpty)
    // Projections folded anew are the same.
    let before = try store.digests()
    let rebuilt = try store.run("rebuild")
    #expect(rebuilt.status == 0, "\(rebuilt)")
    #expect(try store.digests() == before)
  }

  @Test func `what cannot be taken is said, and the rest is taken`() throws {
    let store = Store()
    let nowhere = try Scratch.file("x.html", Data("<title>x</title>".utf8))
    var result = try store.run("import", "web", nowhere)
    #expect(result.status == 65 && result.errors.contains("--base"))
    #expect(!FileManager.default.fileExists(atPath: store.path))
    result = try store.run(
      "import", "web", "/nowhere.html", nowhere, "--base", "https://a.example/x")
    #expect(result.status == 66)
    #expect(try shown(store, "https://a.example/x").title == "x")
    let large = try Scratch.file("l.html", Data(repeating: 0x61, count: 5_000))
    result = try store.run(
      "import", "web", large, "--max-bytes", "4096", "--base", "https://a.example/l")
    #expect(result.status == 65 && result.errors.contains("larger than 4096 bytes"))
    #expect(try store.run("import", "web").status == 64)
  }

  @Test func `a page that a purge blocks is left out, and is no error`() throws {
    let store = Store()
    let pages = try folder([("a.html", "<title>Soup</title>"), ("b.html", "<title>Stew</title>")])
    let base = "https://a.example/r"
    #expect(try imported(store, pages, "--base", base)["indexed"] == 2)
    let purge = ["purge", "--item", base + "/b.html", "--block", "--yes"]
    #expect(try store.run(purge).status == 0)
    let counts = try imported(store, pages, "--base", base)
    #expect(counts["skipped"] == 1 && counts["unchanged"] == 1 && counts["rejected"] == 0)
    let again = try store.run("import", "web", pages, "--base", base)
    #expect(again.text.contains("a purge blocks them"), "\(again.text)")
    #expect(try store.run("show", base + "/b.html").status == 1)
  }

  @Test func `a page that the schema refuses is said, and its neighbours are taken`() throws {
    let store = Store()
    let schema =
      #"{"cairnSchema":1,"domains":{"web":{"attributes":{"title":"#
      + #"{"type":"text","maxLength":4}}}}}"#
    let file = try Scratch.file("schema.json", Data(schema.utf8))
    #expect(try store.run("schema", "set", file).status == 0)
    let pages = try folder([
      ("a.html", "<title>Soup</title>"), ("b.html", "<title>Tomato</title>"),
    ])
    let rejects = Scratch.path("rejects")
    for count in [1, 0] {
      let result = try store.run(
        "import", "web", pages, "--base", "https://a.example/r", "--rejects", rejects, "--json")
      #expect(result.status == 65 && result.errors.contains("/r/b.html: title: maxLength: "))
      let counts = try #require(try result.objects().first).compactMapValues { $0 as? Int }
      #expect(counts["accepted"] == count && counts["rejected"] == 1, "\(counts)")
      #expect(counts["indexed"] == count && counts["pages"] == 2, "\(counts)")
      #expect(
        try String(contentsOfFile: rejects, encoding: .utf8) == "https://a.example/r/b.html\n")
    }
    #expect(try shown(store, "https://a.example/r/a.html").title == "Soup")
  }
}
