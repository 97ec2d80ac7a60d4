import Text

/// A text that is looked for in other texts: as it stands there, as a search folds it, as a URL
/// encodes it, and with something else between its words.
struct MentionedText {
  private let lowercased: String
  private let folded: [UInt8]
  /// Whether folding is just lower case, as it is for ASCII.
  private let isPlain: Bool
  /// Folded, where blanks and signs that join words lie between them; none for a single one.
  private let words: [[UInt8]]
  /// Whether nothing but blanks lies between them.
  private let isSpaced: Bool

  init(_ mention: String) {
    // One that is copied from an address means what the address does.
    let text = PercentEncoding.decode(mention)
    lowercased = text.lowercased()
    folded = Analyzer().fold(text)
    isPlain = folded == Array(lowercased.utf8)
    let parts = text.unicodeScalars.split(whereSeparator: Self.joins)
    let words = parts.map { Analyzer().fold(String($0)) }.filter { !$0.isEmpty }
    self.words = words.count > 1 ? words : []
    isSpaced = !text.unicodeScalars.contains { Self.joins($0) && !$0.properties.isWhitespace }
  }

  /// Whether a scalar of a mention lies between words of it; what ASCII has for addresses, numbers
  /// and code is meant as it stands.
  private static func joins(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? scalar.properties.isWhitespace || "-_'`".unicodeScalars.contains(scalar) : !isOfWord(scalar)
  }

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

  /// Whether its words follow each other in a folded text, with what is of no word between them.
  ///
  /// With more than blanks there they stand from the beginning of a word, as in
  /// `jane.roe2@example.com`, and with what joins no names also to the end of one, as a search for
  /// the phrase finds `/jane/roe`.
  private func wordsStand(in text: Span<UInt8>) -> Bool {
    guard let first = words.first else { return false }
    var index = 0
    var isStart = true
    while index < text.count {
      if text[index] == first[0], wordsStand(in: text, at: index, isStart) { return true }
      let (value, length) = UTF8Coding.decode(text, at: index)
      isStart = !Self.goesOn(value)
      index += length
    }
    return false
  }

  private func wordsStand(in text: Span<UInt8>, at start: Int, _ isStart: Bool) -> Bool {
    var index = start
    var link = isSpaced ? Link.blanks : .name
    for (number, word) in words.enumerated() {
      if number > 0 {
        guard let next = Self.link(text, at: &index) else { return false }
        link = max(link, next)
      }
      guard index + word.count <= text.count,
        word.indices.allSatisfy({ text[index + $0] == word[$0] })
      else { return false }
      index += word.count
    }
    if link == .blanks { return true }
    guard isStart else { return false }
    return link == .name || index == text.count
      || !Self.goesOn(UTF8Coding.decode(text, at: index).scalar)
  }

  /// What lies between two words: nothing else, one sign that joins names among it, or any signs.
  private enum Link: Comparable { case blanks, name, signs }

  /// Reads over what is of no word; nil where there is nothing of it.
  private static func link(_ text: Span<UInt8>, at index: inout Int) -> Link? {
    var link: Link?
    while index < text.count {
      let (value, length) = UTF8Coding.decode(text, at: index)
      guard let scalar = Unicode.Scalar(value), !isOfWord(scalar) else { break }
      index += length
      guard !scalar.properties.isWhitespace else {
        link = link ?? .blanks
        continue
      }
      link = (link ?? .blanks) == .blanks && nameSigns.contains(scalar) ? .name : .signs
    }
    return link
  }

  /// What joins words to one name.
  private static let nameSigns = Set("-_'’ʼ‘`‐‑–.,".unicodeScalars)

  /// Whether it is a letter, a digit or a mark on one.
  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
  }

  /// Whether it and a letter next to it are of one word; letters without case may join words.
  private static func goesOn(_ value: UInt32) -> Bool {
    guard let properties = Unicode.Scalar(value)?.properties else { return false }
    return properties.isCased || properties.numericType != nil
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
