import Values

/// `ephy-history.db` of GNOME Web.
enum Epiphany: DatabaseFormat {
  static let name = "epiphany"
  static let summary = "GNOME Web history"
  static let tables = ["urls", "visits"]
  static let columns: [String: Set<String>] = ["visits": ["visit_type"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let type = try database.list(["visit_type"], of: "visits", as: "v")
    let title = try database.list(["title"], of: "urls", as: "u")
    let query = """
      select v.rowid, v.visit_time, \(type), u.url, \(title)
      from visits v left join urls u on u.id = v.url
      """
    try database.forEachRow(query, of: "v", events) { (row) throws(CairnError) in
      let transition: Transition =
        switch row.integer(2) {
        case 2: .typed
        case 8: .bookmark
        case 9: .auto
        default: .link
        }
      // Older files may hold seconds.
      let time = row.integer(1).flatMap {
        $0 < 100_000_000_000_000 ? CivilTime.scaled($0, by: 1_000_000) : $0
      }
      try events.add(
        PageVisit(
          url: row.exactText(3), title: row.text(4), time: time, transition: transition,
          place: row.place))
    }
  }
}
