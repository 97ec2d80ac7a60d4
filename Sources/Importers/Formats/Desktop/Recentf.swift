import Values

/// `recentf` of Emacs: a list of files, newest first, without times.
enum Recentf: HistoryFormat {
  static let name = "recentf"
  static let summary = "files of Emacs (recentf)"
  static let source = "emacs"

  static func recognises(_ file: InputFile) -> Bool { file.holds("(setq recentf-list") }

  static func read(_ file: InputFile, into events: Collector) throws(CairnError) {
    let bytes = try file.whole(most: 64 << 20)
    guard let start = bytes.firstRange(of: "(setq recentf-list".utf8) else {
      throw CairnError(.malformed, "is no list of recent files of Emacs")
    }
    var names: [[UInt8]] = []
    var name: [UInt8] = []
    var isInName = false
    var isEscaped = false
    // The list ends with its own bracket; a name whose text has properties stands in further ones,
    // as in `#("/home/a" 0 5 (face bold))`.
    var depth = 0
    for byte in bytes[start.upperBound...] {
      if !isInName {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") {
          depth -= 1
          if depth <= 0 { break }
        }
        isInName = byte == UInt8(ascii: "\"")
      } else if isEscaped {
        name.append(byte)
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        if depth <= 2 { names.append(name) }
        name.removeAll()
        isInName = false
      } else {
        name.append(byte)
      }
    }
    if isInName || depth > 0 {
      events.malformed(.record(names.count), "the file ends in the middle")
    }
    for (index, name) in names.enumerated().reversed() {
      events.record = { name }
      guard var event = events.event(path: name, at: .record(index)) else { continue }
      event.identity = Identity("untimed", source)
      event.identity.add(name)
      event.identity.addCount(isUntimed: true)
      try events.add(event)
    }
  }
}
