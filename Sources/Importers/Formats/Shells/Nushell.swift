import Values

/// `history.sqlite3` of nushell (reedline).
enum Nushell: DatabaseFormat {
  static let name = "nushell"
  static let summary = "nushell commands (history.sqlite3)"
  static let tables = ["history"]
  static let columns: [String: Set<String>] = ["history": ["command_line"]]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let names = ["start_timestamp", "session_id", "hostname", "cwd", "duration_ms", "exit_status"]
    let optional = try database.list(names, of: "history", as: "h")
    let query = "select h.rowid, h.command_line, \(optional) from history h"
    try database.forEachRow(query, of: "h", events) { (row) throws(CairnError) in
      let place = row.place
      guard let command = row.validText(1) else { return events.malformed(place, "no command") }
      try events.add(
        CommandLineUse(
          command: command,
          time: row.integer(2).map { CivilTime.scaled($0, by: 1000) ?? .max }, host: row.text(4),
          session: row.text(3), workingDirectory: row.text(5), exitStatus: row.integer(7),
          duration: row.integer(6).map { Double($0) / 1000 }, place: place), source: source)
    }
  }
}

/// `history.txt` of nushell: one command a line, no times.
enum NushellText: HistoryFormat {
  static let name = "nushell-text"
  static let summary = "nushell commands (history.txt)"
  static let source = "nushell"

  static func recognises(_ file: InputFile) -> Bool {
    file.name == "history.txt" && file.path.contains("nushell/history.txt")
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    try file.forEachLine(events) { (line, place) throws(CairnError) in
      // By bytes: a mark after the newline's would be one character with its bracket.
      let bytes = line.bytes.replacing("<\\n>".utf8, with: "\n".utf8)
      guard let command = String(validating: bytes, as: UTF8.self) else {
        return events.malformed(place, "not UTF-8")
      }
      guard !command.isEmpty else { return }
      try events.add(CommandLineUse(command: command, place: place), source: source)
    }
  }
}
