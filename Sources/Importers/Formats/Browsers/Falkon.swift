import Values

/// `browsedata.db` of Falkon: a count and a last time for each page.
enum Falkon: DatabaseFormat {
  static let name = "falkon"
  static let summary = "Falkon history"
  static let isAggregate = true
  static let tables = ["history"]
  static let columns: [String: Set<String>] = ["history": ["url", "date", "count"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let title = try database.list(["title"], of: "history", as: "h")
    let query = "select h.rowid, h.url, \(title), h.date, h.count from history h"
    try database.forEachRow(query, of: "h", events) { (row) throws(CairnError) in
      let title = row.text(2).flatMap { $0 == "Empty Page" ? nil : $0 }
      let visit = PageVisit(
        url: row.exactText(1), title: title,
        time: row.integer(3).flatMap { CivilTime.scaled($0, by: 1000) }, place: row.place)
      try events.add(visit) { event in
        event.visits = max(1, row.integer(4) ?? 1)
        event.isAggregate = true
        event.identity = Identity(source, event.item, String(event.time ?? 0))
      }
    }
  }
}
