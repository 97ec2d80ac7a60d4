import Values

/// `.zsh_history`, plain or extended (Src/hist.c: savehistfile, readhistline).
enum Zsh: HistoryFormat {
  static let name = "zsh"
  static let summary = "zsh commands (.zsh_history)"

  static func recognises(_ file: InputFile) -> Bool {
    // Stamps begin where somebody asked for them.
    file.name.hasSuffix("zsh_history")
      // Who calls it so in bash as well has bash's stamps in it.
      || [".zhistory", ".histfile"].contains(file.name) && !Bash.recognises(file)
      || file.headLines.lazy.filter { !$0.isEmpty }.prefix(3).contains { line in
        line.hasPrefix(":") && line.prefix(64).prefixMatch(of: #/: +\d+:\d+;/#) != nil
      }
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var last = try firstTime(of: file)
    var entries = Entries(lines: try file.lines())
    while let entry = try entries.next() {
      let place = RecordPlace.line(entry.line)
      events.record = { entry.raw }
      guard let bytes = entry.bytes else {
        events.malformed(place, entry.fault)
        continue
      }
      guard let text = String(validating: plain(bytes), as: UTF8.self) else {
        events.malformed(place, "not UTF-8")
        continue
      }
      if text.utf8.first == UInt8(ascii: ":") {
        guard let stamp = Stamp(text) else {
          events.malformed(place, "a time that is none or out of range")
          continue
        }
        last = stamp.time ?? last
        try events.add(
          CommandLineUse(
            command: stamp.command, time: last, isTimeBorrowed: stamp.time == nil,
            duration: stamp.duration, place: place), source: source)
      } else {
        let command = text.utf8.starts(with: "\\:".utf8) ? String(text.dropFirst()) : text
        let use = CommandLineUse(command: command, time: last, isTimeBorrowed: true, place: place)
        try events.add(use, source: source)
      }
    }
  }

  /// The first time there is, which the lines before it take; nil where none has one.
  private static func firstTime(of file: InputFile) throws(CairnError) -> Int64? {
    var entries = Entries(lines: try file.lines())
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, bytes.first == UInt8(ascii: ":") else { continue }
      let text = String(validating: plain(bytes), as: UTF8.self)
      if let time = text.flatMap({ Stamp($0) })?.time { return time }
    }
    return nil
  }

  /// Commands with their stamps, each of one line or several.
  private struct Entries: ~Copyable {
    struct Entry {
      /// As zsh wrote them; nil for what is too long, or ends too early.
      var bytes: [UInt8]?
      var fault = ""
      /// As they stand in the file.
      var raw: [UInt8]
      var line: Int
    }

    private var lines: LineStream

    init(lines: consuming LineStream) { self.lines = lines }

    mutating func next() throws(CairnError) -> Entry? {
      var command: [UInt8] = []
      var raw: [UInt8] = []
      var start: Int?
      while let line = try lines.next() {
        guard !line.isTooLong, command.count <= LineStream.byteCountMax else {
          return Entry(fault: "the line is too long", raw: [], line: line.number)
        }
        if start != nil { raw.append(0x0A) }
        start = start ?? line.number
        raw += line.bytes
        var bytes = line.withoutReturn.bytes
        if bytes.last == UInt8(ascii: "\\") {
          command += bytes.dropLast() + [0x0A]
          continue
        }
        // zsh writes a blank after a backslash that is no continuation.
        let blanks = bytes.reversed().prefix { $0 == 0x20 }.count
        if blanks > 0, bytes.dropLast(blanks).last == UInt8(ascii: "\\") { bytes.removeLast() }
        command += bytes
        if !command.isEmpty { return Entry(bytes: command, raw: raw, line: start ?? line.number) }
        start = nil
        raw = []
      }
      guard let start else { return nil }
      return Entry(fault: "the file ends in the middle of a command", raw: raw, line: start)
    }
  }

  /// One line: `: START:ELAPSED;COMMAND`.
  private struct Stamp {
    /// Microseconds since 1970; nil for 0, which zsh takes for none.
    var time: Int64?
    /// Seconds that it ran; nil for none.
    var duration: Double?
    var command: String

    /// - Returns: nil for what is no such line, or has a time at which nobody lived.
    init?(_ text: String) {
      let rest = text.utf8.dropFirst().drop { $0 == 0x20 }
      guard let colon = rest.firstIndex(of: UInt8(ascii: ":")),
        let semicolon = rest[colon...].firstIndex(of: UInt8(ascii: ";")),
        let start = Int64(String(rest[..<colon]) ?? ""),
        let elapsed = Int64(String(rest[rest.index(after: colon)..<semicolon]) ?? ""),
        let time = CivilTime.scaled(start, by: 1_000_000), time == 0 || CivilTime.isInRange(time)
      else { return nil }
      self.time = time == 0 ? nil : time
      duration = elapsed > 0 ? Double(elapsed) : nil
      command = String(rest[rest.index(after: semicolon)...]) ?? ""
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
