import Testing

@testable import WebMarkup

/// What contexts of JSON-LD 1.1 say of keys and values.
@Suite struct LinkedDataTests {
  private func thing(_ data: String) throws -> Thing {
    let found = page("<script type=application/ld+json>\(data)</script>")
    #expect(found.malformed.isEmpty && found.things.count == 1)
    return try #require(found.things.first)
  }

  @Test func `values may be listed by language, index, id and type`() throws {
    let thing = try thing(
      """
      {"@context":["https://schema.org",{"label":{"@id":"name","@container":"@language"},
      "posts":{"@id":"blogPost","@container":"@index"},"none":"@none",
      "parts":{"@id":"hasPart","@container":["@id","@set"]},
      "kinds":{"@id":"isPartOf","@type":"@id","@container":"@type"}}],"@type":"Blog",
      "label":{"en":"Soup","de":["Suppe","Eintopf"]},
      "posts":{"a":{"@type":"BlogPosting","name":"P"},"b":["x",{"name":"Q"}]},
      "parts":{"#m":{"name":"M"},"none":{"name":"N"}},"kinds":{"Book":[{"name":"B"},"#c"]}}
      """)
    #expect(thing["name"] == [.text("Soup"), .text("Suppe"), .text("Eintopf")])
    #expect(thing["blogPost"].map(\.plainText) == ["P", "x", "Q"])
    #expect(
      thing.things("hasPart").map(\.id) == ["https://www.example.org/a/b?c=1#m", nil])
    #expect(thing.things("hasPart").map { $0.text("name") } == ["M", "N"])
    #expect(thing.things("isPartOf").map(\.types) == [["Book"], ["Book"]])
    // Values that are written one by one are taken as they are.
    let plain = try self.thing(
      """
      {"@context":["https://schema.org",{"name":{"@id":"name","@container":"@language"},
      "part":{"@id":"hasPart","@container":"@index"}}],
      "name":[{"@value":"A","@language":"en"},"B"],"part":[{"name":"C"}]}
      """)
    #expect(plain["name"] == [.text("A"), .text("B")])
    #expect(plain.things("hasPart").map { $0.text("name") } == ["C"])
  }

  @Test func `an index may be a property of the values that it lists`() throws {
    let thing = try thing(
      """
      {"@context":["https://schema.org",{"none":"@none","section":"articleSection",
      "posts":{"@id":"blogPost","@container":["@index","@set"],"@index":"section"},
      "links":{"@id":"relatedLink","@type":"@id","@container":"@index","@index":"schema:about"}}],
      "@type":"Blog",
      "posts":{"a":{"name":"P","section":"b"},"c":[{"name":"Q"}],"none":{"name":"R"}},
      "links":{"x":["#l"]}}
      """)
    let posts = thing.things("blogPost")
    #expect(posts.map { $0.text("name") } == ["P", "Q", "R"])
    #expect(posts.map { $0["articleSection"].map(\.plainText) } == [["a", "b"], ["c"], []])
    let link = try #require(thing.things("relatedLink").first)
    #expect(link.id == "https://www.example.org/a/b?c=1#l" && link.text("about") == "x")
  }

  @Test func `a term is a prefix where it says so, or is a mere IRI that ends as one`() throws {
    let thing = try thing(
      """
      {"@context":{"@vocab":"http://schema.org/","a":"http://h.test/a#","b":"http://h.test/b",
      "c":{"@id":"http://h.test/c","@prefix":true},"d":{"@id":"http://h.test/d#"},
      "e":{"@id":"http://h.test/e#","@prefix":false}},
      "@type":["a:A","b:A","c:A","d:A","e:A"],"c:name":1,"a":2}
      """)
    #expect(
      thing.types == ["http://h.test/a#A", "b:A", "http://h.test/cA", "d:A", "e:A"])
    #expect(thing.properties.map(\.name) == ["http://h.test/cname", "http://h.test/a#"])
  }

  @Test func `a context may import that of schema.org`() throws {
    let thing = try thing(
      """
      {"@context":[{"@vocab":"http://h.test/"},{"@import":"https://schema.org/",
      "name":"http://h.test/n"}],"type":"Recipe","name":"Soup","genre":"G"}
      """)
    #expect(thing.types == ["Recipe"])
    #expect(thing.properties.map(\.name) == ["http://h.test/n", "genre"])
    #expect(
      page(
        """
        <script type=application/ld+json>
        {"@context":{"@import":"https://h.test/c","n":"name"},"@type":"A","n":1}</script>
        """
      ).things.first?.properties.map(\.name) == ["name"])
  }

  @Test func `contexts of properties hold inside, and those of types for one thing`() throws {
    let thing = try thing(
      """
      {"@context":["https://schema.org",{"@base":"https://base.example/x/","more":"@nest",
      "maker":{"@id":"creator","@context":{"title":"name"}},
      "Card":{"@id":"Person","@context":{"nick":"alternateName"}}}],
      "@id":"a","@type":"Card","nick":"N","more":{"description":"D","more":[{"url":"u"}]},
      "maker":{"title":"T","maker":{"title":"U"}},"knows":{"nick":"V"},
      "member":{"@context":{"@propagate":false,"nick":"name"},"nick":"W","member":{"nick":"X"}}}
      """)
    #expect(thing.id == "https://base.example/x/a" && thing.types == ["Person"])
    #expect(
      thing.properties.map(\.name) == [
        "alternateName", "description", "url", "creator", "knows", "member",
      ])
    let maker = try #require(thing.things("creator").first)
    #expect(maker.text("name") == "T" && maker.text("creator") == "U")
    #expect(thing.things("knows").first?.text("nick") == "V")
    let member = try #require(thing.things("member").first)
    #expect(member.text("name") == "W")
    #expect(member.things("member").first?.text("nick") == "X")
  }

  @Test(arguments: [
    "https://schema.org/", "http://www.schema.org", "//schema.org",
    "http://schema.org/docs/jsonldcontext.jsonld",
  ])
  func `schema.org has names of its own for id and type`(context: String) throws {
    let thing = try thing(
      """
      {"@context":"\(context)","id":"#r","type":["Recipe"],"name":"Soup",
      "image":{"type":"ImageObject","url":"https://h.test/i.png"},
      "schema:genre":{"@id":"schema:Dinner"}}
      """)
    #expect(thing.id == "https://www.example.org/a/b?c=1#r" && thing.types == ["Recipe"])
    #expect(thing.things("image").map(\.types) == [["ImageObject"]])
    #expect(thing.properties.map(\.name) == ["name", "image", "genre"])
    #expect(thing["genre"] == [.reference("http://schema.org/Dinner")])
  }

  @Test func `texts may be ids, terms or JSON as it stands`() throws {
    let thing = try thing(
      """
      {"@context":["https://schema.org",{"ex":"https://ex.test/#","tel":"telephone",
      "availability":{"@id":"schema:availability","@type":"@vocab"},"Sold":"ex:sold",
      "about":{"@id":"about","@type":"@id"},"mentions":{"@id":"mentions","@type":"@vocab"},
      "tables":{"@id":"text","@type":"@json"}}],
      "@graph":[{"@id":"ex:a","availability":["InStock","Sold","https://h.test/x"],
      "about":["ex:b","tel:+1-2","c"],"mentions":"ex:b","tables":[1,{"@id":"d"}],
      "size":{"@type":"@json","@value":{"@type":"x"}},"note":{"@value":"ex:b"}},
      {"@id":"https://ex.test/#b","name":"B"}]}
      """)
    #expect(thing.id == "https://ex.test/#a")
    #expect(
      thing["availability"].map(\.plainText) == [
        "http://schema.org/InStock", "https://ex.test/#sold", "https://h.test/x",
      ])
    #expect(
      thing["about"].map(\.plainText) == ["B", "tel:+1-2", "https://www.example.org/a/c"])
    #expect(thing.things("mentions").map(\.id) == ["https://ex.test/#b"])
    #expect(thing["text"] == [.text(#"[1,{"@id":"d"}]"#)])
    #expect(thing["size"] == [.text(#"{"@type":"x"}"#)] && thing["note"] == [.text("ex:b")])
  }

  @Test func `terms of contexts that are read again and again end at their limit`() {
    let terms = (0..<900).map { "\"t\($0)\":\"u\"" }.joined(separator: ",")
    let things = Array(repeating: "{\"@type\":\"A\",\"b\":1}", count: 2_000)
    let found = page(
      """
      <script type=application/ld+json>{"@context":{"@vocab":"http://h.test/",
      "A":{"@context":{\(terms)}}},"c":[\(things.joined(separator: ","))]}</script>
      """)
    #expect(found.malformed.map(\.kind) == [.limit])
    #expect(found.things.first?.things("http://h.test/c").count == 2_000)
  }
}
