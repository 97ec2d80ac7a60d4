import Text

/// The form in which a query is remembered: two that read alike are one.
enum QueryText {
  /// Folded like words are, blanks collapsed and trimmed.
  /// - Complexity: O(bytes).
  static func normalised(_ text: [UInt8]) -> [UInt8] {
    var buffer = TokenBuffer()
    let folded = Analyzer().fold(text, using: &buffer)
    let words = folded.split { $0 <= 0x20 }
    return Array(words.joined(separator: [0x20]))
  }
}
