import Values

/// Pocket's last export.
enum PocketCSV: CSVFormat {
  static let name = "pocket-csv"
  static let summary = "Pocket articles (CSV)"
  static let source = "pocket"
  static let columns = ["title", "url", "time_added"]

  static func read(_ rows: inout CSVRows, into events: Collector) throws(CairnError) {
    var set = BookmarkSet()
    while let row = try rows.next(events) {
      guard let url = row["url"] else {
        events.malformed(.line(row.line), "no URL")
        continue
      }
      let seconds = row["time_added"].flatMap { Int64($0) }
      let tags = (row["tags"] ?? "").split(separator: "|").map(String.init)
      set.add(
        BookmarkSet.Entry(
          url: url, title: row["title"],
          time: seconds.flatMap { $0 == 0 ? nil : CivilTime.scaled($0, by: 1_000_000) }, tags: tags,
          place: .line(row.line)), events)
    }
    try set.finish(source: source, events)
  }
}
