extension TokenBuffer {
  mutating func scan(_ text: Span<UInt8>) {
    // Every word once, and once more in parts.
    reserve(text.count * 2)
    var index = 0
    while index < text.count {
      index = scanASCII(text, from: index)
      if index < text.count { index = scanUnicode(text, from: index) }
    }
  }

  /// Takes words up to one that is not all ASCII, and returns where that one begins.
  private mutating func scanASCII(_ text: Span<UInt8>, from start: Int) -> Int {
    // Callers reserve for the text as a whole, but other scripts may have used some of it.
    reserve((text.count - start) * 2)
    let kinds = ByteKind.table
    let table = kinds.span
    let count = text.count
    var index = start
    while index < count {
      let first = text[index]
      let entry = table[Int(first)]
      if entry == 0 {
        if first >= 0x80 { return index }
        index += 1
        continue
      }
      let wordStart = index
      let byteStart = byteCount
      var rest: UInt16 = 0
      var out = bytes.mutableSpan
      out[byteStart] = UInt8(truncatingIfNeeded: entry)
      index += 1
      while index < count {
        let next = table[Int(text[index])]
        if next == 0 { break }
        out[byteStart + index - wordStart] = UInt8(truncatingIfNeeded: next)
        rest |= next
        index += 1
      }
      // The word may go on: é, or a mark on the last letter.
      if index < count, text[index] >= 0x80 { return wordStart }
      byteCount = byteStart + index - wordStart
      let word = finishTerm(from: byteStart, .word, source: wordStart..<index)
      positionCount &+= 1
      if Self.mayHaveParts(first: UInt8(entry >> 8), rest: UInt8(rest >> 8)) {
        appendASCIIParts(of: word, text)
      }
    }
    return index
  }

  /// Whether letters and digits meet, or capitals and small letters other than in `Word`.
  private static func mayHaveParts(first: UInt8, rest: UInt8) -> Bool {
    let all = first | rest
    if all & ByteKind.digit != 0 { return all != ByteKind.digit }
    return rest & ByteKind.upper != 0 && all & ByteKind.lower != 0
  }

  /// Appends the pieces of a word whose bytes are the source's, lower-cased.
  private mutating func appendASCIIParts(of word: Token, _ text: Span<UInt8>) {
    let source = word.sourceRange
    var splitter = PartSplitter()
    var start = source.lowerBound
    for index in source {
      let kind = ByteKind.of(text[index])
      let next = index + 1 < source.upperBound ? ByteKind.of(text[index + 1]) : 0
      let afterNext = index + 2 < source.upperBound ? ByteKind.of(text[index + 2]) : 0
      if splitter.cuts(before: kind, next: next, afterNext: afterNext) {
        appendASCIIPart(text, start..<index, position: word.position)
        start = index
      }
    }
    if start > source.lowerBound {
      appendASCIIPart(text, start..<source.upperBound, position: word.position)
    }
  }

  private mutating func appendASCIIPart(_ text: Span<UInt8>, _ source: Range<Int>, position: UInt32)
  {
    let byteStart = byteCount
    for index in source {
      bytes[byteCount] = UInt8(truncatingIfNeeded: ByteKind.table[Int(text[index])])
      byteCount += 1
    }
    finishTerm(from: byteStart, .part, position: position, source: source)
  }
}
