/// A run of one kind of characters after folding, each with the place it came from.
struct CharacterRun {
  /// One scalar of the folded run.
  struct Character {
    var scalar: UInt32
    /// First source byte of its segment; the scalars of one segment share it.
    var source: UInt32
    /// First source byte after its segment.
    var end: UInt32
    /// Kind of the source character, as in `ByteKind`.
    var kind: UInt8
  }

  enum Family {
    case word
    case unspaced
    case complex
    /// What is no word, for folding only.
    case symbol

    /// The family of the run that such a character begins, if it begins one.
    init?(_ characterClass: CharacterClass) {
      switch characterClass {
      case .letter, .upper, .digit: self = .word
      case .unspaced: self = .unspaced
      case .complex, .complexMark: self = .complex
      case .separator, .mark, .emoji, .flag, .ignorable: return nil
      }
    }

    func holds(_ characterClass: CharacterClass) -> Bool {
      switch characterClass {
      case .mark, .complexMark, .ignorable: true
      case .letter, .upper, .digit: self == .word
      case .unspaced: self == .unspaced
      case .complex: self == .complex
      case .separator, .emoji, .flag: self == .symbol
      }
    }
  }

  private(set) var scalars: [Character] = []
  /// First source byte after the run.
  private(set) var sourceEnd = 0
  /// Where the next run begins: after the ignorable characters that follow.
  private(set) var end = 0
  /// Whether the run begins with something that composes with what precedes the run.
  private(set) var isAttached = false
  /// Whether some letter of the run is in `LetterTable`.
  private(set) var hasVariant = false
  private var segment: [UInt32] = []

  /// Reads the run that begins at `start`; its first character must belong to the family.
  mutating func read(
    _ text: Span<UInt8>, from start: Int, _ family: Family, _ table: inout CharacterTable
  ) {
    scalars.removeAll(keepingCapacity: true)
    hasVariant = false
    isAttached = false
    sourceEnd = start
    var state = Segment(source: start, scalarStart: 0)
    var index = start
    while index < text.count {
      let (scalar, byteCount) = UTF8Coding.decode(text, at: index)
      let entry = table.entry(scalar)
      let characterClass = entry.characterClass
      guard family.holds(characterClass) else { break }
      let source = index
      index += byteCount
      if characterClass == .ignorable { continue }
      sourceEnd = index
      if entry.isDroppable && state.dropsMarks { continue }
      if entry.hasBoundaryBefore || state.count == 0 {
        if state.isOpen { finish(&state, text, &table, end: source) }
        state = Segment(source: source, scalarStart: scalars.count)
        state.dropsMarks = entry.dropsMarks
        state.isStable = entry.isStable && entry.hasBoundaryBefore
        state.count = 1
        if !entry.hasBoundaryBefore { isAttached = true }
        append(entry, characterClass.byteKind, source: source, table)
      } else if state.count == 1, state.isStable, entry.isStable {
        append(entry, characterClass.byteKind, source: source, table)
        state.count = 2
      } else {
        state.count += 1
        state.isOpen = true
      }
    }
    end = index
    if state.isOpen { finish(&state, text, &table, end: sourceEnd) }
    markEnds()
  }

  /// A segment ends where the next one begins.
  private mutating func markEnds() {
    var end = UInt32(truncatingIfNeeded: sourceEnd)
    var index = scalars.count
    while index > 0 {
      index -= 1
      scalars[index].end = end
      if index > 0, scalars[index - 1].source != scalars[index].source {
        end = scalars[index].source
      }
    }
  }

  /// A character and what may compose with it.
  private struct Segment {
    var source: Int
    var scalarStart: Int
    var count = 0
    var isStable = false
    var dropsMarks = false
    /// Something was left out that must be folded together with the rest.
    var isOpen = false
  }

  private mutating func append(
    _ entry: CharacterEntry, _ kind: UInt8, source: Int, _ table: borrowing CharacterTable
  ) {
    if entry.hasVariant { hasVariant = true }
    guard entry.isExpanded else {
      append(entry.payload, kind, source: source)
      return
    }
    for scalar in table.expansion(entry) { append(scalar, kind, source: source) }
  }

  private mutating func append(_ scalar: UInt32, _ kind: UInt8, source: Int) {
    scalars.append(
      Character(scalar: scalar, source: UInt32(truncatingIfNeeded: source), end: 0, kind: kind))
  }

  /// Replaces an open segment by its characters in order and composed.
  private mutating func finish(
    _ state: inout Segment, _ text: Span<UInt8>, _ table: inout CharacterTable, end: Int
  ) {
    segment.removeAll(keepingCapacity: true)
    var index = state.source
    while index < end {
      let (scalar, byteCount) = UTF8Coding.decode(text, at: index)
      let entry = table.entry(scalar)
      let isDropped = entry.isDroppable && state.dropsMarks
      if !isDropped && entry.characterClass != .ignorable {
        if entry.isExpanded {
          segment.append(contentsOf: table.expansion(entry))
        } else {
          segment.append(entry.payload)
        }
      }
      index += byteCount
    }
    table.compose(&segment)
    let hasFirst = state.scalarStart < scalars.count
    let kind = hasFirst ? scalars[state.scalarStart].kind : ByteKind.lower
    scalars.removeLast(scalars.count - state.scalarStart)
    for scalar in segment { append(scalar, kind, source: state.source) }
    state.isOpen = false
  }
}
