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
    var read = text
    // An address that is handed on in another one is encoded once more.
    for _ in 0..<Self.nestingMax {
      guard let decoded = Self.percentDecoded(read), decoded != read else { break }
      if Analyzer().fold(decoded).contains(folded) { return true }
      read = decoded
    }
    return occursAcrossBreaks(in: read)
  }

  /// Whether its words occur in a text with other blanks between them, as where a line ends.
  private func occursAcrossBreaks(in text: String) -> Bool {
    guard let spaced, text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x80 }) || text.contains("  ")
    else { return false }
    let words = text.split(whereSeparator: \.isWhitespace)
    return Analyzer().fold(words.joined(separator: " ")).contains(spaced)
  }

  /// A text with the bytes that `%xx` stands for and blanks for plus signs, as forms send them.
  ///
  /// Nil when it has neither. Bytes that are no UTF-8 are read as Latin-1, as old forms send them.
  /// Source: RFC 3986 §2.1; WHATWG URL, application/x-www-form-urlencoded parsing.
  static func percentDecoded(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return nil
    }
    let blank = UInt8(ascii: " ")
    let decoded = PercentEncoding.bytes(bytes.map { $0 == UInt8(ascii: "+") ? blank : $0 }[...])
    if let text = String(validating: decoded, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(decoded.map { Unicode.Scalar($0) }))
  }

  /// Addresses in one another that are read.
  private static let nestingMax = 4
}
