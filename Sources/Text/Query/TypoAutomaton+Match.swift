extension TypoAutomaton {
  /// Tries a word of the dictionary, reusing the rows of what it shares with the one before.
  ///
  /// Calls of `match` and of `step` must not be mixed without `rewind(to: 0)` between them.
  /// - Complexity: O(pattern) per byte not shared with the word before.
  package mutating func match(_ word: [UInt8]) -> Match { match(word.span) }

  /// The same for borrowed bytes.
  package mutating func match(_ word: Span<UInt8>) -> Match {
    rewind(to: sharedDepth(word))
    var index = rows[depth].end
    if depth > 0, !isAlive { return .dead(byteCount: index) }
    while index < word.count {
      if isPrefix, let edits, edits == 0 { return .within(edits: 0) }
      let (scalar, byteCount) = UTF8Coding.decode(word, at: index)
      step(scalar)
      let end = index + byteCount
      while candidate.count < end { candidate.append(0) }
      while index < end {
        candidate[index] = word[index]
        index += 1
      }
      rows[depth].end = end
      if !isAlive { return .dead(byteCount: end) }
    }
    return edits.map { .within(edits: $0) } ?? .outside
  }

  /// How many code points the word shares with what was read.
  private func sharedDepth(_ word: Span<UInt8>) -> Int {
    let known = candidate.span
    let limit = min(word.count, rows[depth].end)
    var shared = 0
    while shared < limit, word[shared] == known[shared] { shared += 1 }
    var depth = depth
    while rows[depth].end > shared { depth -= 1 }
    return depth
  }
}
