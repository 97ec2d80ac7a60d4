import Events

/// A tree of bookmarks in JSON: folders hold nodes, and may stand before their own names.
final class BookmarkTree {
  /// How a format calls what a node has.
  struct Keys: Sendable {
    var title: String
    var url: String
    /// Microseconds since 1970; what cannot be read lies out of range.
    var time: @Sendable (JSONValue) -> Int64?
    var tags: @Sendable (JSONValue) -> [String]
  }

  private struct Node {
    var parent: Int
    var members: JSONValue
    var place: RecordPlace
  }

  private var nodes: [Node] = []
  /// The types of nodes that are no folders, of Chromium and of Firefox.
  private static let bookmarkTypes: Set<String> = ["url", "text/x-moz-place"]

  /// Reads a node and all below it; memory for the bookmarks of one file.
  init(_ json: JSONStream, _ events: Collector) throws(CairnError) {
    try read(json, parent: -1, events)
  }

  private func read(_ json: JSONStream, parent: Int, _ events: Collector) throws(CairnError) {
    let place = RecordPlace.byte(json.position)
    guard try json.kind() == .object else {
      events.malformed(place, "no object")
      return try json.skip()
    }
    let index = nodes.count
    nodes.append(Node(parent: parent, members: .null, place: place))
    var members = JSONObject()
    try json.members { (key) throws(CairnError) in
      if key == "children", try json.kind() == .array {
        try json.elements { (_) throws(CairnError) in
          try self.read(json, parent: index, events)
        }
      } else if case .value(let value) = try json.value() {
        members[key] = value
      } else {
        events.malformed(.byte(json.position), "a member that is no JSON")
      }
    }
    nodes[index].members = .object(members)
  }

  /// Whether anything stands below the top, or the top says that it is a folder.
  var isTree: Bool { nodes.count > 1 || nodes.first?.members["type"] != nil }

  /// Adds the bookmarks below the top, whose name is given.
  func add(root name: String?, keys: Keys, to set: inout BookmarkSet, _ events: Collector) {
    var paths: [[String]] = []
    // Old backups of Firefox name the tags of a page by folders, below this one.
    let tags = nodes.firstIndex { $0.members["root"]?.string == "tagsFolder" }
    for node in nodes {
      let above = node.parent >= 0 ? paths[node.parent] : []
      let title = node.members[keys.title]?.string ?? ""
      guard let url = node.members[keys.url]?.string else {
        let isBookmark = node.members["type"]?.string.map(Self.bookmarkTypes.contains) == true
        if isBookmark { events.malformed(node.place, "no URL") }
        // A root may name itself; what is above the roots has no name.
        let own = rootName(node, name) ?? (node.parent >= 0 ? title : nil)
        paths.append(above + (own.map { [$0] } ?? []))
        continue
      }
      paths.append(above)
      if let tags, node.parent >= 0, nodes[node.parent].parent == tags {
        let tag = above.last.map { [$0] } ?? []
        set.add(BookmarkSet.Entry(url: url, tags: tag, place: node.place), events)
        continue
      }
      let time = keys.time(node.members)
      set.add(
        BookmarkSet.Entry(
          url: url, title: title, time: time.flatMap { $0 > 0 ? $0 : nil },
          tags: keys.tags(node.members), folder: BookmarkSet.folder(above), place: node.place),
        events)
    }
  }

  private func rootName(_ node: Node, _ name: String?) -> String? {
    if let name, node.parent < 0 { return name }
    switch node.members["root"]?.string {
    case "bookmarksMenuFolder": return "menu"
    case "toolbarFolder": return "toolbar"
    case "unfiledBookmarksFolder": return "unfiled"
    case "mobileFolder": return "mobile"
    default: return nil
    }
  }
}
