import Values

/// `History.db` of Safari.
enum Safari: DatabaseFormat {
  static let name = "safari"
  static let summary = "Safari history"
  static let tables = ["history_items", "history_visits"]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let optional = try database.list(
      ["redirect_destination", "load_successful", "origin", "title"], of: "history_visits", as: "v")
    let query = """
      select v.rowid, v.visit_time, i.url, \(optional)
      from history_visits v left join history_items i on i.id = v.history_item
      """
    try database.forEachRow(query, of: "v", events) { (row) throws(CairnError) in
      let transition: Transition = row.isNull(3) ? row.integer(4) == 0 ? .auto : .link : .redirect
      let visit = PageVisit(
        url: row.exactText(2), title: row.text(6),
        time: row.double(1).flatMap { CivilTime.seconds($0, since: CivilTime.epoch2001) },
        transition: transition, device: row.integer(5) == 1 ? "icloud" : nil, place: row.place)
      try events.add(visit)
    }
  }
}
