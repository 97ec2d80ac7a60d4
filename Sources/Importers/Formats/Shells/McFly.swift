import Values

/// `history.db` of McFly.
enum McFly: DatabaseFormat {
  static let name = "mcfly"
  static let summary = "McFly commands (history.db)"
  static let tables = ["commands"]
  static let columns: [String: Set<String>] = ["commands": ["cmd", "when_run"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let optional = try database.list(
      ["session_id", "when_run", "exit_code", "dir"], of: "commands", as: "c")
    let query = "select c.rowid, c.cmd, \(optional) from commands c"
    try database.forEachRow(query, of: "c", events) { (row) throws(CairnError) in
      let place = row.place
      guard let command = row.validText(1) else { return events.malformed(place, "no command") }
      guard let seconds = row.integer(3) else { return events.malformed(place, "no time") }
      try events.add(
        CommandLineUse(
          command: command, time: CivilTime.scaled(seconds, by: 1_000_000) ?? .max,
          session: row.text(2), workingDirectory: row.text(5), exitStatus: row.integer(4),
          place: place), source: source)
    }
  }
}
