import Values

/// `xonsh-history.sqlite` of xonsh.
enum Xonsh: DatabaseFormat {
  static let name = "xonsh"
  static let summary = "xonsh commands (xonsh-history.sqlite)"
  static let tables = ["xonsh_history"]

  static func read(_ database: Database, into events: Collector) throws(CairnError) {
    let optional = try database.list(
      ["rtn", "tsb", "tse", "sessionid", "cwd"], of: "xonsh_history", as: "h")
    let query = "select h.rowid, h.inp, \(optional) from xonsh_history h"
    try database.forEachRow(query, of: "h", events) { (row) throws(CairnError) in
      let place = row.place
      guard let command = row.validText(1) else { return events.malformed(place, "no command") }
      guard let begin = row.double(3), let time = CivilTime.seconds(begin) else {
        return events.malformed(place, "no time")
      }
      let duration = row.double(4).map { (($0 - begin) * 1e6).rounded() / 1e6 }
      let text = command.hasSuffix("\n") ? String(command.dropLast()) : command
      try events.add(
        CommandLineUse(
          command: text, time: time, session: row.text(5), workingDirectory: row.text(6),
          exitStatus: row.integer(2), duration: duration, place: place), source: source)
    }
  }
}
