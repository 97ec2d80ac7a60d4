import Text

/// A text that is looked for in other texts: as it stands there, as a search folds it, as a URL
/// encodes it, and with other blanks between its words.
struct MentionedText {
  private let lowercased: String
  private let folded: [UInt8]
  /// Whether folding is just lower case, as it is for ASCII.
  private let isPlain: Bool
  /// Folded, with one blank between its words; nil for a single word.
  private let spaced: [UInt8]?

  init(_ mention: String) {
    // One that is copied from an address means what the address does.
    let text = PercentEncoding.decode(mention)
    lowercased = text.lowercased()
    folded = Analyzer().fold(text)
    isPlain = folded == Array(lowercased.utf8)
    let words = text.split(whereSeparator: \.isWhitespace)
    spaced = words.count > 1 ? Analyzer().fold(words.joined(separator: " ")) : nil
  }

  /// Whether it occurs in a text.
  /// - Complexity: O(text × mention) in the worst case, O(text) in use.
  func occurs(in text: String) -> Bool {
    if text.lowercased().contains(lowercased) { return true }
    // Nothing is left of a lone accent, and nothing is in every text.
    guard !folded.isEmpty else { return false }
    let isFolded = isPlain && text.utf8.allSatisfy { $0 < 0x80 }
    if !isFolded, Analyzer().fold(text).contains(folded) { return true }
    if occursAcrossBreaks(in: text) { return true }
    var read = text
    // An address that is handed on in another one is encoded once more.
    for _ in 0..<Self.nestingMax {
      guard let bytes = Self.percentDecoded(read) else { break }
      let decoded = String(decoding: bytes, as: UTF8.self)
      guard decoded != read else { break }
      if stands(in: decoded) { return true }
      // Old forms send Latin-1.
      if String(validating: bytes, as: UTF8.self) == nil,
        stands(in: bytes.map { String(Unicode.Scalar($0)) }.joined())
      {
        return true
      }
      read = decoded
    }
    return false
  }

  private func stands(in text: String) -> Bool {
    Analyzer().fold(text).contains(folded) || occursAcrossBreaks(in: text)
  }

  /// Whether its words occur in a text with other blanks between them, as where a line ends.
  private func occursAcrossBreaks(in text: String) -> Bool {
    guard let spaced, text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x80 }) || text.contains("  ")
    else { return false }
    let words = text.split(whereSeparator: \.isWhitespace)
    return Analyzer().fold(words.joined(separator: " ")).contains(spaced)
  }

  /// The bytes of a text with those that `%xx` stands for and blanks for plus signs.
  ///
  /// Nil when it has neither.
  /// Source: RFC 3986 §2.1; WHATWG URL, application/x-www-form-urlencoded parsing.
  private static func percentDecoded(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return nil
    }
    let blank = UInt8(ascii: " ")
    return PercentEncoding.bytes(bytes.map { $0 == UInt8(ascii: "+") ? blank : $0 }[...])
  }

  /// Addresses in one another that are read.
  private static let nestingMax = 4
}
