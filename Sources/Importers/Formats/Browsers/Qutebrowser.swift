import Values

/// `history.sqlite` of qutebrowser.
enum Qutebrowser: DatabaseFormat {
  static let name = "qutebrowser"
  static let summary = "qutebrowser history"
  static let tables = ["History"]
  static let columns: [String: Set<String>] = ["History": ["url", "atime"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let optional = try database.list(["title", "redirect"], of: "History", as: "h")
    let query = "select h.rowid, h.url, h.atime, \(optional) from History h"
    try database.forEachRow(query, of: "h", events) { (row) throws(CairnError) in
      let place = RecordPlace.row(row.integer(0) ?? 0)
      guard let url = row.exactText(1) else { return events.malformed(place, "no URL") }
      try events.add(
        PageVisit(
          url: url, title: row.text(3),
          time: row.integer(2).flatMap { CivilTime.scaled($0, by: 1_000_000) },
          transition: row.integer(4) == 1 ? .redirect : .link, place: place))
    }
  }
}
