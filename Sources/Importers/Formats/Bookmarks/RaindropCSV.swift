import Values

enum RaindropCSV: CSVFormat {
  static let name = "raindrop-csv"
  static let summary = "Raindrop.io bookmarks (CSV)"
  static let source = "raindrop"
  static let columns = ["url", "folder", "created", "excerpt"]

  static func read(_ rows: inout CSVRows, into events: Collector) throws(CairnError) {
    var set = BookmarkSet()
    while let row = try rows.next(events) {
      guard let url = row["url"] else {
        events.malformed(.line(row.line), "no URL")
        continue
      }
      let tags = (row["tags"] ?? "").split(separator: ",").map { CommandText.trimmed($0) }
      set.add(
        BookmarkSet.Entry(
          url: url, title: row["title"], description: row["note"] ?? row["excerpt"],
          time: row["created"].flatMap { CivilTime.iso($0) }, tags: tags, folder: row["folder"],
          place: .line(row.line)), events)
    }
    try set.finish(source: source, events)
  }
}
