import Values

enum InstapaperCSV: CSVFormat {
  static let name = "instapaper-csv"
  static let summary = "Instapaper articles (CSV)"
  static let source = "instapaper"
  static let columns = ["url", "title", "selection", "folder"]

  static func read(_ rows: inout CSVRows, into events: Collector) throws(CairnError) {
    var set = BookmarkSet()
    while let row = try rows.next(events) {
      guard let url = row["url"] else {
        events.malformed(.line(row.line), "no URL")
        continue
      }
      let seconds = row["timestamp"].flatMap { Int64($0) }
      set.add(
        BookmarkSet.Entry(
          url: url, title: row["title"], description: row["selection"],
          time: seconds.flatMap { $0 == 0 ? nil : CivilTime.scaled($0, by: 1_000_000) },
          folder: row["folder"].flatMap { BookmarkSet.folder([$0]) },
          place: .line(row.line)), events)
    }
    try set.finish(source: source, events)
  }
}
