/// What a page allows a search engine to do with it.
public struct PageRobots: Sendable, Equatable {
  /// Whether it may be an item at all.
  public var index = true
  /// Whether more of it than its title may be shown.
  public var snippet = true
  /// Whether its links may be followed.
  public var follow = true

  init(_ head: PageHead, headers: [(name: String, value: String)], agent: String) {
    let names = ["robots", "applebot", RobotsFile.token(agent)].filter { !$0.isEmpty }
    for meta in head.metas where names.contains(meta.name.loweredASCII) {
      apply(meta.content)
    }
    for header in headers where header.name.loweredASCII == "x-robots-tag" {
      let parts = header.value.split(separator: ":", maxSplits: 1)
      let scope = parts.first.map { String($0).strippedSpace.loweredASCII } ?? ""
      let isScoped =
        parts.count == 2 && !scope.contains(",") && !Self.directivesWithValue.contains(scope)
      if !isScoped {
        apply(header.value)
      } else if names.contains(scope) {
        apply(String(parts[1]))
      }
    }
  }

  private static let directivesWithValue: Set = [
    "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview",
  ]

  private mutating func apply(_ content: String) {
    for directive in content.split(separator: ",") {
      switch String(directive).strippedSpace.loweredASCII {
      case "noindex": index = false
      case "nosnippet": snippet = false
      case "nofollow": follow = false
      case "none": (index, snippet, follow) = (false, false, false)
      default: break
      }
    }
  }

  var json: JSON {
    .members(["index": .bool(index), "snippet": .bool(snippet), "follow": .bool(follow)])
  }
}
