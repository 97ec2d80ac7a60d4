/// Lines that a whole terminal shows, and where its cursor stands.
struct Frame: Equatable {
  var lines: [String]
  var cursorLine = 0
  var cursorColumn = 0
}

/// What a terminal shows by now: of the next frame only the lines that differ are written.
struct Screen {
  private var shown: Frame?

  /// The bytes that make a frame of what is shown; none for the same one.
  ///
  /// Source: ECMA-48: CUP, EL, ED; DEC private mode 25 hides the cursor while lines are written.
  mutating func bytes(for frame: Frame) -> [UInt8] {
    guard frame != shown else { return [] }
    var text = "\u{1B}[?25l"
    if shown == nil { text += "\u{1B}[2J" }
    for (index, line) in frame.lines.enumerated() {
      if let shown, index < shown.lines.count, shown.lines[index] == line { continue }
      text += "\u{1B}[\(index + 1);1H\(line)\u{1B}[K"
    }
    text += "\u{1B}[\(frame.cursorLine + 1);\(frame.cursorColumn + 1)H\u{1B}[?25h"
    shown = frame
    return Array(text.utf8)
  }
}

enum LineStyle: String {
  case plain = ""
  case bold = "1"
  case dim = "2"
  case chosen = "7"

  /// The text in this style; it must hold no sequences of its own.
  func shown(_ text: String) -> String {
    self == .plain || text.isEmpty ? text : "\u{1B}[\(rawValue)m\(text)\u{1B}[0m"
  }
}
