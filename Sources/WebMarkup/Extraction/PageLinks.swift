/// Where a page leads: what a crawler may follow.
enum PageLinks {
  private static let countMax = 10_000
  /// Links that are looked at: a page may name one URL a million times.
  private static let linkCountMax = 100_000

  /// The http and https URLs of `a` and `area`, without fragments, each once, in document order.
  static func read(_ page: PageDocument) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    var linkCount = 0
    for node in page.elements where page.tree[node].space == .html {
      guard page.tree[node].tag == .a || page.tree[node].tag == .area,
        let href = page.tree.attribute(node, .href)
      else { continue }
      linkCount += 1
      guard linkCount <= linkCountMax else { break }
      guard !(page.tree.attribute(node, .rel) ?? "").loweredASCII.tokens.contains("nofollow"),
        let url = page.url(attribute: href), url.isHTTP
      else { continue }
      let text = url.withoutFragment.description
      if seen.insert(text).inserted { found.append(text) }
      if found.count >= countMax { break }
    }
    return found
  }
}
