import Values

/// `.zsh_history`, plain or extended (Src/hist.c: savehistfile, readhistline).
enum Zsh: HistoryFormat {
  static let name = "zsh"
  static let summary = "zsh commands (.zsh_history)"

  static func recognises(_ file: InputFile) -> Bool {
    if [".zsh_history", ".zhistory", ".histfile"].contains(file.name) { return true }
    return file.firstLine.wholeMatch(of: #/: +\d+:\d+;.*/#) != nil
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var lines = try file.lines()
    var command: [UInt8] = []
    var start = 1
    var last: Int64?
    var waiting: [CommandLineUse] = []
    while let line = try lines.next() {
      guard !line.isTooLong, command.count <= LineStream.byteCountMax else {
        events.malformed(.line(line.number), "the line is too long")
        command = []
        continue
      }
      if command.isEmpty { start = line.number }
      var bytes = line.bytes
      if bytes.last == UInt8(ascii: "\\") {
        command += bytes.dropLast() + [0x0A]
        continue
      }
      // zsh writes a blank after a backslash that is no continuation.
      let blanks = bytes.reversed().prefix { $0 == 0x20 }.count
      if blanks > 0, bytes.dropLast(blanks).last == UInt8(ascii: "\\") { bytes.removeLast() }
      command += bytes
      try take(command, start, &last, &waiting, events)
      command = []
    }
    if !command.isEmpty {
      events.malformed(.line(start), "the file ends in the middle of a command")
    }
    for use in waiting { try events.add(use, source: source) }
  }

  private static func take(
    _ bytes: [UInt8], _ line: Int, _ last: inout Int64?, _ waiting: inout [CommandLineUse],
    _ events: Collector
  ) throws(CairnError) {
    guard !bytes.isEmpty else { return }
    guard let text = String(validating: plain(bytes), as: UTF8.self) else {
      return events.malformed(.line(line), "not UTF-8")
    }
    guard text.hasPrefix(":") else {
      let command = text.hasPrefix("\\:") ? String(text.dropFirst()) : text
      let use = CommandLineUse(command: command, time: last, place: .line(line))
      // Lines at the head take the first time there is.
      if last == nil { waiting.append(use) } else { try events.add(use, source: source) }
      return
    }
    guard let stamp = Stamp(text), let time = CivilTime.scaled(stamp.start, by: 1_000_000),
      CivilTime.isInRange(time)
    else { return events.malformed(.line(line), "a time that is none or out of range") }
    for var use in waiting {
      use.time = time
      try events.add(use, source: source)
    }
    waiting = []
    last = time
    try events.add(
      CommandLineUse(
        command: stamp.command, time: time,
        duration: stamp.elapsed > 0 ? Double(stamp.elapsed) : nil, place: .line(line)),
      source: source)
  }

  /// One line: `: START:ELAPSED;COMMAND`.
  private struct Stamp {
    var start: Int64
    var elapsed: Int64
    var command: String

    init?(_ text: String) {
      let rest = text.dropFirst().drop { $0 == " " }
      guard let colon = rest.utf8.firstIndex(of: UInt8(ascii: ":")),
        let semicolon = rest.utf8[colon...].firstIndex(of: UInt8(ascii: ";")),
        let start = Int64(rest[..<colon]),
        let elapsed = Int64(rest[rest.utf8.index(after: colon)..<semicolon])
      else { return nil }
      self.start = start
      self.elapsed = elapsed
      command = String(rest[rest.utf8.index(after: semicolon)...])
    }
  }

  /// Without zsh's marks: 0x83 stands for itself dropped and the next byte with one bit turned.
  private static func plain(_ bytes: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var isMarked = false
    for byte in bytes {
      if isMarked {
        plain.append(byte ^ 0x20)
        isMarked = false
      } else if byte == 0x83 {
        isMarked = true
      } else {
        plain.append(byte)
      }
    }
    return plain
  }
}
