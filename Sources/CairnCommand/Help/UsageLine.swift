/// The line in the parser's help that shows how a command is called.
///
/// The parser breaks every line but this one, which may be three terminals wide.
enum UsageLine {
  private static let mark = "USAGE: "

  /// The help with that line broken between the options it names.
  static func broken(in help: String, columns: Int) -> String {
    help.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(mark) ? broken($0, columns) : String($0) }.joined(separator: "\n")
  }

  private static func broken(_ line: Substring, _ columns: Int) -> String {
    var parts: [String] = []
    for word in line.split(separator: " ") {
      if let last = parts.last, isUnfinished(last, before: word) {
        parts[parts.count - 1] = "\(last) \(word)"
      } else {
        parts.append(String(word))
      }
    }
    let indent = String(repeating: " ", count: mark.count)
    var lines = [""]
    for part in parts {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = part
      } else if last.count + 1 + part.count <= columns {
        lines[lines.count - 1] = "\(last) \(part)"
      } else {
        lines.append(indent + part)
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Whether a word goes with what stands before it: in its brackets, or as its value.
  private static func isUnfinished(_ part: String, before word: Substring) -> Bool {
    part.count { $0 == "[" } > part.count { $0 == "]" }
      || word == "..." || part.hasPrefix("-") && word.hasPrefix("<")
  }
}
