import Text

/// A text that is looked for in other texts: as it stands there, as a search folds it, as a URL
/// encodes it, and with something else between its words.
struct MentionedText {
  private let lowercased: String
  private let folded: [UInt8]
  /// Whether folding is just lower case, as it is for ASCII.
  private let isPlain: Bool
  /// Folded, where blanks, hyphens and apostrophes are all that lies between them; none for a
  /// single one.
  private let words: [[UInt8]]
  /// Whether nothing but blanks lies between them.
  private let isSpaced: Bool

  init(_ mention: String) {
    // One that is copied from an address means what the address does.
    let text = PercentEncoding.decode(mention)
    lowercased = text.lowercased()
    folded = Analyzer().fold(text)
    isPlain = folded == Array(lowercased.utf8)
    let parts = text.split {
      $0.isWhitespace || $0 != "." && $0 != "," && Self.joints.contains($0)
    }
    let words = parts.map { Analyzer().fold(String($0)) }.filter { !$0.isEmpty }
    self.words = words.count > 1 ? words : []
    isSpaced = !text.contains { !$0.isWhitespace && Self.joints.contains($0) }
  }

  /// What joins words to one name; an address has dots where it has no others.
  private static let joints = Set("-_'’ʼ‘`‐‑–.,")

  /// Whether it occurs in a text.
  /// - Complexity: O(text × mention) in the worst case, O(text) in use.
  func occurs(in text: String) -> Bool {
    if text.lowercased().contains(lowercased) { return true }
    // Nothing is left of a lone accent, and nothing is in every text.
    guard !folded.isEmpty else { return false }
    let isFolded = isPlain && text.utf8.allSatisfy { $0 < 0x80 }
    if !isFolded || !words.isEmpty, stands(in: text) { return true }
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
    let text = Analyzer().fold(text)
    return text.contains(folded) || wordsStand(in: text.span)
  }

  /// Whether its words follow each other in a folded text with blanks between them, as where a line
  /// ends, or from the beginning of a word with one sign, as in `jane.roe@example.com`.
  private func wordsStand(in text: Span<UInt8>) -> Bool {
    guard let first = words.first else { return false }
    var index = 0
    var isStart = true
    while index < text.count {
      if text[index] == first[0], wordsStand(in: text, at: index, isStart) { return true }
      let (scalar, length) = UTF8Coding.decode(text, at: index)
      isStart = !Self.isOfWord(scalar)
      index += length
    }
    return false
  }

  private func wordsStand(in text: Span<UInt8>, at start: Int, _ isStart: Bool) -> Bool {
    var index = start
    var hasSign = !isSpaced
    for (number, word) in words.enumerated() {
      if number > 0 {
        guard let joint = Self.joint(text, at: index) else { return false }
        index = joint.end
        hasSign = hasSign || joint.hasSign
      }
      guard index + word.count <= text.count,
        word.indices.allSatisfy({ text[index + $0] == word[$0] })
      else { return false }
      index += word.count
    }
    return isStart || !hasSign
  }

  /// Where blanks end that stand between words, and one sign among them; nil for neither.
  private static func joint(_ text: Span<UInt8>, at start: Int) -> (end: Int, hasSign: Bool)? {
    var end = start
    var hasSign = false
    while end < text.count {
      let (value, length) = UTF8Coding.decode(text, at: end)
      guard let scalar = Unicode.Scalar(value) else { break }
      let isSign = !hasSign && joints.contains(Character(scalar))
      guard isSign || scalar.properties.isWhitespace else { break }
      hasSign = hasSign || isSign
      end += length
    }
    return end > start ? (end, hasSign) : nil
  }

  private static func isOfWord(_ scalar: UInt32) -> Bool {
    guard let properties = Unicode.Scalar(scalar)?.properties else { return false }
    return properties.isAlphabetic || properties.numericType != nil
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
