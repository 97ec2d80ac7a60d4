import Text

/// Names that somebody may have meant who wrote another case, blanks around it, or a star.
enum NameLikeness {
  static func names(like name: String, among known: Set<String>) -> [String] {
    let wanted = key(name)
    guard !wanted.isEmpty else { return [] }
    return known.filter { key($0) == wanted }.sorted()
  }

  private static func key(_ name: String) -> [UInt8] {
    var bytes = Analyzer().fold(name)[...]
    while let last = bytes.last, " \t.*".utf8.contains(last) { bytes.removeLast() }
    while let first = bytes.first, " \t".utf8.contains(first) { bytes.removeFirst() }
    return Array(bytes)
  }
}
