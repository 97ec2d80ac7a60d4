import Events
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
      try add(
        from: row.double(3), to: row.double(4),
        CommandLineUse(
          command: command, session: row.text(5), workingDirectory: row.text(6),
          exitStatus: row.integer(2), place: place), events)
    }
  }

  /// Adds a command of these seconds since 1970.
  fileprivate static func add(
    from begin: Double?, to end: Double?, _ use: CommandLineUse, _ events: Collector
  ) throws(CairnError) {
    guard let begin, let time = CivilTime.seconds(begin) else {
      return events.malformed(use.place, "no time")
    }
    var use = use
    use.time = time
    use.duration = end.map { (($0 - begin) * 1e6).rounded() / 1e6 }
    if use.command.hasSuffix("\n") { use.command.removeLast() }
    try events.add(use, source: source)
  }
}

/// A session of xonsh as JSON, as it keeps them where nobody asked for a database.
enum XonshSession: JSONFormat {
  static let name = "xonsh-json"
  static let summary = "xonsh commands of a session (xonsh-….json)"
  /// The one of ``Xonsh``: a command is the same in both.
  static let source = Xonsh.source

  static func fits(_ file: InputFile) -> Bool {
    file.firstLine.hasPrefix("{\"locs\":") && file.holds("\"index\":")
  }

  static func read(_ json: JSONStream, into events: Collector) throws(CairnError) {
    // Before it stands only where in the file what begins.
    try json.member("data", of: "no session of xonsh") { () throws(CairnError) in
      try json.record(events, at: .byte(json.position)) { (session, _) throws(CairnError) in
        for (number, command) in (session["cmds"]?.elements ?? []).enumerated() {
          // Not all of the session, of which its environment is a part.
          events.record = {
            var bytes: [UInt8] = []
            command.append(to: &bytes)
            return bytes
          }
          try add(command, session["sessionid"]?.string, .element(number), events)
        }
      }
    }
  }

  private static func add(
    _ command: JSONValue, _ session: String?, _ place: RecordPlace, _ events: Collector
  ) throws(CairnError) {
    guard let text = command["inp"]?.string else { return events.malformed(place, "no command") }
    let times = command["ts"]?.elements ?? []
    try Xonsh.add(
      from: times.first?.double, to: times.dropFirst().first?.double,
      CommandLineUse(
        command: text, session: session, workingDirectory: command["cwd"]?.string,
        exitStatus: command["rtn"]?.integer, place: place), events)
  }
}
