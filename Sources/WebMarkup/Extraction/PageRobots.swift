/// What a page allows a search engine to do with it.
package struct PageRobots: Sendable, Equatable {
  /// Whether it may be an item at all.
  package var index = true
  /// Whether more of it than its title may be shown.
  package var snippet = true
  /// Whether its links may be followed.
  package var follow = true

  /// What the fields of an answer say, whatever the page does.
  package init(headers: [(name: String, value: String)], agent: String) {
    apply(headers, Self.names(agent))
  }

  init(_ head: PageHead, headers: [(name: String, value: String)], agent: String) {
    let names = Self.names(agent)
    for meta in head.metas where names.contains(meta.name.loweredASCII) { apply(meta.content) }
    apply(headers, names)
  }

  /// The names of those whom rules hold for.
  private static func names(_ agent: String) -> [String] {
    ["robots", "applebot", RobotsFile.token(agent)].filter { !$0.isEmpty }
  }

  private mutating func apply(_ headers: [(name: String, value: String)], _ names: [String]) {
    for header in headers where header.name.loweredASCII == "x-robots-tag" {
      // A crawler's name holds for what follows it, up to the next name.
      var isMeant = true
      for part in header.value.split(whereSeparator: Self.separates) {
        let words = part.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let scope = String(words[0]).strippedSpace.loweredASCII
        let isScoped = words.count == 2 && Self.isScope(scope)
        if isScoped { isMeant = names.contains(scope) }
        if isMeant { apply(String(isScoped ? words[1] : part)) }
      }
    }
  }

  /// Whether what stands before a colon is a crawler: no directive, and no part of a date.
  private static func isScope(_ word: String) -> Bool {
    !directivesWithValue.contains(word)
      && word.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == 0x2d || $0 == 0x5f }
  }

  private static let directivesWithValue: Set = [
    "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
  ]

  /// Commas part directives; pages that write semicolons or blanks ask for the same.
  private static func separates(_ character: Character) -> Bool {
    character == "," || character == ";"
  }

  private mutating func apply(_ content: String) {
    for directives in content.split(whereSeparator: Self.separates) {
      // What a directive is given is none itself: max-image-preview: none.
      var isValue = false
      for word in String(directives).tokens {
        let isNamed = isValue || word.contains(":")
        isValue = word.hasSuffix(":")
        switch isNamed ? "" : word.loweredASCII {
        case "noindex": index = false
        case "nosnippet": snippet = false
        case "nofollow": follow = false
        case "none": (index, snippet, follow) = (false, false, false)
        default: break
        }
      }
    }
  }

  var json: JSON {
    .members(["index": .bool(index), "snippet": .bool(snippet), "follow": .bool(follow)])
  }
}
