import Testing

@testable import WebMarkup

/// Pages made to cost more than they are long; what is beyond a limit is left out and said.
@Suite struct HostilePageTests {
  private static func limits(_ html: String) -> [MarkupFault.Kind] {
    page(html).malformed.map(\.kind)
  }

  @Test func `texts of nested properties end at their limit`() {
    let html =
      String(repeating: "<i itemprop=a><b property=schema:b>", count: 200)
      + String(repeating: "text ", count: 100_000)
    #expect(Self.limits("<div itemscope>" + html).filter { $0 == .limit }.count >= 2)
  }

  @Test func `items of microdata and values of RDFa end at their limits`() {
    let items = page(String(repeating: "<div itemscope></div>", count: 20_000))
    #expect(items.microdata.array?.count == 10_000)
    #expect(items.malformed.map(\.kind).contains(.limit))
    let inside = page(
      "<div itemscope>" + String(repeating: "<i itemscope itemprop=a></i>", count: 20_000))
    #expect(inside.malformed.map(\.kind).contains(.limit))
    let values =
      "<body vocab=http://schema.org/>"
      + String(
        repeating: "<i typeof=A property=b></i>", count: 60_000)
    #expect(Self.limits(values).contains(.limit))
  }

  @Test func `a main text ends before the word that goes beyond its limit`() {
    let whole = page("<p>" + String(repeating: "words ", count: 450_000))
    #expect(whole.text?.utf8.count == 2_699_999 && whole.malformed.isEmpty)
    let long = page("<p>" + String(repeating: "wörter ", count: 600_000))
    #expect(long.text?.utf8.count ?? 0 > 2_999_900 && long.text?.utf8.count ?? 0 <= 3_000_000)
    #expect(long.text?.hasSuffix("wörter") == true)
    #expect(Set(long.malformed.map(\.kind)) == [.limit])
    // Other texts take of the same room.
    let titled = page(
      "<title>\(String(repeating: "t", count: 500_000))</title><p>"
        + String(repeating: "words ", count: 450_000))
    #expect(titled.text?.utf8.count == 2_699_999 && titled.malformed.map(\.kind) == [.limit])
    let kept = titled.item?.attributes["textContent"]?.string?.utf8.count ?? 0
    #expect(kept > 2_499_900 && kept < 2_500_000)
  }

  @Test func `texts that are too long for an item are left out, and others take their place`() {
    let long = String(repeating: "wörter ", count: 200_000)
    let titled = page("<title>\(long)</title><meta property=og:title content=t><h1>\(long)</h1>")
    #expect(titled.title == "t" && titled.item?.attributes["title"] == .string("t"))
    #expect(titled.malformed.map(\.kind) == [.limit, .limit])
    let named = page(
      "<script type=application/ld+json>{\"@type\":\"Recipe\",\"name\":\"\(long)\",\"description\":\"\(long)\",\"recipeIngredient\":[\"\(long)\"],\"recipeYield\":4}</script><h1>h</h1>"
    )
    #expect(named.title == "h" && named.description == nil)
    #expect(named.item?.attributes["web_ingredients"] == nil)
    #expect(named.item?.attributes["web_recipeYield"] == .string("4"))
    #expect(named.malformed.map(\.kind).contains(.limit))
    let texts = (0..<40).map { "\"\($0)" + String(repeating: "x", count: 100_000) + "\"" }
    let many = page(
      "<script type=application/ld+json>{\"@type\":\"Recipe\",\"genre\":\"g\",\"recipeIngredient\":[\(texts.joined(separator: ","))]}</script>"
    )
    #expect(many.item?.attributes["web_ingredients"] == nil)
    #expect(many.item?.attributes["genre"] == .string("g"))
  }

  @Test func `counts that add up to more than a number holds are left out`() throws {
    let counter = #"{"@type":"InteractionCounter","userInteractionCount":1e308}"#
    let page = page(
      """
      <title>t</title><script type=application/ld+json>{"@context":"https://schema.org",
      "@type":"Video","interactionStatistic":[\(counter),\(counter)],"aggregateRating":
      {"ratingValue":4,"ratingCount":1e308}}</script>
      """)
    let attributes = try #require(page.item).attributes
    #expect(attributes["rating"] == .integer(4))
    #expect(attributes["web_interactionCount"] == nil && attributes["rankingHint"] == nil)
  }

