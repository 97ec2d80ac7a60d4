/// A way into an app that a page names.
package struct DeepLink: Sendable, Equatable {
  /// How the page names it, in Apple's order of preference.
  package enum Kind: String, Sendable {
    /// The page's own URL, which an app claims in its association file.
    case universalLink
    /// `meta name=apple-itunes-app`
    case smartAppBanner
    /// `meta property=al:…`
    case appLink
    /// `meta name=twitter:app:…`
    case twitterCard
  }

  /// How the page names it.
  package var kind: Kind
  /// Where it leads, as the URL Standard writes it.
  package var url: String?
  /// `ios`, `iphone` or `ipad` where the page says so.
  var platform: String?
  /// The app's number in the store, or its id in the association file.
  var appID: String?
  var appName: String?
  package var line = 1
  /// In Unicode scalars.
  package var column = 1

  /// Whether it leads to something in the app, not to its start.
  var isPageSpecific: Bool { url.flatMap { WebURL($0) }?.isPageSpecific ?? false }

  var json: JSON {
    .members([
      "kind": .string(kind.rawValue), "url": .text(url), "platform": .text(platform),
      "appID": .text(appID), "appName": .text(appName), "line": .integer(line),
      "column": .integer(column),
    ])
  }
}

struct DeepLinkReader {
  private var links: [DeepLink] = []
  private var nodes: [HTMLNodeID] = []
  /// The link that each platform's keys go to.
  private var current: [String: Int] = [:]

  /// Those that markup gives, in the order of their kinds.
  static func read(_ head: PageHead, _ page: inout PageDocument) -> [DeepLink] {
    var banners = DeepLinkReader()
    var appLinks = DeepLinkReader()
    var cards = DeepLinkReader()
    for meta in head.metas {
      guard banners.links.count + appLinks.links.count + cards.links.count < 1000 else {
        page.fault(.limit, "more than 1000 links into apps", at: meta.node)
        break
      }
      if meta.name.loweredASCII == "apple-itunes-app" { banners.readBanner(meta, &page) }
      let key = (meta.property.isEmpty ? meta.name : meta.property).loweredASCII
      let parts = key.split(separator: ":").map(String.init)
      if parts.count == 3, parts[0] == "al", ["ios", "iphone", "ipad"].contains(parts[1]) {
        appLinks.readPart(meta, .appLink, platform: parts[1], key: parts[2], &page)
      } else if parts.count == 4, parts[0] == "twitter", parts[1] == "app",
        ["iphone", "ipad"].contains(parts[3])
      {
        cards.readPart(meta, .twitterCard, platform: parts[3], key: parts[2], &page)
      }
    }
    return banners.placed(page) + appLinks.placed(page) + cards.placed(page)
  }

  private func placed(_ page: PageDocument) -> [DeepLink] {
    var places = TextPlaces(page.text.bytes)
    return zip(links, nodes).map { link, node in
      var link = link
      (link.line, link.column) = places.lineAndColumn(of: Int(page.tree[node].place))
      return link
    }
  }

  private mutating func readBanner(_ meta: PageHead.Meta, _ page: inout PageDocument) {
    var link = DeepLink(kind: .smartAppBanner)
    for item in meta.content.split(separator: ",") {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      let value = String(parts[1]).strippedSpace
      switch String(parts[0]).strippedSpace {
      case "app-id": link.appID = value
      case "app-argument" where !value.isEmpty:
        link.url = page.absolute(value)
        if link.url == nil { page.fault(.url, "app-argument is no URL", at: meta.node) }
      default: break
      }
    }
    guard let id = link.appID, !id.isEmpty, id.utf8.allSatisfy(\.isDigit) else {
      return page.fault(.banner, "the smart app banner has no numeric app-id", at: meta.node)
    }
    links.append(link)
    nodes.append(meta.node)
  }

  private mutating func readPart(
    _ meta: PageHead.Meta, _ kind: DeepLink.Kind, platform: String, key: String,
    _ page: inout PageDocument
  ) {
    guard let value = meta.content.strippedSpace.nonEmpty else { return }
    switch key {
    case "url":
      let url = page.absolute(value)
      if url == nil { page.fault(.url, "\(meta.property)\(meta.name) is no URL", at: meta.node) }
      guard let url else { return }
      set(\.url, url, meta, kind, platform)
    case "app_store_id", "id": set(\.appID, value, meta, kind, platform)
    case "app_name", "name": set(\.appName, value.collapsedSpace, meta, kind, platform)
    default: break
    }
  }

  /// A key that comes again begins the next link.
  private mutating func set(
    _ part: WritableKeyPath<DeepLink, String?>, _ value: String, _ meta: PageHead.Meta,
    _ kind: DeepLink.Kind, _ platform: String
  ) {
    if let place = current[platform], links[place][keyPath: part] == nil {
      links[place][keyPath: part] = value
      return
    }
    current[platform] = links.count
    links.append(DeepLink(kind: kind, platform: platform))
    links[links.count - 1][keyPath: part] = value
    nodes.append(meta.node)
  }
}
