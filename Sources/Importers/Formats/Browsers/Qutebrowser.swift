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
      try events.add(
        PageVisit(
          url: row.exactText(1), title: row.text(3),
          time: row.integer(2).flatMap { CivilTime.scaled($0, by: 1_000_000) },
          transition: row.integer(4) == 1 ? .redirect : .link, place: row.place))
    }
  }
}
