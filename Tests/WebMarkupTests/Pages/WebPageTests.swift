import Testing

@testable import WebMarkup

@Suite struct WebPageTests {
  private static let recipe = """
    <!doctype html><html lang="en"><head>
    <title>  Tomato
     soup </title>
    <link rel="canonical" href="/soup">
    <meta name="apple-itunes-app" content="app-id=123, app-argument=https://example.org/soup?in=app">
    <meta property="al:ios:url" content="soup://1"><meta property="al:ios:app_store_id" content="123">
    <meta property="al:ios:url" content="soup://2">
    <meta name="twitter:app:name:iphone" content="Soups"><meta name="twitter:app:id:iphone" content="9">
    <meta property="og:description" content=" Hot and  red "><meta property="og:image" content="/i.png">
    <meta name="keywords" content="soup, red,soup">
    <script type="application/ld+json">{"@context":"https://schema.org","@graph":[
     {"@type":"WebPage","@id":"#page","mainEntity":{"@id":"#r"}},
     {"@type":"Recipe","@id":"#r","name":"Tomato Soup","author":{"@type":"Person","name":"Ann"},
      "recipeIngredient":["2 tomatoes","salt"],"prepTime":"PT1H30M","recipeYield":"4 bowls",
      "recipeInstructions":[{"@type":"HowToStep","text":"Cut."},{"@type":"HowToStep","text":"Boil."}],
      "aggregateRating":{"@type":"AggregateRating","ratingValue":"8","bestRating":10,"ratingCount":12},
      "offers":{"@type":"Offer","price":"12.50","priceCurrency":"EUR","availability":"https://schema.org/InStock"},
      "interactionStatistic":{"@type":"InteractionCounter","interactionType":"https://schema.org/LikeAction","userInteractionCount":99},
      "datePublished":"2024-05-15","dateModified":"2024-05-15T10:00:00+02:00",
      "mainEntityOfPage":{"@id":"#page"}}]}</script>
    </head><body><header>Menu</header><main><h1>Soup</h1><p>Cut <b>tomatoes</b>.</p><nav>x</nav></main>
    <div itemscope itemtype="https://schema.org/Organization"><span itemprop="name">Soup &amp; Co</span>
    <span itemprop="telephone">+49 (30) 12-34</span>
    <div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress">
    <span itemprop="streetAddress">Way 1</span><span itemprop="addressLocality">Berlin</span></div></div>
    </body></html>
    """

