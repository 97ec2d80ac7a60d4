extension Analyzer {
  /// Folds case, width and diacritics the way the analyzer folds words, and keeps everything else:
  /// for suggestions, comparison with typing errors in mind, and the dictionary's keys.
  ///
  /// Idempotent. Bytes that are no UTF-8 become U+FFFD.
  ///
  /// - Complexity: O(n) bytes; ASCII does not reach ICU.
  package func fold(_ text: String) -> [UInt8] {
    var buffer = TokenBuffer()
    return fold(Array(text.utf8), using: &buffer)
  }

  /// The same with the storage of a buffer, whose tokens stay as they are.
  package func fold(_ text: [UInt8], using buffer: inout TokenBuffer) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    let kinds = ByteKind.table
    for byte in text {
      let kind = kinds[Int(byte)]
      if kind == ByteKind.nonASCII { return buffer.foldUnicode(text.span) }
      folded.append(kind == ByteKind.upper ? byte | 0x20 : byte)
    }
    return folded
  }
}

extension TokenBuffer {
  mutating func foldUnicode(_ text: Span<UInt8>) -> [UInt8] {
    let table = characters ?? CharacterTable()
    characters = table
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      let (scalar, byteCount) = UTF8Coding.decode(text, at: index)
      let entry = table.entry(scalar)
      if let family = CharacterRun.Family(entry.characterClass) {
        table.run.read(text, from: index, family, table)
        for scalar in table.run.scalars { folded.appendUTF8(scalar) }
        index = table.run.sourceEnd
      } else {
        if entry.isExpanded {
          for scalar in table.expansion(entry) { folded.appendUTF8(scalar) }
        } else {
          folded.appendUTF8(entry.payload)
        }
        index += byteCount
      }
    }
    return folded
  }
}

extension CharacterRun.Family {
  /// The family of the run that such a character begins, if it begins one.
  init?(_ characterClass: CharacterClass) {
    switch characterClass {
    case .letter, .upper, .digit: self = .word
    case .unspaced: self = .unspaced
    case .complex: self = .complex
    case .separator, .mark, .emoji, .flag, .ignorable: return nil
    }
  }
}
