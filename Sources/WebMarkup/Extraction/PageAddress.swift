/// Finds out whose page it is.
struct PageAddress {
  /// Null where nothing says it.
  private(set) var url: WebURL?
  /// What said it.
  private(set) var source: String?
  /// When the page was saved, as SingleFile writes it.
  private(set) var savedTime: String?

  /// `given` are those from outside the page, first the strongest.
  init(given: [(source: String, url: String)], _ head: PageHead, _ page: PageDocument) {
    for (source, text) in given where take(text, source) { break }
    readComments(page.tree)
    let encoding = page.text.encoding
    if url == nil, let link = head.link("canonical") { _ = take(link, "canonical", encoding) }
    if url == nil, let text = head.openGraph("og:url").first { _ = take(text, "ogURL") }
    if url == nil, let base = head.baseHref { _ = take(base, "baseElement", encoding) }
  }

  private mutating func take(
    _ text: String, _ source: String, _ encoding: TextEncoding = .utf8
  ) -> Bool {
    guard url == nil, let found = WebURL(text, base: nil, encoding: encoding), found.isHTTP else {
      return false
    }
    url = found.withoutFragment.withoutUser
    self.source = source
    return true
  }

  /// `Sat Oct 05 2024 12:34:56 GMT+0200 (…)`, as browsers write a time.
  private static func time(byBrowser text: Substring) -> String? {
    let words = text.split(separator: " ")
    guard words.count >= 6, words[5].hasPrefix("GMT") else { return nil }
    let zone = words[5].dropFirst(3)
    return WrittenTime(mail: "\(words[2]) \(words[1]) \(words[3]) \(words[4]) \(zone)")?.rfc3339
  }

  private mutating func readComments(_ tree: HTMLTree) {
    var seen = 0
    for node in tree.nodes where node.kind == .comment && node.count < 16_384 {
      seen += 1
      guard seen <= 200 else { return }
      let text = tree.text(node.start, node.count)
      if text.contains("Page saved with SingleFile") {
        for line in text.split(separator: "\n") {
          let line = String(line).strippedSpace
          if line.hasPrefix("url:") { _ = take(String(line.dropFirst(4)).strippedSpace, "comment") }
          if line.hasPrefix("saved date:"), savedTime == nil {
            savedTime = Self.time(byBrowser: line.dropFirst(11))
          }
        }
      } else if let range = text.firstRange(of: "saved from url=(") {
        let rest = text[range.upperBound...]
        if let close = rest.firstIndex(of: ")") {
          _ = take(String(rest[rest.index(after: close)...]).strippedSpace, "comment")
        }
      }
    }
  }
}
