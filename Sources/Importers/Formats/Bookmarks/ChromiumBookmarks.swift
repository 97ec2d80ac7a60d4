import Events

/// `Bookmarks` of Chrome and its kin.
enum ChromiumBookmarks: JSONFormat {
  static let name = "chromium-bookmarks"
  static let summary = "Chrome, Chromium, Edge, Brave, Vivaldi or Opera bookmarks"
  static let source = "chromium"

  static func fits(_ file: InputFile) -> Bool {
    file.holds("\"roots\"") && file.holds("\"bookmark_bar\"")
  }

  private static let keys = BookmarkTree.Keys(
    title: "name", url: "url",
    time: { node in
      node["date_added"].map { date in
        date.integer.flatMap { CivilTime.scaled($0, by: 1, since: CivilTime.epoch1601) }
          ?? Int64.max
      }
    }, tags: { _ in [] })

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    try json.member("roots", kind: .object, of: "no bookmarks file") { () throws(CairnError) in
      try BookmarkSet.read(source: source, events) { (set) throws(CairnError) in
        try readRoots(json, into: &set, events)
      }
    }
  }

  private static func readRoots(
    _ json: JSONStream, into set: inout BookmarkSet, _ events: Collector
  ) throws(CairnError) {
    let known: Set = ["bookmark_bar", "other", "synced"]
    try json.members { (root) throws(CairnError) in
      guard known.contains(root), try json.kind() == .object else { return try json.skip() }
      try BookmarkTree(json, events).add(root: root, keys: keys, to: &set, events)
    }
  }
}
