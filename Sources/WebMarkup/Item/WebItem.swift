import Events

/// The item that a page becomes.
package struct WebItem: Sendable, Equatable {
  /// Its identity: the deep link, else the canonical URL, else the page's.
  package let id: String
  /// `web.` and the host reversed.
  package let domain: String
  /// Attributes by name: texts, numbers, booleans and arrays of them.
  package let attributes: JSON.Members

  init?(_ page: WebPage, _ attributes: JSON.Members) {
    let link = page.deepLinks.first(where: \.isPageSpecific)?.url
    guard page.robots.index, page.status ?? 200 == 200,
      let id = link ?? page.canonical ?? page.url?.description,
      let site = page.canonical.flatMap({ WebURL($0) }) ?? page.url,
      let domain = Self.domain(of: site)
    else { return nil }
    self.id = id
    self.domain = domain
    guard !page.robots.snippet else {
      self.attributes = attributes
      return
    }
    var kept = JSON.Members()
    for member in attributes.list where Self.keptWithoutSnippet.contains(member.key) {
      kept[member.key] = member.value
    }
    self.attributes = kept
  }

  private static let keptWithoutSnippet: Set = [
    "title", "contentType", "contentURL", "languages", "eligibleForPublicIndexing", "web_deepLink",
    "web_deepLinks", "web_appIDs",
  ]

  /// The domain of a site.
  static func domain(of url: WebURL) -> String? {
    DomainPath.web((url.host ?? "").utf8.map(\.lowered))
  }

  var json: JSON {
    .members(["item": .string(id), "domain": .string(domain), "attributes": .object(attributes)])
  }
}
