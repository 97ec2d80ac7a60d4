import Values

/// `history.db` of atuin.
enum Atuin: DatabaseFormat {
  static let name = "atuin"
  static let summary = "atuin commands (history.db)"
  static let tables = ["history"]
  static let columns: [String: Set<String>] = ["history": ["cwd", "hostname", "command"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let result = try database.list(["duration", "exit"], of: "history", as: "h")
    let about = try database.list(
      ["cwd", "session", "hostname", "deleted_at"], of: "history", as: "h")
    let query = """
      select h.rowid, h.id, h.timestamp, \(result), h.command, \(about) from history h
      """
    try database.forEachRow(query, of: "h", events) { (row) throws(CairnError) in
      let place = row.place
      guard row.isNull(9) else { return events.skip("deleted") }
      guard let command = row.validText(5), let id = row.text(1) else {
        return events.malformed(place, "no command")
      }
      guard let nanoseconds = row.integer(2) else { return events.malformed(place, "no time") }
      let host = row.text(8)?.prefix { $0 != ":" }
      let hasEnded = (row.integer(4) ?? -1) != -1 || (row.integer(3) ?? -1) != -1
      let duration = row.integer(3).map { Double($0) / 1e9 }
      try events.add(
        CommandLineUse(
          command: command, time: nanoseconds / 1000, host: host.map(String.init),
          session: row.text(7),
          workingDirectory: row.text(6).flatMap { $0 == "unknown" ? nil : $0 },
          exitStatus: hasEnded && row.integer(4) != -1 ? row.integer(4) : nil, duration: duration,
          key: id, place: place), source: source)
    }
  }
}
