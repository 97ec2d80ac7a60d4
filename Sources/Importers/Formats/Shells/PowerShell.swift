import Values

/// `ConsoleHost_history.txt` of PowerShell (PSReadLine): no times.
enum PowerShell: HistoryFormat {
  static let name = "powershell"
  static let summary = "PowerShell commands (ConsoleHost_history.txt)"

  static func recognises(_ file: InputFile) -> Bool { file.name.hasSuffix("Host_history.txt") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var lines = try file.lines()
    var command: [String] = []
    var raw: [UInt8] = []
    var start = 1
    while let line = try lines.next() {
      if command.isEmpty {
        start = line.number
        raw = line.bytes
      } else if raw.count <= LineStream.byteCountMax {
        raw += [0x0A] + line.bytes
      }
      guard !line.isTooLong, let text = line.withoutReturn.text else {
        let refused = raw
        events.record = { refused }
        events.malformed(.line(line.number), line.isTooLong ? "the line is too long" : "not UTF-8")
        command = []
        continue
      }
      if text.utf8.last == UInt8(ascii: "`") {
        if raw.count <= LineStream.byteCountMax { command.append(String(text.dropLast())) }
        continue
      }
      command.append(text)
      try add(command, raw, start, events)
      command = []
    }
    if !command.isEmpty { try add(command + [""], raw, start, events) }
  }

  private static func add(_ lines: [String], _ raw: [UInt8], _ start: Int, _ events: Collector)
    throws(CairnError)
  {
    events.record = { raw }
    guard raw.count <= LineStream.byteCountMax else {
      return events.malformed(.line(start), "the command is too long")
    }
    let command = lines.joined(separator: "\n")
    guard !command.isEmpty else { return }
    try events.add(CommandLineUse(command: command, place: .line(start)), source: source)
  }
}