  @Test func `names, types and texts by the ten thousand are told apart quickly`() {
    let many = (0..<90_000).map { "\"t\($0)\"" }.joined(separator: ",")
    for name in ["@type", "keywords", "recipeIngredient"] {
      let found = page(
        "<script type=application/ld+json>{\"@type\":\"Recipe\",\"\(name)\":[\(many)]}</script>")
      #expect(found.things.count == 1)
    }
    let names = (0..<90_000).map { "n\($0)" }.joined(separator: " ")
    #expect(page("<p itemscope><b itemprop='\(names)'>x</b>").things.count == 1)
    let types = (0..<20_000).map { "{\"@id\":\"x\",\"@type\":\"t\($0)\"}" }
    let joined = page(
      "<script type=application/ld+json>[\(types.joined(separator: ","))]</script>")
    #expect(joined.things.first?.types.count == 20_000)
  }

  @Test func `things that all name each other come so often`() {
    let names = (0..<60).map { "{\"@id\":\"#\($0)\"}" }.joined(separator: ",")
    let nodes = (0..<60).map { "{\"@id\":\"#\($0)\",\"knows\":[\(names)]}" }
    let found = page(
      "<script type=application/ld+json>{\"@graph\":[\(nodes.joined(separator: ","))]}</script>")
    var count = 0
    for thing in found.things {
      thing.walk { inner in count += inner.properties.reduce(0) { $0 + $1.values.count } }
    }
    #expect(count > 3_600 && count <= 103_600)
    #expect(found.malformed.map(\.kind).contains(.limit))
  }

  @Test func `elements that many items refer to are visited so often`() {
    let shared = "<div id=a>" + String(repeating: "<i></i>", count: 20_000) + "</div>"
    let items = String(repeating: "<p itemscope itemref=a></p>", count: 4_000)
    #expect(Self.limits(shared + items).contains(.limit))
  }

  @Test func `what belongs to items beyond the limit is no thing of its own`() {
    let items = String(repeating: "<p itemscope><b itemprop=name>x</b></p>", count: 10_001)
    let found = page(items)
    #expect(found.malformed.map(\.kind).contains(.limit))
    #expect(found.things.count == 10_000)
    let typed = page(String(repeating: "<p typeof=schema:Book></p>", count: 10_001))
    #expect(typed.malformed.map(\.kind) == [.limit])
    #expect(typed.rdfa.array?.count == 10_000 && typed.things.count == 10_000)
  }

  @Test func `what is only named is no thing`() {
    let named = (0..<10_010).map { "{\"@id\":\"#\($0)\"}" }.joined(separator: ",")
    let links = (0..<10_010).map { "<a property=schema:url href='#\($0)'></a>" }.joined()
    let found = page(
      """
      <script type=application/ld+json>{"@type":"Blog","hasPart":[\(named)]}</script>
      <p typeof=schema:Book>\(links)</p><p itemscope itemtype=http://schema.org/Event></p>
      """)
    #expect(found.malformed.isEmpty)
    #expect(found.things.map(\.types) == [["Blog"], ["Event"], ["Book"]])
    #expect(found.things.map { $0["hasPart"].count + $0["url"].count } == [10_010, 0, 10_010])
  }

  @Test func `what is read for a value counts however often it is, and little as it gives`() {
    // Nothing stands between so many names and the elements inside: a walk for each took hours.
    func names(_ count: Int) -> String { (0..<count).map { "a\($0)" }.joined(separator: " ") }
    let empty = page(
      "<div itemscope><p itemprop='\(names(60_000))'>" + String(repeating: "<br>", count: 500_000))
    #expect(empty.malformed.isEmpty)
    let url = "http://" + String(repeating: "a", count: 20_000) + "%"
    let blanks = String(repeating: " ", count: 200_000)
    let items = String(repeating: "<p itemscope itemref=x>", count: 4_000)
    let base = "<base href='http://x.org/\(String(repeating: "a", count: 4_000))/'>"
    for html in [
      "<div itemscope><a itemprop='\(names(500))' href='\(url)'>",
      "<a id=x itemprop=a href='\(url)'></a>" + items,
      "<p id=x itemprop=a itemscope itemid='\(blanks)'></p>" + items,
      "<p id=x itemprop='\(blanks)a'></p>" + items,
      base + String(repeating: "<a property=b href=1>", count: 5_000),
    ] {
      #expect(Self.limits(html).contains(.limit))
    }
  }

