import Text

/// A text that is looked for in other texts: as it stands there, as a search folds it, and as a URL
/// encodes it.
struct MentionedText {
  private let lowercased: String
  private let folded: [UInt8]
  /// Whether folding is just lower case, as it is for ASCII.
  private let isPlain: Bool

  init(_ mention: String) {
    // One that is copied from an address means what the address does.
    let text = PercentEncoding.decode(mention)
    lowercased = text.lowercased()
    folded = Analyzer().fold(text)
    isPlain = folded == Array(lowercased.utf8)
  }

  /// Whether it stands in a text.
  /// - Complexity: O(text × mention) in the worst case, O(text) in use.
  func stands(in text: String) -> Bool {
    if text.lowercased().contains(lowercased) { return true }
    // Nothing is left of a lone accent, and nothing is in every text.
    guard !folded.isEmpty else { return false }
    let isFolded = isPlain && text.utf8.allSatisfy { $0 < 0x80 }
    if !isFolded, Analyzer().fold(text).contains(folded) { return true }
    guard let decoded = Self.percentDecoded(text) else { return false }
    return Analyzer().fold(decoded).contains(folded)
  }

  /// A text with the bytes that `%xx` stands for and blanks for plus signs, as forms send them.
  ///
  /// Nil when it has neither. Bytes that are no UTF-8 become U+FFFD.
  /// Source: RFC 3986 §2.1; WHATWG URL, application/x-www-form-urlencoded parsing.
  static func percentDecoded(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
      return nil
    }
    let blank = UInt8(ascii: " ")
    let decoded = PercentEncoding.bytes(bytes.map { $0 == UInt8(ascii: "+") ? blank : $0 }[...])
    return String(decoding: decoded, as: UTF8.self)
  }
}
