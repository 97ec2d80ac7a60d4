import Values

/// `places.sqlite` of Firefox and its kin: visits and bookmarks.
enum Firefox: DatabaseFormat {
  static let name = "firefox"
  static let summary = "Firefox history and bookmarks"
  static let tables = ["moz_historyvisits", "moz_places"]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    try readVisits(database, into: events)
    guard database.tables.contains("moz_bookmarks"),
      try database.columns("moz_bookmarks").contains("guid")
    else { return }
    try FirefoxBookmarks.read(database, into: events)
  }

  /// Microseconds since 1970; Firefox for Android writes milliseconds.
  static func time(_ value: Int64?) -> Int64? {
    value.map { $0 > 0 && $0 < 100_000_000_000_000 ? $0 * 1000 : $0 }
  }

  private static func readVisits(_ database: Database, into events: Collector) throws(CairnError) {
    let redirects = try Redirects(database)
    let type = try database.list(["visit_type"], of: "moz_historyvisits", as: "v")
    let about = try database.list(["title", "description"], of: "moz_places", as: "p")
    let query = """
      select v.rowid, v.visit_date, \(type), p.url, \(about)
      from moz_historyvisits v left join moz_places p on p.id = v.place_id
      """
    try database.forEachRow(query, of: "v", events) { (row) throws(CairnError) in
      let id = row.integer(0) ?? 0
      let visit = PageVisit(
        url: row.exactText(3), title: row.text(4), time: time(row.integer(1)),
        transition: redirects.transition(of: id, type: row.integer(2) ?? 0), place: .row(id))
      try events.add(visit) { $0.set("contentDescription", row.text(5)) }
    }
  }

  /// Types 5 and 6 mark the target of a redirect, not the page that led on.
  private struct Redirects {
    private struct Step {
      var from: Int64
      var fromType: Int64?
    }

    private var steps: [Int64: Step] = [:]
    private var sources: Set<Int64> = []

    init(_ database: Database) throws(CairnError) {
      let columns = try database.columns("moz_historyvisits")
      guard columns.isSuperset(of: ["from_visit", "visit_type"]) else { return }
      let query = """
        select v.rowid, v.from_visit, f.visit_type from moz_historyvisits v
        left join moz_historyvisits f on f.id = v.from_visit
        """
      // What a damaged page costs is told of the visits.
      _ = try RowScan(
        database: database, query: query, table: "v",
        condition: "v.visit_type in (5, 6) and v.from_visit <> v.id"
      ).forEach { rows in
        let from = rows.integer(1) ?? 0
        steps[rows.integer(0) ?? 0] = Step(from: from, fromType: rows.integer(2))
        sources.insert(from)
      }
    }

    func transition(of id: Int64, type: Int64) -> Transition {
      if sources.contains(id) { return .redirect }
      var id = id
      var type = type
      for _ in 0..<100 where type == 5 || type == 6 {
        guard let step = steps[id], let before = step.fromType else { return .link }
        id = step.from
        type = before
      }
      switch type {
      case 2: return .typed
      case 3: return .bookmark
      case 4, 8: return .embed
      case 7: return .download
      case 9: return .reload
      default: return .link
      }
    }
  }
}
