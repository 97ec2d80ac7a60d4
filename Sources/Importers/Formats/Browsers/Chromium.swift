import Values

/// `History` of Chrome, Chromium, Edge, Brave, Vivaldi, Opera, Arc.
enum Chromium: DatabaseFormat {
  static let name = "chromium"
  static let summary = "Chrome, Chromium, Edge, Brave, Vivaldi or Opera history"
  static let tables = ["urls", "visits"]
  static let columns: [String: Set<String>] = ["visits": ["transition"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let device = try database.list(["originator_cache_guid"], of: "visits", as: "v")
    let kind = try database.list(["transition"], of: "visits", as: "v")
    let title = try database.list(["title"], of: "urls", as: "u")
    let noted = try database.columns("context_annotations")
    let hasAttention = noted.contains("total_foreground_duration")
    let terms = try terms(database)
    let query = """
      select v.rowid, v.visit_time, \(kind), u.url, \(title), \(device),
        \(hasAttention ? "c.total_foreground_duration" : "null"), u.id
      from visits v left join urls u on u.id = v.url
      \(hasAttention ? "left join context_annotations c on c.visit_id = v.id" : "")
      """
    try database.forEachRow(query, of: "v", events) { (row) throws(CairnError) in
      let since1601 = row.integer(1) ?? 0
      let attention = row.integer(6).flatMap { $0 > 0 ? Double($0) / 1e6 : nil }
      let visit = PageVisit(
        url: row.exactText(3), title: row.text(4),
        time: CivilTime.scaled(since1601, by: 1, since: CivilTime.epoch1601),
        transition: transition(UInt32(truncatingIfNeeded: row.integer(2) ?? 0)), dwell: attention,
        device: row.text(5), place: row.place)
      try events.add(visit) { event in
        if let term = row.integer(7).flatMap({ terms[$0] }) { event.set("keywords", [term]) }
      }
    }
  }

  /// What was searched for, by page.
  private static func terms(_ database: Database) throws(CairnError) -> [Int64: String] {
    var terms: [Int64: String] = [:]
    guard database.tables.contains("keyword_search_terms") else { return terms }
    // What a damaged page costs is told of the visits.
    _ = try RowScan(
      database: database, query: "select k.rowid, k.url_id, k.term from keyword_search_terms k",
      table: "k"
    ).forEach { rows in
      if let page = rows.integer(1), terms[page] == nil { terms[page] = rows.text(2) }
    }
    return terms
  }

  /// By ui/base/page_transition_types.h; a visit that only led elsewhere has no end of a chain.
  static func transition(_ bits: UInt32) -> Transition {
    let core = bits & 0xFF
    let isEmbedded = core == 3 || core == 4
    if !isEmbedded, bits & 0x2000_0000 == 0, bits & 0xD000_0000 != 0 { return .redirect }
    // Blocked, or a step back or forward: nobody asked for the page anew.
    if bits & 0x0080_0000 != 0 || bits & 0x0100_0000 != 0 && !isEmbedded { return .auto }
    switch core {
    case 0: return .link
    case 1: return .typed
    case 2: return .bookmark
    case 3, 4: return .embed
    case 5: return .generated
    case 7: return .form
    case 8: return .reload
    case 9: return .keyword
    default: return .auto
    }
  }
}
