import Values

/// `zsh-history.db` of zsh-histdb.
enum ZshHistdb: DatabaseFormat {
  static let name = "zsh-histdb"
  static let summary = "zsh commands of zsh-histdb (zsh-history.db)"
  static let tables = ["commands", "history", "places"]
  static let columns: [String: Set<String>] = [
    "commands": ["argv"], "history": ["command_id", "start_time"],
  ]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let optional = try database.list(
      ["session", "exit_status", "duration"], of: "history", as: "h")
    let query = """
      select h.rowid, h.start_time, c.argv, p.host, p.dir, \(optional)
      from history h left join commands c on c.id = h.command_id
      left join places p on p.id = h.place_id
      """
    try database.forEachRow(query, of: "h", events) { (row) throws(CairnError) in
      let place = row.place
      guard let command = row.validText(2) else { return events.malformed(place, "no command") }
      guard let seconds = row.integer(1) else { return events.malformed(place, "no time") }
      try events.add(
        CommandLineUse(
          command: command, time: CivilTime.scaled(seconds, by: 1_000_000) ?? .max,
          host: row.text(3), session: row.text(5), workingDirectory: row.text(4),
          exitStatus: row.integer(6), duration: row.double(7), place: place), source: source)
    }
  }
}
