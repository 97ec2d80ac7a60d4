import Crawling

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
      try inspect(page)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let url = WebURL(text, base: WebURL("http://h/p?q#f")) else { return }
    try DecoderFault.require(
      WebURL(url.description)?.description == url.description, "a URL changes when it is read again"
    )
  }

  private static func inspect(_ page: PageSource) throws {
    var page = page
    page.urls.append(("base", "http://h/p?q"))
    let json = WebPage(page).json
    let again = try? JSONReader.strict(json.bytes)
    try DecoderFault.require(again == json, "an inspection changes when it is read again")
  }

  private static func record(_ fields: String, _ content: String, _ count: Int? = nil) -> [UInt8] {
    Array(
      "WARC/1.1\r\n\(fields)\r\nContent-Length: \(count ?? content.utf8.count)\r\n\r\n\(content)\r\n\r\n"
        .utf8)
  }

  private static let response =
    "WARC-Type: response\r\nContent-Type: application/http;msgtype=response\r\nWARC-Target-URI: <http://h/a>"

  static let webArchives: [[UInt8]] = [
    record("WARC-Type: warcinfo", "software: x")
      + record(
        response + "\r\nWARC-Date: 2024-01-01T00:00:00Z",
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=latin1\r\n"
          + "Link: <b>; rel=\"canonical\"\r\nTransfer-Encoding: chunked\r\n\r\n"
          + "5\r\n<p>a \r\n1;x=y\r\nb\r\n0\r\n\r\n"),
    record(response, "HTTP/1.1 404 Not Found\n\n") + record("WARC-Type: revisit", ""),
    record(
      "WARC-Type: resource\r\nContent-Type: text/html\r\nWARC-Target-URI: http://h/",
      "<title>t</title>"),
    record(
      response,
      "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip, deflate\r\n\r\nx", 900),
    record(
      response,
      "HTTP/1.1 200\r\nContent-Type: text/html\r\nX-Robots-Tag: cairn: none\r\n\r\n<html lang=en>"),
  ]

  static func webArchive(_ bytes: [UInt8]) throws {
    var captures: [WARCReader.Capture] = []
    var reader = WARCReader(name: "x", limit: 1 << 20)
    let middle = bytes.count / 2
    for part in [bytes[..<middle], bytes[middle...]] {
      reader.feed(Array(part))
      while let capture = reader.next() { captures.append(capture) }
    }
    if let last = reader.finish() { captures.append(last) }
    for case .page(let page) in captures { try inspect(page) }
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

  static let sitemaps: [[UInt8]] = [
    "<?xml version='1.0'?><urlset><url><loc>http://h/?a=1&amp;b</loc><lastmod>2024-01-01</lastmod></url></urlset>",
    "<s:sitemapindex><s:sitemap><s:loc><![CDATA[ http://h/x.xml ]]></s:loc></s:sitemap></s:sitemapindex>",
    "\u{feff}http://h/a\r\nhttps://h/b c\n", "<!-- a --><!DOCTYPE x><urlset><url><loc>http://h/",
  ].map { Array($0.utf8) }

  static func sitemap(_ bytes: [UInt8]) throws {
    guard let map = Sitemap(bytes) else { return }
    try DecoderFault.require(map.entries.count <= bytes.count, "more URLs than bytes")
    let empty = map.entries.contains { $0.url.isEmpty }
    try DecoderFault.require(!empty, "a URL without a letter")
  }
}
