enum RaindropCSV: BookmarkCSV {
  static let name = "raindrop-csv"
  static let summary = "Raindrop.io bookmarks (CSV)"
  static let source = "raindrop"
  static let columns = ["url", "folder", "created", "excerpt"]

  static func entry(_ url: String, _ row: CSVRows.Row) -> BookmarkSet.Entry {
    BookmarkSet.Entry(
      url: url, title: row["title"], description: row["note"] ?? row["excerpt"],
      time: BookmarkSet.time(iso: row["created"]),
      tags: (row["tags"] ?? "").split(separator: ",").map { CommandText.trimmed($0) },
      folder: row["folder"], place: .line(row.line))
  }
}
