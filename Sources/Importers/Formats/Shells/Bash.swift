import Values

/// `.bash_history`: lines, or commands under stamps of `HISTTIMEFORMAT`.
enum Bash: HistoryFormat {
  static let name = "bash"
  static let summary = "bash commands (.bash_history)"

  static func recognises(_ file: InputFile) -> Bool {
    file.name.hasSuffix("bash_history")
      || file.headLines.prefix(3).contains { line in
        // Other numbers, such as those of issues, would be times of the first days of 1970.
        let time = stamp(CommandText.trimmed(line)).flatMap { moment($0) }
        return time.map { $0 >= 100_000_000_000_000 } ?? false
      }
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var reader = Reader(first: try firstTime(of: file))
    try file.forEachLine(events) { (line, place) throws(CairnError) in
      // readline takes lines of Windows as well (histfile.c).
      guard let text = line.text else { return events.malformed(place, "not UTF-8") }
      try reader.take(text, line: line.number, events)
    }
    try reader.finish(events)
  }

  /// The first time there is, which the lines before it take; nil where none has one.
  private static func firstTime(of file: InputFile) throws(CairnError) -> Int64? {
    var lines = try file.lines()
    while let line = try lines.next() {
      let stamp = line.withoutReturn.text.flatMap { Self.stamp($0) }
      if let time = stamp.flatMap({ moment($0) }) { return time }
    }
    return nil
  }

  /// Microseconds of a stamp; nil where nobody lived then.
  private static func moment(_ seconds: Int64) -> Int64? {
    CivilTime.scaled(seconds, by: 1_000_000).flatMap { CivilTime.isInRange($0) ? $0 : nil }
  }

  /// Seconds of a line of `#` and digits only.
  private static func stamp(_ line: some StringProtocol) -> Int64? {
    guard line.utf8.first == UInt8(ascii: "#"), line.utf8.count > 1,
      line.utf8.dropFirst().allSatisfy({ $0.isASCIIDigit })
    else { return nil }
    return Int64(line.dropFirst()) ?? .max
  }

  private struct Reader {
    /// Of the lines before the first stamp.
    private let first: Int64?
    private var time: Int64?
    private var command = ""
    private var start = 0

    init(first: Int64?) { self.first = first }

    mutating func take(_ text: String, line: Int, _ events: Collector) throws(CairnError) {
      if let seconds = Bash.stamp(text) {
        try finish(events)
        events.record = { Array(text.utf8) }
        // Without a time of its own what follows takes the one before.
        guard let stamp = Bash.moment(seconds) else {
          return events.malformed(.line(line), "a time out of range")
        }
        time = stamp
      } else if time == nil {
        try add(text, first, isTimeBorrowed: true, line, events)
      } else if !text.isEmpty {
        if command.isEmpty { start = line }
        // Without further stamps the rest of the file is one command.
        if !isTooLong { command += command.isEmpty ? text : "\n" + text }
      }
    }

    mutating func finish(_ events: Collector) throws(CairnError) {
      let (text, seconds) = (command, (time ?? 0) / 1_000_000)
      events.record = { Array("#\(seconds)\n\(text)".utf8) }
      if isTooLong {
        events.malformed(.line(start), "the command is too long")
      } else {
        try add(command, time, isTimeBorrowed: false, start, events)
      }
      command = ""
    }

    private var isTooLong: Bool { command.utf8.count > LineStream.byteCountMax }

    private func add(
      _ text: String, _ time: Int64?, isTimeBorrowed: Bool, _ line: Int, _ events: Collector
    ) throws(CairnError) {
      guard !text.isEmpty else { return }
      let use = CommandLineUse(
        command: text, time: time, isTimeBorrowed: isTimeBorrowed, place: .line(line))
      try events.add(use, source: Bash.source)
    }
  }
}
