import Values

/// `fish_history`, which looks like YAML and is none (src/history/yaml_backend.rs).
enum Fish: HistoryFormat {
  static let name = "fish"
  static let summary = "fish commands (fish_history)"

  static func recognises(_ file: InputFile) -> Bool { file.firstLine.hasPrefix("- cmd: ") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    guard file.headText.contains("- cmd:") else {
      throw CairnError(.malformed, "is no history of fish (no line of - cmd:)")
    }
    var lines = try file.lines()
    var record: Record?
    while let line = try lines.next() {
      guard !line.isTooLong, let text = line.withoutReturn.text else {
        try record?.add(to: events)
        record = nil
        events.record = { line.bytes }
        events.malformed(.line(line.number), line.isTooLong ? "the line is too long" : "not UTF-8")
        continue
      }
      if text.hasPrefix("- cmd:") {
        try record?.add(to: events)
        record = Record(command: unescaped(command(text)), raw: line.bytes, line: line.number)
      } else if text.hasPrefix(" ") {
        record?.take(text)
      } else if !text.isEmpty, !["%", "---", "..."].contains(where: { text.hasPrefix($0) }) {
        try record?.add(to: events)
        record = nil
        events.record = { line.bytes }
        events.malformed(.line(line.number), "neither a command nor what belongs to one")
      }
    }
    try record?.add(to: events)
  }

  /// What stands after `- cmd:`; blanks at its end belong to it.
  ///
  /// fish 1 wrote the mark again and again, of which fish leaves one.
  private static func command(_ text: String) -> String {
    var rest = Array(text.utf8)[...]
    while rest.starts(with: "- cmd: - cmd: ".utf8) { rest = rest.dropFirst(7) }
    return String(decoding: rest.dropFirst(6).drop { $0 == 0x20 || $0 == 0x09 }, as: UTF8.self)
  }

  /// Undoes the only two escapes, in one pass.
  private static func unescaped(_ text: String) -> String {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in text.utf8 {
      if isEscaped {
        switch byte {
        case UInt8(ascii: "n"): result.append(0x0A)
        case UInt8(ascii: "\\"): result.append(byte)
        default: result += [UInt8(ascii: "\\"), byte]
        }
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else {
        result.append(byte)
      }
    }
    if isEscaped { result.append(UInt8(ascii: "\\")) }
    return String(decoding: result, as: UTF8.self)
  }

  private struct Record {
    var command: String
    var line: Int
    private var when: Int64?
    private var added: Int64?
    private var paths: [String] = []
    /// As it stands in the file.
    private var raw: [UInt8]

    init(command: String, raw: [UInt8], line: Int) {
      self.command = command
      self.raw = raw
      self.line = line
    }

    mutating func take(_ text: String) {
      guard !isTooLong else { return }
      raw += [0x0A] + Array(text.utf8)
      let field = CommandText.trimmed(text)
      if field.hasPrefix("when:") {
        // What is no number is no time, and the record is refused for it.
        when = Int64(CommandText.trimmed(field.dropFirst(5))) ?? .max
      } else if field.hasPrefix("added_when:") {
        added = Int64(CommandText.trimmed(field.dropFirst(11)))
      } else if field.hasPrefix("- ") {
        paths.append(Fish.unescaped(String(text.drop { $0 == " " }.dropFirst(2))))
      }
    }

    private var isTooLong: Bool { raw.count > LineStream.byteCountMax }

    /// One use, or two where the first and the last are told apart.
    func add(to events: Collector) throws(CairnError) {
      events.record = { raw }
      guard !isTooLong else { return events.malformed(.line(line), "the command is too long") }
      var times: [Int64?] = [when]
      if let added, added != when { times = when == nil ? [added] : [added, when] }
      for time in times {
        let use = CommandLineUse(
          command: command, time: time.map { CivilTime.scaled($0, by: 1_000_000) ?? .max },
          place: .line(line))
        try events.add(use, source: Fish.source) { $0.set("paths", paths) }
      }
    }
  }
}
