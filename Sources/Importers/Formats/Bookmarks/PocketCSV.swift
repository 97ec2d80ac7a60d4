/// Pocket's last export.
enum PocketCSV: BookmarkCSV {
  static let name = "pocket-csv"
  static let summary = "Pocket articles (CSV)"
  static let source = "pocket"
  static let columns = ["title", "url", "time_added"]

  static func entry(_ url: String, _ row: CSVRows.Row) -> BookmarkSet.Entry {
    BookmarkSet.Entry(
      url: url, title: row["title"], time: BookmarkSet.time(seconds: row["time_added"]),
      tags: (row["tags"] ?? "").split(separator: "|").map(String.init), place: .line(row.line))
  }
}
