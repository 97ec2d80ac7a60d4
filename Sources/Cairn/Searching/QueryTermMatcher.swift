import Text

/// Which words of a text a query is about, each by its place in the query.
struct QueryTermMatcher {
  /// Where a text has how much of what is wanted.
  struct Place {
    /// First byte of the text that counts.
    var start: Int
    /// Different words of the query near it, and those of a phrase that begins there once more.
    var worth: Int
  }

  private typealias Word = (space: TermSpace, bytes: [UInt8], place: Int)

  private var whole: [Word] = []
  /// Characters of unspaced scripts, and the last word while it is being typed.
  private var beginnings: [Word] = []
  /// Whether a word begins with a byte: most tokens of a text are told by that.
  private var isFirst = [Bool](repeating: false, count: 256)
  private let stemmers: [Stemmer]
  /// Of each stemmer, the words by their stems.
  private var stems: [[[UInt8]: Int]]
  private var count = 0
  /// What no place of any text is worth more than.
  private(set) var greatestWorth = 0
  /// Words that stand side by side where they match, with their distances from the first.
  private var phrases: [[(word: Int, distance: UInt32)]] = []

  /// The words of a query; texts in the language of a stemmer match by their stems.
  init(_ query: QueryTokens, _ stemmer: Stemmer?) {
    stemmers = stemmer?.all ?? []
    stems = Array(repeating: [:], count: stemmers.count)
    let last = query.isOpen ? query.clauses.last?.terms.last : nil
    for clause in query.clauses {
      var phrase: [(word: Int, distance: UInt32)] = []
      for term in clause.terms {
        let place = add(term.space, term.bytes)
        phrase.append((place, term.position))
        let isBeginning = term.isPrefix || term == last
        if isBeginning { beginnings.append((term.space, term.bytes, place)) }
        guard term.space == .word else { continue }
        if let variant = term.variant, !clause.isPhrase { alias(variant, place, isBeginning) }
        for (index, stemmer) in stemmers.enumerated() {
          let stem = stemmer.stem(term.bytes)
          if stems[index][stem] == nil { stems[index][stem] = place }
        }
      }
      if clause.isPhrase { phrases.append(phrase) }
      for part in clause.parts { _ = add(.word, part) }
    }
    greatestWorth = count + (phrases.map(\.count).max() ?? 0)
  }

  private mutating func add(_ space: TermSpace, _ bytes: [UInt8]) -> Int {
    if let known = whole.first(where: { $0.space == space && $0.bytes == bytes }) {
      return known.place
    }
    if let first = bytes.first { isFirst[Int(first)] = true }
    whole.append((space, bytes, count))
    count += 1
    return count - 1
  }

  /// Lets a word stand for one of the query.
  private mutating func alias(_ bytes: [UInt8], _ place: Int, _ isBeginning: Bool) {
    if let first = bytes.first { isFirst[Int(first)] = true }
    whole.append((.word, bytes, place))
    if isBeginning { beginnings.append((.word, bytes, place)) }
  }

  /// The place in the query of the word that a token of a text is, or nil.
  func place(of token: Token, in buffer: borrowing TokenBuffer) -> Int? {
    let isLikely = token.byteCount > 0 && isFirst[Int(buffer.bytes[Int(token.byteStart)])]
    guard isLikely || !stemmers.isEmpty else { return nil }
    let bytes = buffer.bytes[token.byteRange]
    // A part of a camel-case word is a word of the query in its own right.
    let space = token.space == .part ? TermSpace.word : token.space
    if isLikely {
      for word in whole where word.space == space && bytes.elementsEqual(word.bytes) {
        return word.place
      }
      for word in beginnings where word.space == space && bytes.starts(with: word.bytes) {
        return word.place
      }
    }
    guard space == .word else { return nil }
    for (index, stemmer) in stemmers.enumerated() {
      if let place = stems[index][stemmer.stem(Array(bytes))] { return place }
    }
    return nil
  }

  /// The first place of a text with the most of what is wanted within a span of bytes.
  /// - Complexity: O(tokens · words).
  func bestPlace(in buffer: borrowing TokenBuffer, span: Int) -> Place? {
    var found: [(token: Token, word: Int)] = []
    for token in buffer.tokens {
      guard let word = place(of: token, in: buffer) else { continue }
      // One word is wanted: nothing that follows is worth more.
      if greatestWorth == 1 { return Place(start: Int(token.sourceStart), worth: 1) }
      found.append((token, word))
    }
    found.sort { $0.token.sourceStart < $1.token.sourceStart }
    let known = Set(found.map { Self.key($0.token.position, $0.word) })
    var counts = [Int](repeating: 0, count: count)
    var different = 0
    var end = 0
    var best: Place?
    for (token, word) in found {
      while end < found.count, found[end].token.sourceEnd <= token.sourceStart + UInt32(span) {
        counts[found[end].word] += 1
        if counts[found[end].word] == 1 { different += 1 }
        end += 1
      }
      let worth = max(1, different) + phraseCount(from: token, word, known)
      if worth > best?.worth ?? 0 { best = Place(start: Int(token.sourceStart), worth: worth) }
      if counts[word] > 0 {
        counts[word] -= 1
        if counts[word] == 0 { different -= 1 }
      } else {
        // A single word longer than the span.
        end += 1
      }
    }
    return best
  }

  /// How many words the longest phrase has that begins at a token.
  private func phraseCount(from token: Token, _ word: Int, _ known: Set<UInt64>) -> Int {
    var longest = 0
    for phrase in phrases where phrase.first?.word == word && phrase.count > longest {
      let isThere = phrase.allSatisfy {
        known.contains(Self.key(token.position &+ $0.distance, $0.word))
      }
      if isThere { longest = phrase.count }
    }
    return longest
  }

  private static func key(_ position: UInt32, _ word: Int) -> UInt64 {
    UInt64(position) << 32 | UInt64(UInt32(truncatingIfNeeded: word))
  }
}
