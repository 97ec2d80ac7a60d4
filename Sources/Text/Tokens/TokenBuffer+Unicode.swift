extension TokenBuffer {
  /// Takes the run that begins at this byte, which may be ASCII, and returns where it ends.
  mutating func scanUnicode(_ text: Span<UInt8>, from start: Int) -> Int {
    let (scalar, byteCount) = UTF8Coding.decode(text, at: start)
    let entry = characters.entry(scalar)
    let characterClass = entry.characterClass
    if let family = CharacterRun.Family(characterClass) {
      run.read(text, from: start, family, &characters)
      // A word, its variant of two letters each and its parts; or a dictionary word and pairs.
      reserve(run.scalars.count * 16 + TextLimits.termByteCount)
      switch family {
      case .word: appendWord()
      case .unspaced: appendGrams()
      case .complex: appendComplex()
      case .symbol: break
      }
      return run.sourceEnd
    }
    if characterClass == .emoji {
      appendSymbol(entry.payload, nil, start..<start + byteCount)
    } else if characterClass == .flag {
      return scanFlag(text, from: start, entry.payload)
    }
    return start + byteCount
  }

  private mutating func appendWord() {
    let byteStart = byteCount
    for character in run.scalars { put(character.scalar) }
    // Letters that fold to nothing leave no word.
    guard byteCount > byteStart, let first = run.scalars.first else { return }
    let word = finishTerm(from: byteStart, .word, source: Int(first.source)..<run.sourceEnd)
    positionCount &+= 1
    if run.hasVariant { appendVariant(of: word) }
    appendParts(of: word)
  }

  /// The word as people without these letters on their keyboard type it: Łódź is indexed as łodz
  /// for exact searches and as lodz for the others.
  private mutating func appendVariant(of word: Token) {
    let byteStart = byteCount
    for character in run.scalars {
      if let letters = LetterTable.letters(character.scalar) {
        for letter in letters.unicodeScalars { put(letter.value) }
      } else {
        put(character.scalar)
      }
    }
    finishTerm(
      from: byteStart, .part, traits: [.startsWord, .variant], position: word.position,
      source: word.sourceRange)
  }

  private mutating func appendParts(of word: Token) {
    var splitter = PartSplitter()
    var start = 0
    let count = run.scalars.count
    for index in 0..<count {
      // Scalars of one character stay together.
      if index > 0, run.scalars[index].source == run.scalars[index - 1].source { continue }
      let next = index + 1 < count ? run.scalars[index + 1].kind : 0
      let afterNext = index + 2 < count ? run.scalars[index + 2].kind : 0
      if splitter.cuts(before: run.scalars[index].kind, next: next, afterNext: afterNext) {
        appendTerm(start..<index, .part, .startsWord, position: word.position)
        start = index
      }
    }
    if start > 0 { appendTerm(start..<count, .part, .startsWord, position: word.position) }
  }

  private mutating func appendTerm(
    _ range: Range<Int>, _ space: TermSpace, _ traits: Token.Traits, position: UInt32
  ) {
    let byteStart = byteCount
    for index in range { put(run.scalars[index].scalar) }
    let start = Int(run.scalars[range.lowerBound].source)
    finishTerm(
      from: byteStart, space, traits: traits, position: position,
      source: start..<Int(run.scalars[range.upperBound - 1].end))
  }

  /// Pairs of neighbours, then the last character alone: the position of a term is the one of its
  /// first character, so that no phrase reaches from one run into the next.
  private mutating func appendGrams() {
    for index in run.scalars.indices { appendGram(index, index == 0 ? .startsWord : []) }
    positionCount &+= UInt32(truncatingIfNeeded: run.scalars.count)
  }

  private mutating func appendGram(_ index: Int, _ traits: Token.Traits) {
    var traits = traits
    if index == 0 { traits.insert(.startsRun) }
    if index == run.scalars.count - 1 { traits.insert(.endsRun) }
    appendTerm(
      index..<min(index + 2, run.scalars.count), .gram, traits,
      position: positionCount &+ UInt32(truncatingIfNeeded: index))
  }

  /// Dictionary words, each followed by the pairs that begin in it.
  private mutating func appendComplex() {
    let breaker = words ?? WordBreaker()
    words = breaker
    breaker.words(of: run.scalars, into: &wordStarts)
    var word = 0
    for index in run.scalars.indices {
      guard word < wordStarts.count, wordStarts[word] == index else {
        appendGram(index, [])
        continue
      }
      word += 1
      let end = word < wordStarts.count ? wordStarts[word] : run.scalars.count
      appendTerm(
        index..<end, .word,
        index == 0 ? [.startsWord, .dictionary, .startsRun] : [.startsWord, .dictionary],
        position: positionCount &+ UInt32(truncatingIfNeeded: index))
      appendGram(index, .startsWord)
    }
    positionCount &+= UInt32(truncatingIfNeeded: run.scalars.count)
  }

  /// Two regional indicators are one flag; a lone one is nothing.
  private mutating func scanFlag(_ text: Span<UInt8>, from start: Int, _ first: UInt32) -> Int {
    var index = start + 4
    while index < text.count {
      let (scalar, byteCount) = UTF8Coding.decode(text, at: index)
      let characterClass = characters.entry(scalar).characterClass
      if characterClass == .flag {
        appendSymbol(first, scalar, start..<index + byteCount)
        return index + byteCount
      }
      if characterClass != .ignorable { break }
      index += byteCount
    }
    return index
  }

  /// An emoji is a word without a position of its own: phrases read across it.
  private mutating func appendSymbol(_ first: UInt32, _ second: UInt32?, _ source: Range<Int>) {
    reserve(8)
    let byteStart = byteCount
    put(first)
    if let second { put(second) }
    finishTerm(from: byteStart, .word, source: source)
  }
}
