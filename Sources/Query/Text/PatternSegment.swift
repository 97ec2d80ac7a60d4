/// The part of a pattern between two stars: folded scalars and single-character wildcards.
struct PatternSegment: Sendable {
  /// Where a match of the segment may lie.
  struct Bounds {
    var startsAtWord: Bool
    var endsAtWord: Bool
    /// The match starts exactly where the search does.
    var startsHere: Bool
    /// The match ends with the text.
    var endsAtEnd: Bool
  }

  /// Stands for `?`; no scalar has this value.
  private static let anyCharacter = UInt32.max

  private let units: [UInt32]
  /// Knuth–Morris–Pratt: how much of the segment still matches after a mismatch.
  ///
  /// Empty when the segment has wildcards, whose length in units varies.
  private let fallbacks: [Int]

  init(_ elements: ArraySlice<TextPattern.Element>, _ folding: Folding) {
    var folder = CharacterFolder()
    var units: [UInt32] = []
    var hasWildcard = false
    for element in elements {
      switch element {
      case .literal(let text):
        for character in text { folder.append(character.unicodeScalars, folding, to: &units) }
      case .anyCharacter:
        units.append(Self.anyCharacter)
        hasWildcard = true
      case .anyRun: break
      }
    }
    self.units = units
    fallbacks = hasWildcard ? [] : Self.fallbacks(units)
  }

  var isEmpty: Bool { units.isEmpty }

  /// The end of the first match from `start` on, nil if there is none.
  func firstMatch(in text: TextUnits, from start: Int, _ bounds: Bounds) -> Int? {
    if bounds.startsHere { return match(in: text, at: start, bounds) }
    guard !fallbacks.isEmpty else {
      for index in start..<max(start, text.count) {
        if let end = match(in: text, at: index, bounds) { return end }
      }
      return nil
    }
    var matched = 0
    for index in start..<text.count {
      let scalar = text.scalar(at: index)
      while matched > 0, units[matched] != scalar { matched = fallbacks[matched - 1] }
      if units[matched] == scalar { matched += 1 }
      guard matched == units.count else { continue }
      let end = index + 1
      if allows(text, end - matched, end, bounds) { return end }
      matched = fallbacks[matched - 1]
    }
    return nil
  }

  private func match(in text: TextUnits, at start: Int, _ bounds: Bounds) -> Int? {
    var position = start
    for (index, unit) in units.enumerated() {
      guard position < text.count else { return nil }
      if unit == Self.anyCharacter {
        guard text.isCharacterStart(position) else { return nil }
        position = text.characterEnd(after: position)
      } else {
        // A literal after a wildcard starts a character, as the wildcard ended one.
        guard text.scalar(at: position) == unit else { return nil }
        position += 1
      }
      if index + 1 < units.count, units[index + 1] == Self.anyCharacter,
        !text.isCharacterStart(position)
      {
        return nil
      }
    }
    return allows(text, start, position, bounds) ? position : nil
  }

  private func allows(_ text: TextUnits, _ start: Int, _ end: Int, _ bounds: Bounds) -> Bool {
    text.isCharacterStart(start) && text.isCharacterStart(end)
      && (!bounds.startsAtWord || text.isWordBoundary(start))
      && (!bounds.endsAtWord || text.isWordBoundary(end))
      && (!bounds.endsAtEnd || end == text.count)
  }

  /// Whether an ASCII segment begins `utf8`, or is all of it when `toEnd`.
  ///
  /// Answers from the bytes alone, without folding the text; nil where only folding can tell.
  func beginsASCII(_ utf8: Span<UInt8>, toEnd: Bool, _ folding: Folding) -> Bool? {
    guard !fallbacks.isEmpty else { return nil }
    for index in units.indices {
      guard index < utf8.count else { return false }
      let byte = utf8[index]
      guard byte < 0x80, units[index] < 0x80 else { return nil }
      guard units[index] == UInt32(folding.ascii(byte)) else { return false }
    }
    guard utf8.count > units.count else { return true }
    let next = utf8[units.count]
    // A mark may follow, or a line feed that belongs to a carriage return.
    guard next < 0x80, next != 0x0A else { return nil }
    return !toEnd
  }

  private static func fallbacks(_ units: [UInt32]) -> [Int] {
    var table = [Int](repeating: 0, count: units.count)
    var length = 0
    for index in units.indices.dropFirst() {
      while length > 0, units[index] != units[length] { length = table[length - 1] }
      if units[index] == units[length] { length += 1 }
      table[index] = length
    }
    return table
  }
}