  @Test func `the head, the links into apps and the text`() {
    let page = page(Self.recipe, at: "https://www.example.org/soup.html#x")
    #expect(page.url?.description == "https://www.example.org/soup.html")
    #expect(page.title == "Tomato soup")
    #expect(page.description == "Hot and red")
    #expect(page.image == "https://www.example.org/i.png")
    #expect(page.canonical == "https://www.example.org/soup")
    #expect(page.text == "Soup Cut tomatoes.")
    #expect(page.deepLinks.map(\.kind) == [.smartAppBanner, .appLink, .appLink, .twitterCard])
    #expect(
      page.deepLinks.map(\.url) == ["https://example.org/soup?in=app", "soup://1", "soup://2", nil])
    #expect(page.deepLinks.map(\.appID) == ["123", "123", nil, "9"])
    #expect(page.deepLinks.first?.line == 5 && page.deepLinks.first?.column == 1)
    #expect(page.missing.isEmpty)
    #expect(page.malformed.isEmpty)
  }

  @Test func `durations without years, and steps in a list, are those of the recipe`() throws {
    let page = page(
      """
      <title>t</title><script type=application/ld+json>{"@context":"https://schema.org",
      "@type":"Recipe","prepTime":"P0Y0M0DT0H35M0.000S","cookTime":"P1DT1,5H","totalTime":"P1Y",
      "recipeInstructions":{"@type":"ItemList","itemListElement":[
      {"@type":"ListItem","position":1,"item":{"@type":"HowToStep","text":"Cut."}},"Boil.",
      {"@type":"ListItem","name":"Stir.","item":"https://h.example/#stir"},
      {"@type":"HowToStep","text":"Eat.","item":{"@type":"HowToSupply","name":"Spoon"}}]}}</script>
      """)
    let item = try #require(page.item)
    #expect(item.attributes["web_prepTime"] == .integer(2_100))
    #expect(item.attributes["web_cookTime"] == .integer(91_800))
    #expect(item.attributes["web_totalTime"] == nil)
    #expect(item.attributes["instructions"] == .string("Cut.\nBoil.\nStir.\nEat."))
    #expect(page.malformed.map(\.message) == ["totalTime is no duration"])
  }

  @Test(arguments: [
    (#"{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"Why?"}]}"#, "FAQPage"),
    (
      #"{"@type":["WebPage","FAQPage"],"mainEntity":{"@type":"Question"}},{"@type":"Recipe"}"#,
      "Recipe"
    ),
    (#"{"@type":"QAPage","mainEntity":{"@type":"Question"}},{"@type":"Recipe"}"#, "Question"),
  ])
  func `questions that are often asked are not what their page is about`(
    things: String, kind: String
  ) throws {
    let page = page(
      """
      <title>t</title><script type=application/ld+json>
      {"@context":"https://schema.org","@graph":[\(things)]}</script>
      """)
    #expect(try #require(page.item).attributes["kind"] == .string(kind))
  }

  @Test func `a card of a recipe leaves its ingredients to the recipe`() throws {
    let page = page(
      """
      <title>t</title><script type=application/ld+json>{"@context":"https://schema.org",
      "@graph":[{"@type":"Recipe","name":"Soup","recipeYield":"6"},
      {"@type":"Recipe","name":"Soup","recipeYield":"8","ingredients":"salt"}]}</script>
      """)
    let item = try #require(page.item)
    #expect(item.attributes["web_ingredients"] == .array([.string("salt")]))
    #expect(item.attributes["web_recipeYield"] == .string("8"))
  }

  @Test func `the item has the attributes of every kind`() throws {
    let page = page(Self.recipe, at: "https://www.example.org/soup.html")
    let item = try #require(page.item)
    #expect(item.id == "https://example.org/soup?in=app")
    #expect(item.domain == "web.org.example.www")
    let expected: [String: JSON] = [
      "kind": .string("Recipe"), "authorNames": .texts(["Ann"]), "rating": .integer(4),
      "ratingDescription": .string("8/10 (12)"), "web_ratingCount": .integer(12),
      "web_price": .number("12.5"), "web_priceCurrency": .string("EUR"),
      "web_availability": .string("InStock"),
      "web_interactions": .texts(["LikeAction 99"]), "web_interactionCount": .integer(99),
      "web_ingredients": .texts(["2 tomatoes", "salt"]), "instructions": .string("Cut.\nBoil."),
      "web_prepTime": .integer(5400), "web_recipeYield": .string("4 bowls"),
      "phoneNumbers": .texts(["+49 (30) 12-34"]), "web_dial": .texts(["+49301234"]),
      "supportsPhoneCall": .bool(true), "fullyFormattedAddress": .string("Way 1, Berlin"),
      "city": .string("Berlin"), "organizations": .texts(["Soup & Co"]),
      "contentCreationDate": .string("2024-05-15T00:00:00Z"),
      "contentModificationDate": .string("2024-05-15T10:00:00+02:00"),
      "keywords": .texts(["soup", "red"]),
      "alternateNames": .texts(["Tomato Soup"]), "web_types": .texts(["WebPage", "Organization"]),
      "languages": .texts(["en"]), "eligibleForPublicIndexing": .bool(true),
      // Q = 100·(12·4/5 + 3)/17 = 74.1, P = 100·2/7 = 28.6; their mean is 51.3.
      "rankingHint": .integer(51),
    ]
    for (name, value) in expected { #expect(item.attributes[name] == value, "\(name)") }
    #expect(
      page.richResult == [
        "Tomato soup", "www.example.org", "8/10 (12)", "12.5 EUR", "+49 (30) 12-34",
        "Way 1, Berlin",
      ])
  }

  @Test func `a ring of things keeps ids, and its first is on top`() throws {
    let things = page(Self.recipe).things
    #expect(things.map(\.types) == [["WebPage"], ["Organization"]])
    let recipe = try #require(things.first?.things("mainEntity").first)
    #expect(recipe["mainEntityOfPage"] == [.reference("https://www.example.org/a/b?c=1#page")])
  }

  @Test(arguments: [
    ("<meta name=robots content='NOINDEX'>", false, true, true),
    ("<meta name=applebot content=none>", false, false, false),
    ("<meta name=googlebot content=none>", true, true, true),
    ("<meta name=cairn content='nosnippet,nofollow'>", true, false, false),
    ("<meta name=robots content='noindex; nofollow'>", false, true, false),
    ("<meta name=robots content='NOINDEX NOFOLLOW'>", false, true, false),
    ("<meta name=robots content='index, max-image-preview: none'>", true, true, true),
    ("<meta name=robots content='max-snippet:-1 noindex nofollow'>", false, true, false),
  ]) func `robots of the head`(html: String, index: Bool, snippet: Bool, follow: Bool) {
    let robots = page(html + "<title>t</title>").robots
    #expect(robots.index == index && robots.snippet == snippet && robots.follow == follow)
    #expect((page(html).item == nil) == !index)
  }

  @Test(arguments: [
    ("noindex", false), ("googlebot: noindex", true), ("applebot: noindex", false),
    ("unavailable_after: 2020-01-01, noindex", false),
    ("ALL", true), ("googlebot: nofollow, applebot: noindex", false),
    ("nofollow, cairn : noindex", false), ("cairn: nofollow, otherbot: noindex, noindex", true),
    ("unavailable_after: Friday, 25-Jun-10 15:00:00 GMT, noindex", false),
    ("max-image-preview: none", true), ("cairn: max-image-preview: none", true),
    ("max-image-preview:none; noindex", false), ("noindex max-snippet:-1", false),
    ("cairn: max-snippet:-1 noindex", false), ("follow max-image-preview: none", true),
  ]) func `robots of the header`(value: String, index: Bool) {
    var source = PageSource(name: "x", bytes: [])
    source.headers = [("X-Robots-Tag", value)]
    #expect(WebPage(source).robots.index == index)
  }

  @Test(arguments: [("FooBot/1.0", false), ("foobot", false), ("1", true), ("foo", true)])
  func `a scope is compared with the token of the agent`(agent: String, index: Bool) {
    var source = PageSource(name: "x", bytes: Array("<meta content=noindex>".utf8))
    source.agent = agent
    source.headers = [("X-Robots-Tag", "foobot: noindex")]
    #expect(WebPage(source).robots.index == index)
  }

  @Test func `a link of a part of the page is not the page's`() {
    var source = PageSource(name: "x", bytes: Array("<title>x".utf8))
    source.urls = [("base", "https://h.example/")]
    source.headers = [("Link", "</f>; rel=canonical; anchor=\"#f\", </p>; rel=canonical")]
    #expect(WebPage(source).canonical == "https://h.example/p")
    source.headers = [("Link", #"</q>; title="a \"b, c; \\"; rel=canonical"#)]
    #expect(WebPage(source).canonical == "https://h.example/q")
  }

  @Test func `a resource that is an empty name in brackets says nothing`() throws {
    let found = page("<a vocab=http://schema.org/ property=url resource='[]' href=/x>y</a>")
    #expect(try #require(found.things.first)["url"] == [.reference("https://www.example.org/x")])
  }

  @Test func `a rating that cannot be read keeps its bounds and counts`() {
    let found = page(
      "<script type=application/ld+json>{\"@type\":\"AggregateRating\",\"ratingValue\":\"4,5\",\"bestRating\":10,\"ratingCount\":3}</script>"
    )
    let attributes = found.item?.attributes
    #expect(attributes?["rating"] == nil && attributes?["web_bestRating"] == .number("10"))
    #expect(attributes?["web_worstRating"] == .number("1"))
    #expect(attributes?["web_ratingCount"] == .number("3"))
    #expect(found.malformed.map(\.kind) == [.value])
  }

  @Test func `nosnippet keeps the title and nothing that can be searched`() throws {
    let item = try #require(page("<meta name=robots content=nosnippet>" + Self.recipe).item)
    #expect(
      Set(item.attributes.list.map(\.key)).isSubset(of: [
        "title", "contentType", "contentURL", "languages", "eligibleForPublicIndexing",
        "web_deepLink", "web_deepLinks", "web_appIDs",
      ]))
    #expect(item.attributes["title"] == .string("Tomato soup"))
  }

  @Test(arguments: [
    ("<!-- saved from url=(0022)https://a.example/x -->", "https://a.example/x", "comment"),
    (
      "<!--\n Page saved with SingleFile \n url: https://b.example/y#z \n saved date: Sat Oct 05 2024 12:34:56 GMT+0200 (CEST)\n-->",
      "https://b.example/y", "comment"
    ),
    ("<link rel='x CANONICAL' href='https://c.example/'>", "https://c.example/", "canonical"),
    ("<meta property=og:url content=https://d.example/>", "https://d.example/", "ogURL"),
    ("<base href=https://e.example/f/>", "https://e.example/f/", "baseElement"),
  ]) func `whose page it is`(html: String, url: String, from: String) {
    let page = page(html, at: nil)
    #expect(page.url?.description == url)
    #expect(page.urlFrom == from)
    if html.contains("SingleFile") { #expect(page.time == "2024-10-05T12:34:56+02:00") }
  }

  @Test(arguments: [
    ("https://WWW.Example.org:8080/", "web.org.example.www"),
    ("http://127.0.0.1/", "web.127%2E0%2E0%2E1"),
    ("http://[::1]/", "web.[::1]"), ("http://localhost/", "web.localhost"),
  ]) func `a domain is the host reversed`(url: String, domain: String) {
    #expect(page("<title>x</title>", at: url).item?.domain == domain)
  }

  @Test(arguments: [
    ("<meta name=apple-itunes-app content='app-id=x'>", MarkupFault.Kind.banner),
    ("<meta property=al:ios:url content='http://['>", .url),
    ("<script type=application/ld+json>{</script>", .json),
    ("<script type=application/ld+json>3</script>", .jsonType),
    ("<div itemscope itemref=nobody></div>", .itemref),
    ("<div itemscope id=a itemref=b></div><p id=b itemprop=x itemscope itemref=a2></p>", .itemref),
    (
      "<div itemscope itemtype=http://schema.org/AggregateRating><i itemprop=ratingValue>many</i></div>",
      .value
    ),
    (
      "<p vocab=http://schema.org/ typeof=AggregateRating><i property=ratingValue>many</i>", .value
    ),
  ]) func `what is malformed is told and costs nothing else`(html: String, kind: MarkupFault.Kind) {
    let page = page("<title>kept</title>\n  " + html)
    #expect(page.title == "kept")
    #expect(page.malformed.map(\.kind) == [kind])
    #expect(page.malformed.first?.line == 2)
  }

  @Test func `an item inside itself is an error there and nowhere else`() {
    let page = page(
      "<div itemscope id=a><p id=b itemprop=x itemscope itemref=c></p></div><i id=c itemprop=y itemscope itemref=b></i>"
    )
    #expect(String(decoding: page.microdata.bytes, as: UTF8.self).contains("\"ERROR\""))
    #expect(page.malformed.contains { $0.kind == .itemref })
  }

  @Test(arguments: ["data:text/html,x", "javascript:1", "http://[", "//other.example/a/"])
  func `the first base counts where it is one`(href: String) {
    let found = page("<base href='\(href)'><base href=/b/><link rel=canonical href=c>")
    let isBase = href.hasPrefix("//")
    #expect(page("<base href=/b/><link rel=canonical href=' '>").canonical == nil)
    #expect(
      found.canonical == (isBase ? "https://other.example/a/c" : "https://www.example.org/a/c"))
  }

  @Test func `URLs of RDFa count as those of the other syntaxes`() {
    let found = page(
      """
      <div vocab=http://schema.org/ typeof=Product><div property=offers typeof=Offer>\
      <link property=availability href=http://schema.org/InStock></div>\
      <div property=interactionStatistic typeof=InteractionCounter>\
      <link property=interactionType href=http://schema.org/LikeAction>\
      <meta property=userInteractionCount content=3></div>\
      <div property=image typeof=ImageObject><link property=contentUrl href=i.png></div></div>
      """)
    let attributes = found.item?.attributes
    #expect(attributes?["web_availability"] == .string("InStock"))
    #expect(attributes?["web_interactions"] == .texts(["LikeAction 3"]))
    #expect(attributes?["web_imageURLs"] == .texts(["https://www.example.org/a/i.png"]))
    #expect(found.image == "https://www.example.org/a/i.png")
  }

  @Test func `an item inside what its itemref names is told`() {
    let found = page(
      "<div id=b><p itemscope itemref=b><i itemprop=c>x</i></p><i itemprop=d>y</i></div>")
    #expect(found.malformed.map(\.kind) == [.itemref] && found.malformed.first?.column == 11)
    #expect(found.microdata.array?.first?["properties"]?["d"] == .texts(["y"]))
  }

  @Test func `a blank node that holds itself keeps its name there`() {
    let found = page(
      "<script type=application/ld+json>{\"@id\":\"_:b\",\"@type\":\"A\",\"x\":{\"@id\":\"_:b\"}}</script>"
    )
    #expect(found.things.first?["x"] == [.reference("_:b")])
  }

  @Test func `blocks of JSON join by id, and inline contexts are applied`() throws {
    let page = page(
      """
      <script type="application/ld+json; charset=utf-8">{"@context":{"@vocab":"http://schema.org/","ex":"http://ex.org/","nick":"alternateName","id":"@id","is":"@type"},
      "id":"http://a/1","is":"Book","nick":"N","ex:p":{"@list":[1,{"@value":"v"}]},"author":{"id":"http://a/2"}}</script>
      <script type="Application/LD+JSON">[{"@context":"http://www.schema.org","@id":"http://a/2","name":"Ann"},{"@id":"http://a/1","@type":"schema:Product"}]</script>
      """)
    #expect(page.things.count == 1)
    let thing = try #require(page.things.first)
    #expect(thing.types == ["Book", "Product"])
    #expect(thing["alternateName"] == [.text("N")])
    #expect(thing["http://ex.org/p"] == [.number("1"), .text("v")])
    #expect(thing.things("author").first?.text("name") == "Ann")
  }

  @Test(arguments: [
    ("+49 (30) 1", "+49301"), ("tel:+49-30-1", "+49301"), ("(+49) 30 1", "+49301"),
    ("030 1+2", "03012"), ("*100#", "*100#"),
  ])
  func `a number is dialled with the sign that stands before its digits`(
    _ phone: String, _ dial: String
  ) {
    let found = page("<i itemprop=telephone>\(phone)</i>")
    #expect(found.item?.attributes["web_dial"] == .texts([dial]))
    #expect(found.item?.attributes["phoneNumbers"] == .texts([phone]))
  }

  @Test func `a property that is not filled in is none`() throws {
    let found = page(
      """
      <title>t</title><meta name=apple-itunes-app content="app-id=1, app-argument=">
      <meta name=twitter:image content=""><meta name=Twitter:Image content=/i.png>
      <script type=application/ld+json>{"@type":"Organization","telephone":"",
      "address":[" ",{"streetAddress":"A 1"}],"email":" ",
      "contactPoint":{"telephone":"+1-2","email":"a@h.test"}}</script>
      """)
    let item = try #require(found.item)
    #expect(item.attributes["phoneNumbers"] == .texts(["+1-2"]))
    #expect(item.attributes["emailAddresses"] == .texts(["a@h.test"]))
    #expect(item.attributes["fullyFormattedAddress"] == .string("A 1"))
    #expect(found.deepLinks.map(\.url) == [nil] && found.missing.first == "deepLink")
    #expect(found.image == "https://www.example.org/i.png")
  }

  @Test func `a term means what the innermost context says, or nothing`() throws {
    let found = page(
      """
      <script type=application/ld+json>{"@context":[{"@vocab":"http://schema.org/",
      "on":{"@id":"about","@type":"@id"},"in":{"@reverse":"hasPart"}},
      {"on":"note","in":"place","no":null,"No":null}],
      "@type":["Book","No"],"on":"#a","in":{"name":"B"},"no":"x"}</script>
      """)
    #expect(found.things.count == 1)
    let thing = try #require(found.things.first)
    #expect(thing.types == ["Book"])
    #expect(thing.properties.map(\.name) == ["note", "place"])
    #expect(thing["note"] == [.text("#a")])
    #expect(thing.things("place").first?.text("name") == "B")
  }

  @Test func `what a block includes stands beside it`() {
    let found = page(
      """
      <script type=application/ld+json>{"@context":"https://schema.org","@type":"Recipe",
      "name":"Soup","@included":[{"@type":"Person","name":"Ann"}]}</script>
      """)
    #expect(found.things.map(\.types) == [["Recipe"], ["Person"]])
  }

  @Test(arguments: [
    ##""@reverse":{"itemReviewed":{"@type":"Review","name":"R"}}"##,
    ##""reviews":{"@set":[{"@type":"Review","name":"R"}]}"##,
    ##""inverse":{"schema:itemReviewed":[{"@id":"#r"}]}},{"@id":"#r","@type":"Review","name":"R""##,
    ##""@reverse":{"itemReviewed":["R",{"@value":"R"}],"by":{"@type":"Review","name":"R"}}"##,
    ##""@reverse":{"by":"#r"}},{"@id":"#r","@type":"Review","name":"R""##,
  ])
  func `a property written at its value is that of who has it`(members: String) throws {
    let context = """
      {"@vocab":"http://schema.org/","inverse":"@reverse","reviews":{"@reverse":"itemReviewed"},\
      "by":{"@id":"itemReviewed","@type":"@id"}}
      """
    let found = page(
      """
      <script type=application/ld+json>{"@context":\(context),"@graph":[
      {"@id":"#m","@type":"Movie","name":"M",\(members)}]}</script>
      """)
    #expect(found.malformed.isEmpty)
    #expect(found.things.map(\.types) == [["Review"]])
    let review = try #require(found.things.first)
    #expect(Set(review.properties.map(\.name)) == ["name", "itemReviewed"])
    #expect(review.things("itemReviewed").map { $0.text("name") } == ["M"])
  }

  @Test func `an inverse of an inverse is the property itself, and a ring of them ends`() throws {
    let found = page(
      """
      <script type=application/ld+json>{"@context":{"@vocab":"http://schema.org/",
      "in":{"@reverse":"hasPart"}},"@id":"#a","@reverse":{"in":{"@id":"#b","name":"B"},
      "hasPart":[{"@id":"#a"},{"@id":"#c","in":{"@id":"#a"}}]}}</script>
      """)
    let thing = try #require(found.things.first)
    #expect(found.things.count == 1 && thing.id?.hasSuffix("#a") == true)
    #expect(
      thing["hasPart"].map { if case .thing(let part) = $0 { part.text("name") } else { nil } }
        == ["B", nil, nil])
  }

  @Test func `things that hold each other many times over end at the limit`() {
    let nodes = (0..<40).map { index in
      let next = "{\"@id\":\"n:\(index + 1)\"}"
      return "{\"@id\":\"n:\(index)\",\"a\":\(next),\"b\":\(next)}"
    }
    let page = page("<script type=application/ld+json>[\(nodes.joined(separator: ","))]</script>")
    #expect(page.malformed.contains { $0.kind == .limit })
  }

  @Test func `RDFa Lite gives a node for each subject`() {
    let page = page(
      """
      <html lang=en><body vocab="http://schema.org/" typeof="WebPage"><div property="mainEntity" typeof="Book" resource="#b">
      <span property="name">A <i>b</i></span><a property="url" href="/c">x</a><time property="datePublished" datetime="2024">y</time>
      </div><p property="og:x">z</p></body></html>
      """, at: "http://h/p")
    let expected = """
      [{"@id":"http://h/p","@type":["http://schema.org/WebPage"],"http://schema.org/mainEntity":[{"@id":"http://h/p#b"}],\
      "http://ogp.me/ns#x":[{"@value":"z","@language":"en"}]},{"@id":"http://h/p#b","@type":["http://schema.org/Book"],\
      "http://schema.org/name":[{"@value":"A b","@language":"en"}],"http://schema.org/url":[{"@id":"http://h/c"}],\
      "http://schema.org/datePublished":[{"@value":"2024"}]}]
      """
    #expect((try? JSONReader.strict(Array(expected.utf8))) == page.rdfa)
    #expect(page.things.first?.things("mainEntity").first?.id == "http://h/p#b")
  }

  @Test(arguments: [
    ("<html vocab='http://v/' resource='#me' typeof=A><p property=n>x", "http://h/p#me"),
    ("<html vocab='http://v/' resource='#me'><p property=n>x", "http://h/p#me"),
    ("<html vocab='http://v/' resource='#me'><body typeof=A><p property=n>x", "http://h/p#me"),
    ("<html vocab='http://v/' typeof=A><p property=n>x", "http://h/p"),
    ("<head vocab='http://v/' typeof=A><meta property=n content=x>", "http://h/p"),
    ("<body vocab='http://v/' typeof=A><p property=n>x", "http://h/p"),
    ("<body vocab='http://v/' typeof=A resource='#b'><p property=n>x", "http://h/p#b"),
    ("<div vocab='http://v/' typeof=A><p property='n _:p'>x", "_:b0"),
    ("<div vocab='http://v/'><a href=/l><b><i property=n>x", "http://h/l"),
    ("<div vocab='http://v/' about='#a'><a href='http://['><b property=n>x", "http://h/p#a"),
    ("<div vocab='http://v/'><a href=/l><p about='[p:x]'><b property=n>x", "http://h/l"),
    ("<div vocab='http://v/' about='[p:x]' resource='#b'><p property=n>x", "http://h/p#b"),
    (
      "<div vocab='http://v/' prefix='p: http://q/' about=p:x><p prefix='p: http://r/'><b property=n>x",
      "http://q/x"
    ),
  ])
  func `what html, head and body are about is the page, but for what they name`(
    _ html: String, _ subject: String
  ) throws {
    let nodes = try #require(page(html, at: "http://h/p").rdfa.array)
    #expect(nodes.map { $0["@id"]?.string } == [subject])
    guard case .object(let members)? = nodes.first else { return }
    let names = members.list.map(\.key)
    #expect(names.filter { !$0.hasPrefix("@") } == ["http://v/n"], "\(names)")
  }

  @Test func `what RDFa says of a thing is its text and the links of its contacts`() throws {
    let page = page(
      """
      <div vocab="https://schema.org/" typeof="Person"><p property="name">
      Ada  <b>Bell</b></p><a property="telephone" href="tel:+1-23">Call</a>
      <a property="email" href="mailto:a@b.example">Write</a></div>
      """)
    #expect(page.things.first?["name"] == [.text("Ada Bell")])
    let attributes = page.item?.attributes
    #expect(attributes?["phoneNumbers"]?.array == [.string("tel:+1-23")])
    #expect(attributes?["web_dial"]?.array == [.string("+123")])
    #expect(attributes?["emailAddresses"]?.array == [.string("mailto:a@b.example")])
  }

  @Test func `blank nodes of a page are none of those that have no name`() throws {
    let page = page(
      """
      <body vocab="http://v/"><p typeof=A><b property=n>1</b></p>
      <p resource="_:b0" typeof=B><b property=n>2</b></p><p about="_:b0" property=m>3</p></body>
      """)
    let nodes = try #require(page.rdfa.array)
    #expect(nodes.compactMap { $0["@type"]?.array?.first?.string } == ["http://v/A", "http://v/B"])
    #expect(Set(nodes.compactMap { $0["@id"]?.string }).count == 2)
    #expect(nodes.last?["http://v/m"] != nil && nodes.first?["http://v/m"] == nil)
  }

  @Test func `things stand in lists of lists too`() {
    let page = page(
      "<script type=application/ld+json>[[{\"@type\":\"A\"},[]],{\"@type\":\"B\"},1]</script>")
    #expect(page.things.map(\.types) == [["A"], ["B"]])
  }

  @Test func `orphan properties make one thing, last`() {
    let page = page(
      "<i itemprop=ratingValue>4</i><i itemprop=reviewCount content=7>x</i><div itemscope itemtype=http://schema.org/Thing></div>"
    )
    #expect(page.things.map(\.types) == [["Thing"], []])
    #expect(page.item?.attributes["ratingDescription"] == .string("4/5 (7)"))
  }

  @Test(arguments: [(nil, true), (200, true), (404, false), (503, false)] as [(Int?, Bool)])
  func `an answer that is no page becomes no item`(_ status: Int?, _ isItem: Bool) {
    var source = PageSource(name: "x", bytes: Array("<title>x</title>".utf8))
    source.urls = [("request", "https://h.test/p")]
    source.status = status
    let found = WebPage(source)
    #expect(found.title == "x" && (found.item != nil) == isItem)
    source.isPage = false
    #expect(WebPage(source).item == nil)
  }

  @Test func `every key of the inspection is there, whatever the page`() throws {
    for html in ["", Self.recipe, "<svg><title>x", "\u{0}"] {
      guard case .object(let members) = page(html, at: nil).json else { return }
      #expect(
        members.list.map(\.key) == [
          "source", "url", "urlFrom", "status", "time", "encoding", "language", "title",
          "description", "image",
          "canonical", "deepLinks", "openGraph", "jsonLD", "microdata", "rdfa", "things", "robots",
          "text", "item",
          "missing", "malformed", "richResult",
        ])
    }
  }

  @Test(
    arguments: [
      ("a.xhtml", nil, "T"), ("a.html", "application/xhtml+xml; charset=utf-8", "T"),
      ("a.html", nil, nil), ("a.xhtml", "text/html", nil),
    ] as [(String, String?, String?)])
  func `XHTML is what its type says, else its name`(
    _ name: String, _ type: String?, _ title: String?
  ) {
    var source = PageSource(name: name, bytes: Array("<textarea/><title>T</title>".utf8))
    if let type { source.headers = [("content-type", type)] }
    #expect(WebPage(source).title == title)
  }

  @Test(arguments: [(nil, true), ("h.test", false), ("c.test", true)] as [(String?, Bool)])
  func `a host's file opens links to that host alone`(_ host: String?, _ opens: Bool) throws {
    var source = PageSource(
      name: "x", bytes: Array("<link rel=canonical href=https://c.test/p>".utf8))
    source.urls = [("request", "https://h.test/p")]
    source.association = try AppSiteAssociation(
      Array(#"{"applinks":{"details":[{"appIDs":["A"],"paths":["*"]}]}}"#.utf8))
    source.associationHost = host
    #expect(WebPage(source).deepLinks.map(\.url) == (opens ? ["https://c.test/p"] : []))
  }

  @Test func `who asked for a page is no part of where it is`() {
    let found = page("<title>x</title>", at: "http://me:secret@h.test/p#a")
    #expect(found.url?.description == "http://h.test/p")
    #expect(found.keys == ["http://h.test/p"])
  }

  @Test func `saved messages and archives hold pages`() throws {
    let mhtml =
      "From: x\r\nSnapshot-Content-Location: https://m.example/p\r\nDate: Sat, 05 Oct 2024 12:34:56 +0200\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n boundary=\"B\"\r\n\r\n--B\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<title>caf=E9 =\r\nbar</title>\r\n--B--\r\n"
    let message = PageContainer.kind(of: Array(mhtml.utf8), name: "x")
    let saved = message.pages(in: Array(mhtml.utf8), name: "x.mht")
    #expect(saved.damage == nil)
    let page = WebPage(try #require(saved.pages.first))
    #expect(page.title == "café bar")
    #expect(page.url?.description == "https://m.example/p")
    #expect(page.time == "2024-10-05T12:34:56+02:00")
    let har =
      #"{"log":{"entries":[{"startedDateTime":"2024-01-02T03:04:05Z","request":{"url":"https://h.example/"},"response":{"status":200,"headers":[],"content":{"mimeType":"text/html","encoding":"base64","text":"PHRpdGxlPng8L3RpdGxlPg=="}}},{"request":{"url":"https://h.example/i"},"response":{"status":200,"content":{"mimeType":"image/png"}}}]}}"#
    let archive = PageContainer.kind(of: Array(har.utf8), name: "x").pages(
      in: Array(har.utf8), name: "x.har")
    #expect(archive.pages.map { WebPage($0).title } == ["x"])
    #expect(archive.others == ["https://h.example/i"])
    let sent = har.replacing(#""request":{"#, with: #""request":{"method":"POST","#)
    let script = har.replacing("https://h", with: "blob:https://h")
    for other in [sent, script] {
      let contents = PageContainer.har.pages(in: Array(other.utf8), name: "x.har")
      #expect(contents.pages.isEmpty && contents.others.count == 2)
    }
    #expect(PageContainer.har.pages(in: Array("{".utf8), name: "x").damage != nil)
  }
}
