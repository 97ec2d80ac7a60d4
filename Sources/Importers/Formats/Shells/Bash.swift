import Values

/// `.bash_history`: lines, or commands under stamps of `HISTTIMEFORMAT`.
enum Bash: HistoryFormat {
  static let name = "bash"
  static let summary = "bash commands (.bash_history)"

  static func recognises(_ file: InputFile) -> Bool {
    file.name.hasSuffix("bash_history")
      || file.headLines.prefix(3).contains { stamp($0) != nil }
  }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    var lines = try file.lines()
    var reader = Reader()
    while let line = try lines.next() {
      guard !line.isTooLong else {
        events.malformed(.line(line.number), "the line is too long")
        continue
      }
      guard let text = line.text else {
        events.malformed(.line(line.number), "not UTF-8")
        continue
      }
      try reader.take(text, line: line.number, events)
    }
    try reader.finish(events)
  }

  /// Seconds of a line of `#` and digits only.
  private static func stamp(_ line: some StringProtocol) -> Int64? {
    guard line.utf8.first == UInt8(ascii: "#"), line.utf8.count > 1,
      line.utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(line.dropFirst()) ?? .max
  }

  private struct Reader {
    private var time: Int64?
    private var command: [String] = []
    private var start = 0
    /// Lines before the first stamp take its time, and wait for it.
    private var waiting: [(text: String, line: Int)] = []

    private static let waitingCountMax = 1_000_000

    mutating func take(_ text: String, line: Int, _ events: Collector) throws(CairnError) {
      if let seconds = Bash.stamp(text) {
        guard let stamp = CivilTime.scaled(seconds, by: 1_000_000), CivilTime.isInRange(stamp)
        else {
          return events.malformed(.line(line), "a time out of range")
        }
        try pass(events)
        for entry in waiting { try add(entry.text, stamp, entry.line, events) }
        waiting = []
        time = stamp
      } else if time != nil {
        if text.isEmpty { return }
        if command.isEmpty { start = line }
        command.append(text)
      } else if waiting.count < Self.waitingCountMax {
        waiting.append((text, line))
      } else {
        events.malformed(.line(line), "more lines without a time than any shell keeps")
      }
    }

    mutating func finish(_ events: Collector) throws(CairnError) {
      try pass(events)
      for entry in waiting { try add(entry.text, nil, entry.line, events) }
    }

    private mutating func pass(_ events: Collector) throws(CairnError) {
      guard !command.isEmpty else { return }
      try add(command.joined(separator: "\n"), time, start, events)
      command = []
    }

    private func add(_ text: String, _ time: Int64?, _ line: Int, _ events: Collector)
      throws(CairnError)
    {
      guard !text.isEmpty else { return }
      try events.add(
        CommandLineUse(command: text, time: time, place: .line(line)), source: Bash.source)
    }
  }
}
