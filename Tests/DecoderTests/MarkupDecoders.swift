@testable import WebMarkup

enum MarkupDecoders {
  static let pages: [[UInt8]] =
    [
      """
      <!doctype html><html lang=en><title>a &amp; b</title><base href=/x/><link rel=canonical href=y>
      <meta name=apple-itunes-app content="app-id=1, app-argument=a://b"><meta property=og:title content=t>
      <script type=application/ld+json>{"@context":"http://schema.org","@graph":[{"@type":"Recipe","@id":"#r",
      "aggregateRating":{"ratingValue":4,"ratingCount":2},"prepTime":"PT1H"},{"@id":"#r","name":"n","isPartOf":{"@id":"#r"}},]}</script>
      """,
      """
      <div itemscope itemtype=http://schema.org/Offer itemref="a b"><b itemprop="price priceCurrency">1</b></div>
      <p id=a itemprop=offers itemscope itemref=b><time id=b itemprop=x datetime=2024-01-01>y</time>
      <table><tr><td><b><i>1</b>2</i><svg><title>z</title><![CDATA[q]]></svg><template><li>w</template>
      """,
      "<body vocab=http://schema.org/ prefix='ex: http://e/'><p typeof=Book resource=#b><a property=url href=c>d</a><i property=ex:n>e",
      "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=B\r\n\r\n--B\r\nContent-Type: text/html\r\n"
        + "Content-Transfer-Encoding: quoted-printable\r\n\r\n<title>=E9</title>\r\n--B--\r\n",
      #"{"log":{"entries":[{"request":{"url":"http://h/"},"response":{"status":200,"content":{"mimeType":"text/html","encoding":"base64","text":"PHA+"}}}]}}"#,
    ].map { Array($0.utf8) } + [Array("<meta charset=shift_jis>".utf8) + [0x83, 0x65, 0x81]]

  static func page(_ bytes: [UInt8]) throws {
    for page in PageContainer.kind(of: bytes, name: "x").pages(in: bytes, name: "x").pages {
      var page = page
      page.urls.append(("base", "http://h/p?q"))
      let json = WebPage(page).json
      let again = try? JSONReader.strict(json.bytes)
      try DecoderFault.require(again == json, "an inspection changes when it is read again")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let url = WebURL(text, base: WebURL("http://h/p?q#f")) else { return }
    try DecoderFault.require(
      WebURL(url.description)?.description == url.description, "a URL changes when it is read again"
    )
  }

  static let associations: [[UInt8]] = [
    #"{"applinks":{"apps":[],"details":[{"appID":"T.a","paths":["NOT /x/*","/y?/*","*"]}]}}"#,
    ##"""
    {"applinks":{"substitutionVariables":{"f":["a*","b"]},"defaults":{"caseSensitive":false},
    "details":[{"appIDs":["T.a"],"components":[{"/":"/$(lang)/$(f)/*","?":{"q":"?*"},"#":"t",
    "percentEncoded":false},{"/":"/n","exclude":true}]}]}}
    """##,
    #"{"applinks":{"details":{"T.a":{"paths":["/*"]}}}}"#, #"{"webcredentials":{"apps":["T.a"]}}"#,
  ].map { Array($0.utf8) }

  static func association(_ bytes: [UInt8]) throws {
    guard let file = try? AppSiteAssociation(bytes), let url = WebURL("http://h/en/ab/c?q=1#t")
    else {
      return
    }
    _ = file.verdict(url).json.bytes
  }

  static let robotsFiles: [[UInt8]] = [
    "User-agent: *\nDisallow: /*.gif$\nAllow: /a%2fb\nCrawl-delay: 2",
    "User-Agent: cairn\r\nDisallow: *\r\rAllow: /$\n#x",
    "\u{feff}user-agent: a\nuser-agent: b\ndisallow: /é*?x", "Sitemap: http://h/s.xml\nAllow: /",
    "User-agent: cairn\nDisallow: /**a*b$",
  ].map { Array($0.utf8) }

  static func robots(_ bytes: [UInt8]) throws {
    guard let url = WebURL("http://h/a%2Fb/c.gif?x=é") else { return }
    let file = RobotsFile(bytes)
    _ = file.verdict(url, agent: "cairn")
    _ = file.crawlDelay(agent: "Applebot")
  }
}
