extension TokenBuffer {
  /// Takes the run that begins at this byte, which may be ASCII, and returns where it ends.
  mutating func scanUnicode(_ text: Span<UInt8>, from start: Int) -> Int {
    let table = characters ?? CharacterTable()
    characters = table
    let (scalar, byteCount) = UTF8Coding.decode(text, at: start)
    let entry = table.entry(scalar)
    switch entry.characterClass {
    case .letter, .upper, .digit:
      table.run.read(text, from: start, .word, table)
      appendWord(table.run)
    case .unspaced:
      table.run.read(text, from: start, .unspaced, table)
      appendGrams(table.run)
    case .complex:
      table.run.read(text, from: start, .complex, table)
      appendComplex(table.run, table)
    case .emoji:
      appendSymbol(entry.payload, nil, start..<start + byteCount)
      return start + byteCount
    case .flag:
      return scanFlag(text, from: start, entry.payload, table)
    case .separator, .mark, .ignorable:
      return start + byteCount
    }
    return table.run.sourceEnd
  }

  private mutating func appendWord(_ run: CharacterRun) {
    let byteStart = bytes.count
    for scalar in run.scalars { bytes.appendUTF8(scalar) }
    // Letters that fold to nothing leave no word.
    guard bytes.count > byteStart, let first = run.sources.first else { return }
    let word = finishTerm(from: byteStart, .word, source: first..<run.sourceEnd)
    positionCount += 1
    if run.hasVariant { appendVariant(of: word, run) }
    appendParts(of: word, run)
  }

  /// The word as people without these letters on their keyboard type it: Łódź is indexed as łodz
  /// for exact searches and as lodz for the others.
  private mutating func appendVariant(of word: Token, _ run: CharacterRun) {
    let byteStart = bytes.count
    for scalar in run.scalars {
      if let letters = LetterTable.letters(scalar) {
        bytes.append(contentsOf: letters.utf8)
      } else {
        bytes.appendUTF8(scalar)
      }
    }
    finishTerm(
      from: byteStart,
      .part,
      traits: [.startsWord, .variant],
      position: word.position,
      source: word.sourceRange
    )
  }

  private mutating func appendParts(of word: Token, _ run: CharacterRun) {
    var splitter = PartSplitter()
    var start = 0
    for index in run.scalars.indices {
      // Scalars of one character stay together.
      if index > 0, run.sources[index] == run.sources[index - 1] { continue }
      let next = index + 1 < run.kinds.count ? run.kinds[index + 1] : 0
      let afterNext = index + 2 < run.kinds.count ? run.kinds[index + 2] : 0
      if splitter.cuts(before: run.kinds[index], next: next, afterNext: afterNext) {
        appendPart(run, start..<index, position: word.position)
        start = index
      }
    }
    if start > 0 { appendPart(run, start..<run.scalars.count, position: word.position) }
  }

  private mutating func appendPart(_ run: CharacterRun, _ part: Range<Int>, position: UInt32) {
    appendTerm(run, part, .part, .startsWord, position: position)
  }

  /// Appends scalars of a run as one term.
  private mutating func appendTerm(
    _ run: CharacterRun,
    _ range: Range<Int>,
    _ space: TermSpace,
    _ traits: Token.Traits,
    position: UInt32
  ) {
    let byteStart = bytes.count
    for index in range { bytes.appendUTF8(run.scalars[index]) }
    finishTerm(
      from: byteStart,
      space,
      traits: traits,
      position: position,
      source: run.sources[range.lowerBound]..<run.sourceEnd(of: range.upperBound - 1)
    )
  }

  /// Pairs of neighbours, then the last character alone: the position of a term is the one of its
  /// first character, so that no phrase reaches from one run into the next.
  private mutating func appendGrams(_ run: CharacterRun) {
    for index in run.scalars.indices {
      appendGram(run, index, index == 0 ? .startsWord : [])
    }
    positionCount &+= UInt32(truncatingIfNeeded: run.scalars.count)
  }

  private mutating func appendGram(_ run: CharacterRun, _ index: Int, _ traits: Token.Traits) {
    var traits = traits
    if index == 0 { traits.insert(.startsRun) }
    if index == run.scalars.count - 1 { traits.insert(.endsRun) }
    appendTerm(
      run,
      index..<min(index + 2, run.scalars.count),
      .gram,
      traits,
      position: positionCount &+ UInt32(truncatingIfNeeded: index)
    )
  }

  /// Dictionary words, each followed by the pairs that begin in it.
  private mutating func appendComplex(_ run: CharacterRun, _ table: CharacterTable) {
    table.words.words(of: run.scalars, into: &table.wordStarts)
    var word = 0
    for index in run.scalars.indices {
      guard word < table.wordStarts.count, table.wordStarts[word] == index else {
        appendGram(run, index, [])
        continue
      }
      word += 1
      let end = word < table.wordStarts.count ? table.wordStarts[word] : run.scalars.count
      appendTerm(
        run,
        index..<end,
        .word,
        index == 0 ? [.startsWord, .dictionary, .startsRun] : [.startsWord, .dictionary],
        position: positionCount &+ UInt32(truncatingIfNeeded: index)
      )
      appendGram(run, index, .startsWord)
    }
    positionCount &+= UInt32(truncatingIfNeeded: run.scalars.count)
  }

  /// Two regional indicators are one flag; a lone one is nothing.
  private mutating func scanFlag(
    _ text: Span<UInt8>,
    from start: Int,
    _ first: UInt32,
    _ table: CharacterTable
  ) -> Int {
    let second = start + 4
    guard second < text.count else { return text.count }
    let (scalar, byteCount) = UTF8Coding.decode(text, at: second)
    guard table.entry(scalar).characterClass == .flag else { return second }
    appendSymbol(first, scalar, start..<second + byteCount)
    return second + byteCount
  }

  /// An emoji is a word without a position of its own: phrases read across it.
  private mutating func appendSymbol(_ first: UInt32, _ second: UInt32?, _ source: Range<Int>) {
    let byteStart = bytes.count
    bytes.appendUTF8(first)
    if let second { bytes.appendUTF8(second) }
    finishTerm(from: byteStart, .word, source: source)
  }
}
