extension TextPattern {
  /// The patterns that all have to match: with `t`, one for each run of letters and digits with the
  /// wildcards that touch it; otherwise the pattern itself.
  ///
  /// A pattern without a letter or digit stays whole.
  var tokenized: [TextPattern] {
    guard options.contains(.tokens) else { return [self] }
    var whole = self
    whole.options.remove(.tokens)
    var tokens: [TextPattern] = []
    var current: [Element] = []
    func flush() {
      if current.contains(where: \.isLiteral) { tokens.append(TextPattern(current, whole.options)) }
      current.removeAll()
    }
    for element in elements {
      guard case .literal(let text) = element else {
        current.append(element)
        continue
      }
      for character in text {
        if character.isAlphanumeric { current.append(.literal(String(character))) } else { flush() }
      }
    }
    flush()
    return tokens.isEmpty ? [whole] : tokens
  }
}

extension Character {
  /// Whether it is part of a word.
  var isAlphanumeric: Bool {
    unicodeScalars.first.map { BoundaryClass($0).isAlphanumeric } ?? false
  }
}

extension TextPattern.Element {
  fileprivate var isLiteral: Bool { if case .literal = self { true } else { false } }
}
