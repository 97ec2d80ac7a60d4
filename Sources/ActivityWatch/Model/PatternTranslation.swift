/// Rewrites a regular expression of Python's `re` where ICU writes the same thing otherwise.
enum PatternTranslation {
  /// ICU makes each of these sets anew, which takes it a tenth of a millisecond, or a whole one.
  private static let setCountMax = 1_000

  /// The pattern for ICU; nil where it has more sets of letters than anybody writes.
  static func icu(_ pattern: String) -> String? {
    // ICU takes no empty pattern; one that finds nothing everywhere is the same.
    if pattern.isEmpty { return "(?:)" }
    var translation = Translation(Array(pattern.unicodeScalars))
    translation.run()
    guard translation.setCount <= setCountMax else { return nil }
    var text = ""
    text.unicodeScalars.append(contentsOf: translation.output)
    return text
  }

  private struct Translation {
    let input: [Unicode.Scalar]
    var index = 0
    var output: [Unicode.Scalar] = []
    /// Names of groups; ICU's have no underscore, so each gets one of ours.
    var groups: [[Unicode.Scalar]] = []
    /// Sets of letters, by their properties.
    var setCount = 0

    init(_ input: [Unicode.Scalar]) { self.input = input }

    mutating func run() {
      while index < input.count {
        switch input[index] {
        case "\\": escape()
        case "[": characterClass()
        case "{": brace()
        case "}": emit("\\}", skipping: 1)
        case "(": group()
        default: emit([input[index]], skipping: 1)
        }
      }
    }

    private mutating func emit(_ text: String, skipping count: Int) {
      emit(Array(text.unicodeScalars), skipping: count)
    }

    private mutating func emit(_ scalars: [Unicode.Scalar], skipping count: Int) {
      output += scalars
      index += count
    }

    private func starts(_ text: String) -> Bool {
      input[index...].starts(with: Array(text.unicodeScalars))
    }

    /// `\Z` is the very end of the text, which ICU calls `\z`, `\v` one kind of line break, not
    /// all, and `\b` in a class a backspace.
    ///
    /// Python's words have numbers of every kind in them, ICU's marks and joiners. To add to so
    /// large a set what differs by case alone would take ICU a millisecond, for nothing.
    private mutating func escape(inClass: Bool = false) {
      if starts("\\Z") { return emit("\\z", skipping: 2) }
      if starts("\\v") { return emit("\\x0B", skipping: 2) }
      if inClass, starts("\\b") { return emit("\\x08", skipping: 2) }
      if index + 1 < input.count, "wWpP".unicodeScalars.contains(input[index + 1]) { setCount += 1 }
      let word = "_\\p{L}\\p{N}"
      for (escape, set) in [("\\w", "[\(word)]"), ("\\W", "[^\(word)]")] where starts(escape) {
        return emit(inClass ? set : "(?-i:\(set))", skipping: 2)
      }
      emit(Array(input[index..<min(index + 2, input.count)]), skipping: 2)
    }

    /// In a class of Python's only `]`, `^`, `-` and `\` mean anything; ICU has sets of sets.
    private mutating func characterClass() {
      emit("[", skipping: 1)
      if index < input.count, input[index] == "^" { emit("^", skipping: 1) }
      if index < input.count, input[index] == "]" { emit("\\]", skipping: 1) }
      while index < input.count, input[index] != "]" {
        switch input[index] {
        case "\\": escape(inClass: true)
        case "[", "&", "{", "}", "$": emit(["\\", input[index]], skipping: 1)
        default: emit([input[index]], skipping: 1)
        }
      }
      if index < input.count { emit("]", skipping: 1) }
    }

    /// A brace that is no count of repetitions stands for itself.
    private mutating func brace() {
      let inside = input[(index + 1)...].prefix { ("0"..."9").contains($0) || $0 == "," }
      let commas = inside.filter { $0 == "," }.count
      let isCount =
        inside.endIndex < input.count && input[inside.endIndex] == "}" && commas <= 1
        && !inside.isEmpty
      guard isCount else { return emit("\\{", skipping: 1) }
      emit(inside.first == "," ? "{0" : "{", skipping: 1)
      emit(Array(inside), skipping: inside.count)
      emit("}", skipping: 1)
    }

    private mutating func group() {
      if starts("(?P<"), let end = input[index...].firstIndex(of: ">") {
        let name = Array(input[(index + 4)..<end])
        groups.append(name)
        return emit("(?<g\(groups.count)>", skipping: end + 1 - index)
      }
      if starts("(?P="), let end = input[index...].firstIndex(of: ")"),
        let place = groups.firstIndex(of: Array(input[(index + 4)..<end]))
      {
        return emit("\\k<g\(place + 1)>", skipping: end + 1 - index)
      }
      emit("(", skipping: 1)
    }
  }
}
