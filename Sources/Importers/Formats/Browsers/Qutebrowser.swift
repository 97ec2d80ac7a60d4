import Values

/// `history.sqlite` of qutebrowser.
enum Qutebrowser: DatabaseFormat {
  static let name = "qutebrowser"
  static let summary = "qutebrowser history"
  static let tables = ["History", "CompletionHistory"]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let query = "select rowid, url, title, atime, redirect from History"
    try database.forEachRow(query, events) { (row) throws(CairnError) in
      let place = RecordPlace.row(row.integer(0) ?? 0)
      guard let url = row.exactText(1) else { return events.malformed(place, "no URL") }
      try events.add(
        PageVisit(
          url: url, title: row.text(2),
          time: row.integer(3).flatMap { CivilTime.scaled($0, by: 1_000_000) },
          transition: row.integer(4) == 1 ? .redirect : .link, place: place))
    }
  }
}
