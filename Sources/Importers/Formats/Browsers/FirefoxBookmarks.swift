import Values

enum FirefoxBookmarks {
  /// The tops of the tree, by their ids.
  static let roots = [
    "menu________": "menu", "toolbar_____": "toolbar", "unfiled_____": "unfiled",
    "mobile______": "mobile",
  ]

  private struct Folder {
    var parent: Int64
    var title: String
    var guid: String
  }

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    var folders: [Int64: Folder] = [:]
    try database.forEachRow(
      "select b.rowid, b.parent, b.title, b.guid from moz_bookmarks b", of: "b",
      where: "b.type = 2", events
    ) { row in
      folders[row.integer(0) ?? 0] = Folder(
        parent: row.integer(1) ?? 0, title: row.text(2) ?? "", guid: row.text(3) ?? "")
    }
    var tags: [[UInt8]: [String]] = [:]
    var set: [BookmarkSet.Entry] = []
    let query = """
      select b.rowid, b.parent, b.title, b.dateAdded, p.url, p.title
      from moz_bookmarks b left join moz_places p on p.id = b.fk
      """
    try database.forEachRow(
      query, of: "b", where: "b.type = 1 and b.fk is not null", events
    ) { row in
      let place = row.place
      guard let url = row.exactText(4) else { return events.malformed(place, "no URL") }
      guard let (names, isTag) = path(row.integer(1) ?? 0, folders) else {
        return events.malformed(place, "folders in a circle, or deeper than \(depthMax) levels")
      }
      if isTag {
        tags[Array(url.utf8), default: []].append(names.last ?? "")
        return
      }
      set.append(
        BookmarkSet.Entry(
          url: url, title: row.text(2),
          time: Firefox.time(row.integer(3)).flatMap { $0 > 0 ? $0 : nil },
          folder: BookmarkSet.folder(names), pageTitle: row.text(5), place: place))
    }
    var bookmarks = BookmarkSet()
    for var entry in set {
      entry.tags = tags[Array(entry.url.utf8)] ?? []
      bookmarks.add(entry, events)
    }
    try bookmarks.finish(source: Firefox.source, events)
  }

  private static let depthMax = 100

  /// The names of the folders above, from the top; nil where there is no top.
  private static func path(_ start: Int64, _ folders: [Int64: Folder])
    -> (names: [String], isTag: Bool)?
  {
    var names: [String] = []
    var id = start
    while names.count < depthMax {
      guard let folder = folders[id], folder.guid != "root________" else {
        return (names.reversed(), false)
      }
      if folder.guid == "tags________" { return (names.reversed(), true) }
      if let root = roots[folder.guid] { return ([root] + names.reversed(), false) }
      names.append(folder.title)
      id = folder.parent
    }
    return nil
  }
}
