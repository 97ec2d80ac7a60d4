/// Values that begin like an option: `--since -90d`.
enum DashedValue {
  /// The line with `--option -N…` as `--option=-N…`, up to `--`; no option of ours is a digit.
  static func joined(_ line: [String]) -> [String] {
    var joined: [String] = []
    for (place, word) in line.enumerated() {
      if word == "--" { return joined + line[place...] }
      if let last = joined.last, last.hasPrefix("--"), !last.contains("="), isDistance(word) {
        joined[joined.count - 1] = "\(last)=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// A minus sign, digits and a unit; a bare negative number is left to the parser to refuse.
  private static func isDistance(_ word: String) -> Bool {
    guard word.first == "-", let second = word.dropFirst().first, second.isASCII else {
      return false
    }
    return second.isWholeNumber && word.contains(where: \.isLetter)
  }
}
