extension ItemAttributes {
  /// What the page itself and its main thing say.
  mutating func addPage(_ page: WebPage, description: String?, image: String?) {
    set("title", page.title)
    set("contentDescription", description)
    set("thumbnailURL", image)
    set("contentURL", page.canonical ?? page.url?.description)
    set("contentType", "public.html")
    set("languages", page.language.map { [$0] } ?? [])
    setTrue("eligibleForPublicIndexing")
    set("keywords", keywords())
    set("containerTitle", head.openGraph("og:site_name").first)
    set("kind", main?.types.first)
    let names = head.openGraph("og:title").prefix(1) + (main?.texts("name", "alternateName") ?? [])
    set("alternateNames", names.map(\.collapsedSpace).filter { $0 != page.title })
    addDeepLinks(page.deepLinks)
    set("web_types", page.things.flatMap(\.types))
    addMainThing()
  }

  private func keywords() -> [String] {
    func split(_ texts: [String]) -> [String] {
      texts.flatMap { $0.split(separator: ",").map(String.init) }
    }
    return split(head.named("keywords")) + head.openGraph("article:tag")
      + split(main?.texts("keywords") ?? [])
  }

  private mutating func addDeepLinks(_ links: [DeepLink]) {
    set("web_deepLink", links.first(where: \.isPageSpecific)?.url)
    set("web_deepLinks", links.compactMap(\.url))
    set("web_appIDs", links.filter { $0.kind != .universalLink }.compactMap(\.appID))
  }

  private mutating func addMainThing() {
    let authors = main?.texts("author", "creator") ?? []
    set("authorNames", authors.isEmpty ? head.named("author") : authors)
    set("publishers", main?.texts("publisher") ?? [])
    let created = date(main, "datePublished") ?? metaDate("article:published_time")
    set("contentCreationDate", created)
    let modified = date(main, "dateModified") ?? metaDate("article:modified_time")
    set("contentModificationDate", modified)
    set("startDate", date(main, "startDate"))
    set("endDate", date(main, "endDate"))
    set("duration", seconds(main, "duration"))
    set("genre", main?.text("genre"))
  }

  private mutating func metaDate(_ property: String) -> String? {
    for meta in head.openGraphMetas([property]) where !meta.content.strippedSpace.isEmpty {
      if let date = WrittenTime(iso: meta.content.strippedSpace) { return date.rfc3339 }
      fault("\(property) is no date", at: place(meta.node))
    }
    return nil
  }
}
