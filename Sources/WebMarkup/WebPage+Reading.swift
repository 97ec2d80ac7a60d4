extension WebPage {
  /// Reads a page.
  ///
  /// Takes any bytes, and never fails: time and memory grow with the page, up to limits;
  /// what lies beyond one is left out, and ``malformed`` says so.
  package init(_ source: PageSource) {
    let named = source.name.loweredASCII.hasSuffix(".xhtml") ? PageContainer.xhtmlType : nil
    var page = PageDocument(source.bytes, contentType: source.header("content-type") ?? named)
    let head = PageHead(&page)
    let address = PageAddress(given: source.urls, head, page)
    page.place(at: address.url, from: source.base, base: head.baseHref)

    self.source = source.name
    url = address.url
    urlFrom = address.source
    status = source.status
    isPage = source.isPage
    time = address.savedTime ?? source.time
    encoding = page.text.encoding.name
    language = Self.language(head, source)
    openGraph = head.openGraph
    robots = PageRobots(head, headers: source.headers, agent: source.agent)
    let canonical = Self.canonical(head, source, &page)
    self.canonical = canonical

    let found = StructuredData(&page)
    (jsonLD, microdata, rdfa, things) = (found.jsonLD, found.microdata, found.rdfa, found.things)
    let main = MainThing.find(in: things)
    let name = main?.text("name").flatMap(Self.named)
    title =
      head.documentTitle.nonEmpty ?? head.openGraph("og:title").first?.collapsedSpace ?? name
      ?? head.heading
    let said =
      head.openGraph("og:description").first?.collapsedSpace ?? head.named("description").first
      ?? main?.text("description").flatMap(Self.named)
    description = said
    let image = Self.image(head, things, main, &page)
    self.image = image
    var links = DeepLinkReader.read(head, &page)
    missing = [
      ("deepLink", links.contains { $0.url != nil }),
      ("title", !head.documentTitle.isEmpty || !head.openGraph("og:title").isEmpty || name != nil),
      ("description", said != nil), ("image", image != nil),
    ].filter { !$0.1 }.map(\.0)
    let place = canonical.flatMap { WebURL($0) } ?? address.url
    if source.associationHost == nil || source.associationHost == place?.host,
      let universal = source.association?.universalLink(place)
    {
      links.insert(universal, at: 0)
    }
    deepLinks = links
    text = MainText.read(&page)
    finish(&page, head, main)
    if !isPage { item = nil }
  }

  /// A text that is not too long for an item.
  private static func named(_ text: String) -> String? {
    text.utf8.count <= HTMLLimits.attributeBytes ? text : nil
  }

  private mutating func finish(_ page: inout PageDocument, _ head: PageHead, _ main: Thing?) {
    var attributes = ItemAttributes(head, things, main: main, page)
    attributes.addPage(self, description: description, image: image)
    attributes.addRatings()
    attributes.addKinds()
    attributes.setMainText(text)
    for fault in attributes.faults { page.fault(fault.kind, fault.message, at: fault.place) }
    item = WebItem(self, attributes.members)
    malformed = page.malformed()
    richResult = richLines(attributes.members)
    if robots.follow { links = PageLinks.read(page) }
    // Many sites give their front page here on all pages, which are not one page for that.
    let named = head.openGraph("og:url").first.flatMap { page.absolute($0) }
    let isNamed = named.flatMap { WebURL($0) }?.isPageSpecific ?? false
    let candidates =
      deepLinks.filter(\.isPageSpecific).map(\.url) + [canonical, url?.description]
      + (isNamed ? [named] : [])
    for case let key? in candidates where !keys.contains(key) { keys.append(key) }
  }

  private static func language(_ head: PageHead, _ source: PageSource) -> String? {
    if let language = head.language ?? head.pragmaLanguage { return language }
    if let header = source.header("content-language")?.split(separator: ",").first {
      return String(header).strippedSpace.nonEmpty
    }
    return head.openGraph("og:locale").first.map { locale in
      String(locale.map { $0 == "_" ? "-" : $0 })
    }
  }

  private static func canonical(
    _ head: PageHead, _ source: PageSource, _ page: inout PageDocument
  ) -> String? {
    for link in head.links
    where link.rel.contains("canonical") && !link.href.strippedSpace.isEmpty {
      guard let url = page.url(attribute: link.href) else {
        if page.base != nil { page.fault(.url, "the canonical link is no URL", at: link.node) }
        continue
      }
      if url.isHTTP { return url.description }
    }
    for header in source.headers where header.name.loweredASCII == "link" {
      for link in LinkHeader.parse(header.value) where link.relations.contains("canonical") {
        if let url = WebURL(link.target, base: page.url), url.isHTTP { return url.description }
      }
    }
    return nil
  }

  private static func image(
    _ head: PageHead, _ things: [Thing], _ main: Thing?, _ page: inout PageDocument
  ) -> String? {
    let document = page
    func url(_ value: Thing.Value) -> String? {
      if case .thing(let thing) = value {
        return thing.link("contentUrl", "url").flatMap { document.absolute($0) }
      }
      if case .reference(let id) = value { return document.absolute(id) }
      return value.plainText.flatMap { document.absolute($0) }
    }
    for meta in head.openGraphMetas(["og:image", "og:image:url"]) {
      guard let text = meta.content.strippedSpace.nonEmpty else { continue }
      if let image = document.absolute(text) { return image }
      page.fault(.url, "\(meta.property) is no URL", at: meta.node)
    }
    if let image = main?["image"].lazy.compactMap({ url($0) }).first { return image }
    let object = Thing.first(in: things) { $0.has(type: "ImageObject") ? url(.thing($0)) : nil }
    if let object { return object }
    if let card = head.openGraph("twitter:image").first { return document.absolute(card) }
    return head.link("image_src").flatMap { document.absolute(attribute: $0) }
  }

  private func richLines(_ attributes: JSON.Members) -> [String] {
    let host = (canonical.flatMap { WebURL($0) } ?? url)?.host
    return [
      title, host, attributes["ratingDescription"]?.string, Self.price(attributes),
      attributes["phoneNumbers"]?.array?.first?.string,
      attributes["fullyFormattedAddress"]?.string,
    ].compactMap { $0?.nonEmpty }
  }

  private static func price(_ attributes: JSON.Members) -> String? {
    func number(_ name: String) -> String? {
      if case .number(let text) = attributes[name] { text } else { nil }
    }
    var price = number("web_price")
    if price == nil, let low = number("web_lowPrice") {
      price = number("web_highPrice").map { "\(low)–\($0)" } ?? low
    }
    guard let price else { return attributes["web_priceRange"]?.string }
    return [price, attributes["web_priceCurrency"]?.string].compactMap { $0 }.joined(separator: " ")
  }
}

/// A page's structured data in all its syntaxes.
private struct StructuredData {
  let jsonLD: [JSONLDBlock]
  let microdata: JSON
  let rdfa: JSON
  let things: [Thing]

  init(_ page: inout PageDocument) {
    jsonLD = JSONLDBlock.all(of: &page)
    var items = Microdata(page)
    microdata = items.json(&page)
    let said = RDFa.read(&page)
    rdfa = .array(said.map(\.data))
    var limits = ThingLimits()
    var things = JSONLDThings.read(jsonLD, .jsonLD, base: page.base, limits: &limits)
    let described = MicrodataThings.read(&page, items, limits: &limits)
    things += described.things
    things += JSONLDThings.read(said, .rdfa, base: nil, limits: &limits)
    if let orphan = described.orphan { things.append(orphan) }
    self.things = things
    if limits.isExceeded {
      page.fault(
        .limit,
        "more than \(PageDocument.thingLimit) things or \(PageDocument.valueLimit) values, "
          + "or names or copies of them that are too long", at: 0)
    }
  }
}