  @Test func `a short heading inside one that is too long names the page`() {
    let long = String(repeating: "long ", count: 300_000)
    #expect(page("<h1>\(long)<div><h1>Short</h1>").title == "Short")
  }

  @Test func `names that are nested deep are read once`() {
    let names = (0..<90_000).map { "\"t\($0)\":1" }.joined(separator: ",")
    let nest = String(repeating: "{\"@nest\":", count: 100)
    let end = String(repeating: "}", count: 100)
    let found = page("<script type=application/ld+json>\(nest){\(names)}\(end)</script>")
    #expect(found.things.first?.properties.count == 90_000 && found.malformed.isEmpty)
  }

  @Test func `terms and prefixes inside each other end at their limit`() {
    let terms = (0..<5_000).map { "\"t\($0)\":\"http://x/\($0)\"" }.joined(separator: ",")
    let inner = Array(repeating: "{\"@context\":{\"a\":\"b\"},\"a\":1}", count: 5_000)
    #expect(
      Self.limits(
        "<script type=application/ld+json>{\"@context\":{\(terms)},\"c\":[\(inner.joined(separator: ","))]}</script>"
      ).contains(.limit))
    let prefixes = (0..<5_000).map { "p\($0): http://x/\($0)" }.joined(separator: " ")
    let elements = String(repeating: "<i prefix='a: b' property=a:c>x</i>", count: 5_000)
    #expect(Self.limits("<body prefix='\(prefixes)'>" + elements).contains(.limit))
    let again = "<i prefix='a: http://h.test/' property=a:b></i>"
    let often = page(String(repeating: again, count: 11_000))
    #expect(often.malformed.map(\.kind) == [.limit])
    #expect(often.rdfa.array?.count == 1)
  }

  @Test func `what is inside by several names ends at its limit`() {
    let nested = String(repeating: "<i itemprop='a b' itemscope>", count: 16)
    let found = page("<i itemscope>\(nested)<i itemprop=c>x")
    #expect(found.malformed.map(\.kind).contains(.limit))
    #expect(found.microdata.bytes.count < 1 << 20)
    // Both names have the value where there is room.
    let few = page("<p itemscope><b itemprop='a b'>x</b><b itemprop='c d' itemscope></b>")
    #expect(few.things.first?.properties.map(\.name) == ["a", "b", "c", "d"])
    #expect(few.malformed.isEmpty)
  }

  @Test func `names, types and values that come again and again end at their limit`() {
    func ld(_ text: String) -> String { "<script type=application/ld+json>\(text)</script>" }
    let long = String(repeating: "x", count: 4_000)
    let names = (0..<5_000).map { "\"k\($0)\":1" }.joined(separator: ",")
    let types = (0..<1_000).map { "\"type\($0)\"" }.joined(separator: ",")
    let again = Array(repeating: "{\"@id\":\"#a\"}", count: 3_000).joined(separator: ",")
    let many = (0..<5_000).map { "n\($0)" }.joined(separator: " ")
    let values = (0..<5_000).map { "<b property=a>\($0)</b>" }.joined()
    let items = String(repeating: "<p itemscope itemref=a></p>", count: 4_000)
    let base = "<base href='http://h.test/\(long)/'>"
    func listed(by container: String) -> String {
      let parts = Array(repeating: "{\"a\":1}", count: 5_000).joined(separator: ",")
      return ld(
        "{\"@context\":{\"p\":\(container)},\"p\":{\"\(long)\":[\(parts)]}}")
    }
    let pages: [String] = [
      listed(by: "{\"@container\":\"@type\"}"), listed(by: "{\"@container\":\"@id\"}"),
      listed(by: "{\"@container\":\"@index\",\"@index\":\"b\"}"),
      ld("{\"@reverse\":{\"\(long)\(long)\":[\(again)]}}"),
      "<b id=a itemprop='\(long)'>x</b>\(items)",
      ld("{\"@context\":{\"@vocab\":\"http://h.test/\(long)/\"},\(names)}"),
      ld("{\"@context\":{\"@vocab\":\"http://h.test/\(long)/\"},\"@type\":[\(many.json)]}"),
      base + ld("{\"@context\":{\"a\":{\"@type\":\"@id\"}},\"a\":[\(many.json)]}"),
      ld("[{\"@id\":\"#a\",\"@type\":[\(types)]},{\"b\":[\(again)]}]"),
      "<p vocab='http://h.test/\(long)/' typeof=A><b property='\(many)' content=x></b>",
      "<p vocab=http://h.test/ typeof=A><b property='\(many)' content='\(long)'></b>",
      "<p vocab=http://h.test/ typeof=A lang='\(long)'>\(values)",
      "<p itemscope><b itemprop='\(many)' content='\(long)'></b>",
      "<b itemprop='\(many)' content='\(long)'></b>",
      "<p id=a itemscope itemprop=b itemtype='http://h.test/\(long)'></p>\(items)",
      "<p id=a itemscope itemprop=b itemid='http://h.test/\(long)'></p>\(items)",
      "<b id=a itemprop=b content='\(long)'></b>\(items)",
    ]
    for (index, html) in pages.enumerated() {
      let found = page(html)
      #expect(found.malformed.map(\.kind).contains(.limit), "page \(index)")
      let things = JSON.array(found.things.map(\.json)).bytes.count
      #expect(things < 18 << 20, "page \(index)")
      #expect(found.microdata.bytes.count < 9 << 20, "page \(index)")
      #expect(found.rdfa.bytes.count < 18 << 20, "page \(index)")
    }
  }

  @Test func `a link is not read for each of a great many properties that say nothing`() {
    let link = "<p about='[\(String(repeating: "p", count: 1 << 20)):q]'>"
    let properties = String(repeating: "<b property></b>", count: 20)
    #expect(Self.limits("<title>t</title>\(link)\(properties)").contains(.limit))
  }

  @Test func `a vocabulary, a prefix or a term that is too long is none`() {
    let long = "http://h.test/" + String(repeating: "x", count: 5_000)
    let found = page(
      """
      <script type=application/ld+json>
      {"@context":{"@vocab":"\(long)","p":"\(long)","t":"\(long)","n":"name"},
      "@type":"A","k":1,"t":2,"p:k":3,"n":4}</script>
      <div typeof="q:A schema:B" prefix="q: \(long)"><b property="q:k schema:name">x</b></div>
      """)
    // Where a prefix is none, its names are IRIs as they stand.
    let names = [["k", "p:k", "name"], ["q:k", "name"]]
    #expect(found.things.map(\.types) == [["A"], ["q:A", "B"]])
    #expect(found.things.map { $0.properties.map(\.name) } == names)
    #expect(found.malformed.map(\.kind) == [.limit, .limit])
  }

  @Test(arguments: [
    #""https://a/LONG""#, #"{"@base":"https://a/LONG"}"#, #"{"@vocab":"https://a/LONG"}"#,
    "[MANY]",
  ])
  func `a context that holds for many things takes no time for each of them`(context: String) {
    let text = context.replacing("LONG", with: String(repeating: "a", count: 1 << 20))
      .replacing("MANY", with: Array(repeating: "{}", count: 30_000).joined(separator: ","))
    let things = Array(repeating: #"{"@type":"A","b":1}"#, count: 9_000).joined(separator: ",")
    for term in ["A", "b"] {
      let block = "{\"@context\":{\"\(term)\":{\"@context\":\(text)}},\"@graph\":[\(things)]}"
      #expect(Self.limits("<script type=application/ld+json>\(block)</script>").contains(.limit))
    }
  }

  @Test func `a name in a context is no longer than names are`() {
    let long = String(repeating: "x", count: 513)
    for (context, names) in [("\"\(long)\":\"name\"", [long, "a"]), ("\"a\":\"\(long)\"", [long])] {
      let block = "{\"@context\":{\(context)},\"@type\":\"A\",\"\(long)\":1,\"a\":2}"
      let found = page("<script type=application/ld+json>\(block)</script>")
      #expect(found.things.map { $0.properties.map(\.name) } == [names])
      #expect(found.malformed.map(\.kind) == [.limit])
    }
  }

  @Test func `an attribute that is too long is told at its tag`() {
    let long = String(repeating: "x", count: 1 << 20)
    let whole = page("<p>a<meta name=description content='\(long)'>")
    #expect(whole.description?.utf8.count == 1 << 20)
    let found = page("<p>a<meta name=description content='\(long)y'>")
    #expect(found.description == nil && found.malformed.map(\.column) == [5])
  }

  @Test func `the first heading that is not empty is found quickly`() {
    #expect(page("<h1> <h1></h1></h1><p><h1>x</h1><h1>y</h1>").title == "x")
    let empty = String(repeating: "<h1><div>", count: 50_000)
    #expect(page(empty + "<h1>x").title == "x")
    #expect(page(empty).title == nil)
  }

  @Test func `a base that is too long is none`() {
    let base = "http://h.test/" + String(repeating: "a", count: 5_000) + "/"
    let found = page("<base href='\(base)'><a href=x>y</a>")
    #expect(found.links == ["https://www.example.org/a/x"])
    #expect(found.malformed.map(\.kind) == [.limit])
  }

  @Test func `long text is the same whatever its pieces are`() {
    let long = String(repeating: "ä&amp;\u{1f600} x", count: 20_000)
    let read = long.replacing("&amp;", with: "&")
    let script = String(repeating: "[1, 2] ", count: 20_000)
    let tree = HTMLParser.parse(
      Array("<title>\(long)</title><script>\(script)</script><p>\(long)<table>\(long)<tr>".utf8))
    let names = tree.elements.map { ($0, tree.name($0)) }
    let texts = TextOrder(tree)
    func text(_ name: String) -> String? {
      names.first { $0.1 == name }.flatMap { texts.textContent($0.0, in: tree, limit: .max) }
    }
    #expect(text("title") == read && text("script") == script)
    #expect(text("p") == read + read && text("table") == "")
  }

  @Test func `values of JSON end at their limit`() {
    let values = String(repeating: "1,", count: 200_000)
    let page = page("<title>t</title><script type=application/ld+json>[\(values)1]</script>")
    #expect(page.malformed.map(\.kind) == [.limit])
    #expect(page.title == "t" && page.jsonLD.isEmpty)
  }

  @Test func `a block of JSON that is too deep costs itself alone`() {
    let deep = String(repeating: "{\"a\":", count: 100_000)
    let page = page(
      "<script type=application/ld+json>\(deep)</script><script type=application/ld+json>{\"@type\":\"Book\"}</script>"
    )
    #expect(page.malformed.map(\.kind) == [.jsonDepth])
    #expect(page.things.map(\.types) == [["Book"]])
  }

  @Test func `rings of itemref end`() {
    let items = (0..<200).map {
      "<p id=i\($0) itemprop=a itemscope itemref='i\(($0 + 1) % 200) i\(($0 + 7) % 200)'></p>"
    }
    let page = page("<div itemscope itemref=i0></div>" + items.joined())
    #expect(page.malformed.contains { $0.kind == .itemref || $0.kind == .limit })
  }

  @Test func `ids in itemref end at their limit`() {
    let ids = (0..<5000).map { "i\($0)" }.joined(separator: " ")
    #expect(Self.limits("<i id=i1></i><div itemscope itemref='\(ids)'></div>").contains(.limit))
  }

  @Test func `links that name one page again and again end at their limit`() {
    let again = String(repeating: "<a href=http://h.test/x>y</a>", count: 100_000)
    #expect(page(again + "<a href=http://h.test/z>z</a>").links == ["http://h.test/x"])
    #expect(page("<a href=http://h.test/z>z</a>" + again).links.count == 2)
  }

  @Test func `links into apps, metas and names by the ten thousand are read`() {
    let metas = (0..<5000).map {
      "<meta property=al:ios:url content=a://\($0)><meta property='og:a\($0) b' content=x>"
    }
    let page = page(metas.joined())
    #expect(page.deepLinks.count <= 1000)
    #expect(page.malformed.contains { $0.kind == .limit })
  }
}

extension String {
  /// The words as texts of JSON, with commas between.
  fileprivate var json: String { split(separator: " ").map { "\"\($0)\"" }.joined(separator: ",") }
}
