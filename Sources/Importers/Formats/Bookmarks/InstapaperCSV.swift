import Events

enum InstapaperCSV: BookmarkCSV {
  static let name = "instapaper-csv"
  static let summary = "Instapaper articles (CSV)"
  static let source = "instapaper"
  static let columns = ["url", "title", "selection", "folder"]

  static func entry(_ url: String, _ row: CSVRows.Row) -> BookmarkSet.Entry {
    // A list of JSON; older exports have no such column.
    let tags = row["tags"].flatMap { JSONValue(bytes: Array($0.utf8)) }?.elements ?? []
    return BookmarkSet.Entry(
      url: url, title: row["title"], description: row["selection"],
      time: BookmarkSet.time(seconds: row["timestamp"]), tags: tags.compactMap(\.string),
      folder: row["folder"].flatMap { BookmarkSet.folder([$0]) }, place: .line(row.line))
  }
}
