import Events

/// A backup of Firefox's bookmarks: one tree of `text/x-moz-place` nodes.
enum FirefoxJSON: JSONFormat {
  static let name = "firefox-json"
  static let summary = "backup of Firefox bookmarks (JSON)"
  static let source = "firefox"

  static func fits(_ file: InputFile) -> Bool { file.holds("text/x-moz-place") }

  private static let keys = BookmarkTree.Keys(
    title: "title", url: "uri",
    time: { $0["dateAdded"].flatMap { Firefox.time($0.integer ?? Int64.max) } },
    tags: { node in
      (node["tags"]?.string ?? "").split(separator: ",").map { CommandText.trimmed($0) }
    })

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    guard try json.kind() == .object else {
      throw CairnError(.malformed, "is no backup of bookmarks (no object)")
    }
    var set = BookmarkSet()
    let tree = try BookmarkTree(json, events)
    tree.add(root: nil, keys: keys, to: &set, events)
    guard tree.isTree else {
      throw CairnError(.malformed, "is no backup of bookmarks (no children)")
    }
    try set.finish(source: source, events)
  }
}
