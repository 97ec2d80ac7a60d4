import Values

/// `history.sqlite` of IPython: only sessions have a time.
enum IPython: DatabaseFormat {
  static let name = "ipython"
  static let summary = "IPython input (history.sqlite)"
  static let tables = ["sessions", "history"]
  static let columns: [String: Set<String>] = ["history": ["source_raw"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let texts = try database.list(["source", "source_raw"], of: "history", as: "h")
    let query = """
      select h.rowid, h.session, h.line, \(texts), s.start
      from history h left join sessions s on s.session = h.session
      """
    try database.forEachRow(query, of: "h", events) { (row) throws(CairnError) in
      let place = row.place
      guard let command = row.exactText(4) ?? row.exactText(3) else { return events.skip("blank") }
      // IPython notes what the clock shows, without a zone; a key is the same in any.
      let start = row.text(5) ?? ""
      guard let written = CivilTime.iso(start),
        let time = CivilTime.iso(start, zone: events.options.zone)
      else { return events.malformed(place, "no time") }
      let session = row.integer(1) ?? 0
      try events.add(
        CommandLineUse(
          command: command, language: .python, time: time, session: "ipython-\(session)",
          key: "\(written) \(session) \(row.integer(2) ?? 0)", place: place), source: source)
    }
  }
}
