/// Groups the tokens of a query into clauses.
struct QueryBuilder {
  private let text: [UInt8]
  private let quotes: [Range<Int>]
  private var result = QueryTokens()
  private var clause: QueryTokens.Clause?
  private var clauseQuote: Int?
  private var clausePosition: UInt32 = 0
  private var clauseEnd = 0
  private var endsInRun = false
  private(set) var termCount = 0

  init(text: [UInt8]) {
    self.text = text
    quotes = Self.quotedRanges(of: text)
  }

  mutating func add(_ token: Token, _ bytes: ArraySlice<UInt8>) {
    if token.space == .part {
      addPart(token, Array(bytes))
      return
    }
    join(token)
    endsInRun = Self.isOfRun(token)
    if token.traits.contains(.dictionary) {
      clause?.words.append(Array(bytes))
      return
    }
    clauseEnd = token.sourceRange.upperBound
    // The last character of a longer run is the second half of the pair before it.
    let isRunEnd = token.traits.contains(.endsRun)
    let isRunStart = token.traits.contains(.startsRun)
    if isRunEnd && !isRunStart { return }
    if clause?.terms.isEmpty ?? true { clausePosition = token.position }
    let term = QueryTokens.Term(
      space: token.space, bytes: Array(bytes), variant: nil,
      position: token.position - clausePosition, isPrefix: isRunEnd, sourceRange: token.sourceRange)
    clause?.terms.append(term)
    termCount += 1
  }

  /// Parts follow their word, which is the last term.
  private mutating func addPart(_ token: Token, _ bytes: [UInt8]) {
    guard let last = clause?.terms.indices.last else { return }
    if token.traits.contains(.variant) {
      clause?.terms[last].variant = bytes
    } else if clause?.kind == .word {
      clause?.parts.append(bytes)
    }
  }

  mutating func finish() -> QueryTokens {
    close()
    if let last = result.clauses.last?.terms.last {
      // As other searches have it, `harb*` says that more follows.
      let rest = text[last.sourceRange.upperBound...]
      result.isOpen = last.space == .word && rest.allSatisfy { $0 == UInt8(ascii: "*") }
    }
    return result
  }

  /// Makes the clause that the token belongs to the current one.
  private mutating func join(_ token: Token) {
    let quote = quotes.firstIndex { $0.contains(token.sourceRange.lowerBound) }
    let isOfRun = Self.isOfRun(token)
    if let current = clause, quote == clauseQuote {
      if quote != nil { return }
      if isOfRun, endsInRun {
        let isSecondOfRun = current.terms.isEmpty && token.space == .gram
        if isSecondOfRun || !token.traits.contains(.startsRun) { return }
      }
      if isJoined(token, after: clauseEnd) {
        clause?.kind = .joined
        clause?.parts = []
        return
      }
    }
    close()
    clauseQuote = quote
    clause = QueryTokens.Clause(
      kind: quote != nil ? .phrase : isOfRun ? .run : .word, terms: [], parts: [], words: [])
  }

  private mutating func close() {
    if let clause, !clause.terms.isEmpty { result.clauses.append(clause) }
    clause = nil
  }

  private static func isOfRun(_ token: Token) -> Bool {
    token.space == .gram || token.traits.contains(.dictionary)
  }

  /// Whether a token belongs to what stands before it: by punctuation, or, where one of them is of
  /// a script without spaces, by nothing at all between them, as in `第2章`.
  private func isJoined(_ token: Token, after end: Int) -> Bool {
    let start = token.sourceRange.lowerBound
    if endsInRun || Self.isOfRun(token) { return start == end }
    return isJoint(end..<start)
  }

  /// Whether two words with this between them are one name: `a.b`, `a_b`, `a::b`, `a's`.
  private func isJoint(_ gap: Range<Int>) -> Bool {
    guard !gap.isEmpty else { return false }
    return text[gap].allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "/"),
        UInt8(ascii: "\\"), UInt8(ascii: "@"), UInt8(ascii: ":"), UInt8(ascii: "'"),
        UInt8(ascii: "+"), UInt8(ascii: "#"), UInt8(ascii: "&"), UInt8(ascii: "~"),
        UInt8(ascii: "%"), UInt8(ascii: "="), UInt8(ascii: "$"), UInt8(ascii: "*"):
        true
      default: gap.count <= 3 && byte >= 0x80 && isApostrophe(gap)
      }
    }
  }

  private func isApostrophe(_ gap: Range<Int>) -> Bool { Array(text[gap]) == [0xE2, 0x80, 0x99] }

  /// What stands between quotation marks; an unclosed one reaches to the end.
  private static func quotedRanges(of text: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var start: Int?
    var index = 0
    while index < text.count {
      let width = quoteByteCount(text, index)
      if width > 0 {
        if let opened = start {
          ranges.append(opened..<index)
          start = nil
        } else {
          start = index + width
        }
      }
      index += max(width, 1)
    }
    if let opened = start { ranges.append(opened..<text.count) }
    return ranges
  }

  /// 1 for `"`, 3 for the typographic double quotes “ ” „ ‟, else 0.
  private static func quoteByteCount(_ text: [UInt8], _ index: Int) -> Int {
    if text[index] == UInt8(ascii: "\"") { return 1 }
    guard text[index] == 0xE2, index + 2 < text.count, text[index + 1] == 0x80 else { return 0 }
    return (0x9C...0x9F).contains(text[index + 2]) ? 3 : 0
  }
}
