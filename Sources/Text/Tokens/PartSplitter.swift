/// Finds where a word is cut into parts: `camelCase`, `HTTPServer`, `iPhone15Pro`.
///
/// Kinds are those of `ByteKind`; a plural such as `URLs` stays whole.
struct PartSplitter {
  private var last: UInt8 = 0

  /// Whether a part begins with this character, given the two that follow it (0 at the end).
  mutating func cuts(before kind: UInt8, next: UInt8, afterNext: UInt8) -> Bool {
    defer { last = kind }
    guard last != 0 else { return false }
    if (kind == ByteKind.digit) != (last == ByteKind.digit) { return true }
    if kind == ByteKind.upper {
      if last == ByteKind.lower { return true }
      // The last capital of a row belongs to the word it begins, unless only a plural s follows.
      let pluralFollows = afterNext != ByteKind.lower
      return last == ByteKind.upper && next == ByteKind.lower && !pluralFollows
    }
    return false
  }
}
