import Values

/// A table of bookmarks, one a row.
protocol BookmarkCSV: CSVFormat {
  static func entry(_ url: String, _ row: CSVRows.Row) -> BookmarkSet.Entry
}

extension BookmarkCSV {
  static func read(_ rows: inout CSVRows, into events: Collector) throws(CairnError) {
    try BookmarkSet.read(source: source, events) { (set) throws(CairnError) in
      try rows.forEachRow(events) { row, place in
        guard let url = row["url"] else { return events.malformed(place, "no URL") }
        set.add(entry(url, row), events)
      }
    }
  }
}
