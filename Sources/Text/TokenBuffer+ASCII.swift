/// What a byte is to the scanner.
enum ByteKind {
  static let separator: UInt8 = 0
  static let lower: UInt8 = 1
  static let upper: UInt8 = 2
  static let digit: UInt8 = 3
  static let nonASCII: UInt8 = 4

  static let table: InlineArray<256, UInt8> = InlineArray { index in
    switch index {
    case 0x30...0x39: digit
    case 0x41...0x5A: upper
    case 0x61...0x7A: lower
    case 0x80...: nonASCII
    default: separator
    }
  }
}

extension TokenBuffer {
  /// Appends the terms of the text.
  mutating func scan(_ text: Span<UInt8>) {
    let kinds = ByteKind.table
    var index = 0
    while index < text.count {
      let kind = kinds[Int(text[index])]
      if kind == ByteKind.separator {
        index += 1
      } else if kind == ByteKind.nonASCII {
        index = scanUnicode(text, from: index)
      } else {
        index = scanASCIIWord(text, from: index, kinds)
      }
    }
  }

  /// Takes the word that begins with this ASCII letter or digit and returns where it ends.
  private mutating func scanASCIIWord(
    _ text: Span<UInt8>,
    from start: Int,
    _ kinds: InlineArray<256, UInt8>
  ) -> Int {
    let byteStart = bytes.count
    var index = start
    var last: UInt8 = 0
    var changes = false
    while index < text.count {
      let byte = text[index]
      let kind = kinds[Int(byte)]
      if kind == ByteKind.separator { break }
      if kind == ByteKind.nonASCII {
        // The word may go on: é, or a mark on the last letter.
        bytes.removeLast(bytes.count - byteStart)
        return scanUnicode(text, from: start)
      }
      bytes.append(kind == ByteKind.upper ? byte | 0x20 : byte)
      let capitalised = index == start + 1 && last == ByteKind.upper && kind == ByteKind.lower
      if kind != last && index > start && !capitalised { changes = true }
      last = kind
      index += 1
    }
    let token = finishTerm(from: byteStart, .word, source: start..<index)
    positionCount += 1
    if changes { appendASCIIParts(of: token, text) }
    return index
  }

  /// Appends the pieces of a word whose bytes are the source's, lower-cased.
  private mutating func appendASCIIParts(of word: Token, _ text: Span<UInt8>) {
    let source = word.sourceRange
    var splitter = PartSplitter()
    var start = source.lowerBound
    for index in source {
      let kind = ByteKind.table[Int(text[index])]
      let next = index + 1 < source.upperBound ? ByteKind.table[Int(text[index + 1])] : 0
      let afterNext = index + 2 < source.upperBound ? ByteKind.table[Int(text[index + 2])] : 0
      if splitter.cuts(before: kind, next: next, afterNext: afterNext) {
        appendASCIIPart(text, start..<index, position: word.position)
        start = index
      }
    }
    if start > source.lowerBound {
      appendASCIIPart(text, start..<source.upperBound, position: word.position)
    }
  }

  private mutating func appendASCIIPart(
    _ text: Span<UInt8>,
    _ source: Range<Int>,
    position: UInt32
  ) {
    let byteStart = bytes.count
    for index in source {
      let byte = text[index]
      bytes.append(ByteKind.table[Int(byte)] == ByteKind.upper ? byte | 0x20 : byte)
    }
    finishTerm(from: byteStart, .part, position: position, source: source)
  }
}
