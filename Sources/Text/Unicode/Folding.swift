extension Analyzer {
  /// Folds case, width and diacritics the way the analyzer folds words, and keeps everything else:
  /// for suggestions, comparison with typing errors in mind, and the dictionary's keys.
  ///
  /// Idempotent. Bytes that are no UTF-8 become U+FFFD.
  /// - Complexity: O(n) bytes; ASCII does not reach ICU.
  package func fold(_ text: String) -> [UInt8] {
    var buffer = TokenBuffer()
    return fold(Array(text.utf8), using: &buffer)
  }

  /// The same with the storage of a buffer, whose tokens stay as they are.
  package func fold(_ text: [UInt8], using buffer: inout TokenBuffer) -> [UInt8] {
    var folded: [UInt8] = []
    folded.reserveCapacity(text.count)
    for byte in text {
      if byte >= 0x80 { return buffer.foldUnicode(text.span) }
      folded.append(ByteKind.of(byte) == ByteKind.upper ? byte | 0x20 : byte)
    }
    return folded
  }
}

extension TokenBuffer {
  mutating func foldUnicode(_ text: Span<UInt8>) -> [UInt8] {
    var folded: [UInt8] = []
    var isStable = foldRuns(text, into: &folded)
    // What composes across runs (a half-width voicing mark after a digit) settles at once; the
    // count only keeps a surprise of a future Unicode from looping.
    for _ in 0..<4 where !isStable {
      let before = folded
      folded.removeAll(keepingCapacity: true)
      isStable = foldRuns(before.span, into: &folded) || folded == before
    }
    return folded
  }

  /// Folds run by run; false when some run attaches to the one before it.
  private mutating func foldRuns(_ text: Span<UInt8>, into folded: inout [UInt8]) -> Bool {
    var isStable = true
    var index = 0
    while index < text.count {
      let (scalar, _) = UTF8Coding.decode(text, at: index)
      let family = CharacterRun.Family(characters.entry(scalar).characterClass) ?? .symbol
      run.read(text, from: index, family, &characters)
      for character in run.scalars {
        if let scalar = Unicode.Scalar(character.scalar) { folded += scalar.utf8 }
      }
      if run.isAttached { isStable = false }
      index = run.end
    }
    return isStable
  }
}
