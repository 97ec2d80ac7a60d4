/// A run of one kind of characters after folding, each with the place it came from.
struct CharacterRun {
  var scalars: [UInt32] = []
  /// First source byte of each scalar; scalars of one segment share it.
  var sources: [Int] = []
  /// Kind of the source character, as in `ByteKind`.
  var kinds: [UInt8] = []
  /// First source byte after the run.
  var sourceEnd = 0
  /// Whether some letter of the run is in `LetterTable`.
  var hasVariant = false
  private var segment: [UInt32] = []

  /// The first source byte after the character that this scalar comes from.
  func sourceEnd(of index: Int) -> Int {
    var next = index + 1
    while next < sources.count, sources[next] == sources[index] { next += 1 }
    return next < sources.count ? sources[next] : sourceEnd
  }

  /// Which characters a run is made of.
  enum Family {
    case word
    case unspaced
    case complex

    func holds(_ characterClass: CharacterClass) -> Bool {
      switch characterClass {
      case .mark, .ignorable: true
      case .letter, .upper, .digit: self == .word
      case .unspaced: self == .unspaced
      case .complex: self == .complex
      case .separator, .emoji, .flag: false
      }
    }
  }

  /// Reads the run that begins at `start`; its first character must belong to the family.
  mutating func read(
    _ text: Span<UInt8>,
    from start: Int,
    _ family: Family,
    _ table: CharacterTable
  ) {
    removeAll()
    sourceEnd = start
    var state = Segment(source: start, scalarStart: 0)
    var index = start
    while index < text.count {
      let (scalar, byteCount) = UTF8Coding.decode(text, at: index)
      let entry = table.entry(scalar)
      let characterClass = entry.characterClass
      guard family.holds(characterClass) else { break }
      if characterClass == .ignorable {
        index += byteCount
        continue
      }
      if !(entry.isDroppable && state.dropsMarks) {
        if entry.hasBoundaryBefore || state.count == 0 {
          finish(&state, text, table)
          state = Segment(source: index, scalarStart: scalars.count)
          state.dropsMarks = entry.dropsMarks
          state.isStable = entry.isStable && entry.hasBoundaryBefore
          state.count = 1
          append(entry, characterClass.byteKind, source: index, table)
          if entry.hasVariant { hasVariant = true }
        } else if state.count == 1, state.isStable, entry.isStable {
          append(entry, characterClass.byteKind, source: index, table)
          state.count = 2
        } else {
          state.count += 1
          state.isOpen = true
        }
      }
      index += byteCount
      sourceEnd = index
    }
    finish(&state, text, table)
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
    _ entry: CharacterEntry,
    _ kind: UInt8,
    source: Int,
    _ table: CharacterTable
  ) {
    guard entry.isExpanded else {
      append(entry.payload, kind, source: source)
      return
    }
    for scalar in table.expansion(entry) { append(scalar, kind, source: source) }
  }

  private mutating func append(_ scalar: UInt32, _ kind: UInt8, source: Int) {
    scalars.append(scalar)
    kinds.append(kind)
    sources.append(source)
  }

  /// Folds an open segment again, as a whole.
  private mutating func finish(
    _ state: inout Segment,
    _ text: Span<UInt8>,
    _ table: CharacterTable
  ) {
    guard state.isOpen else { return }
    segment.removeAll(keepingCapacity: true)
    var index = state.source
    while index < sourceEnd {
      let (scalar, byteCount) = UTF8Coding.decode(text, at: index)
      if table.entry(scalar).characterClass != .ignorable { segment.append(scalar) }
      index += byteCount
    }
    table.foldSegment(&segment)
    let kind = state.scalarStart < kinds.count ? kinds[state.scalarStart] : ByteKind.lower
    scalars.removeLast(scalars.count - state.scalarStart)
    kinds.removeLast(kinds.count - state.scalarStart)
    sources.removeLast(sources.count - state.scalarStart)
    for scalar in segment { append(scalar, kind, source: state.source) }
  }

  private mutating func removeAll() {
    scalars.removeAll(keepingCapacity: true)
    sources.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    hasVariant = false
  }
}
