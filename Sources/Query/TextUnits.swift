/// A text as the matcher sees it: folded scalars, each with what may start or end before it.
///
/// A unit is a scalar value and two flags. The list ends with a unit that is no scalar and carries the
/// flags of the end, so every position from 0 to `count` can be asked.
struct TextUnits {
  /// A whole character starts here; a match may not begin or end inside one.
  static let characterStart: UInt32 = 1 << 31
  /// A word may start or end here.
  static let wordBoundary: UInt32 = 1 << 30
  private static let scalarMask: UInt32 = 0x1F_FFFF
  private static let end: UInt32 = 0x1F_FFFF

  private var units: [UInt32] = []

  /// Units before the end.
  var count: Int { units.count - 1 }

  func scalar(at index: Int) -> UInt32 { units[index] & Self.scalarMask }

  func isCharacterStart(_ index: Int) -> Bool { units[index] & Self.characterStart != 0 }

  func isWordBoundary(_ index: Int) -> Bool { units[index] & Self.wordBoundary != 0 }

  /// The first position after `index` where a character starts.
  func characterEnd(after index: Int) -> Int {
    var end = index + 1
    while !isCharacterStart(end) { end += 1 }
    return end
  }

  /// The scalars alone.
  var scalars: [UInt32] { units.dropLast().map { $0 & Self.scalarMask } }

  /// Replaces the content by a folded text.
  mutating func assign(_ utf8: Span<UInt8>, folding: Folding) {
    units.removeAll(keepingCapacity: true)
    units.reserveCapacity(utf8.count + 1)
    if !appendASCII(utf8, folding) {
      units.removeAll(keepingCapacity: true)
      appendCharacters(of: Self.string(utf8), folding)
    }
    units.append(Self.end | Self.characterStart | Self.wordBoundary)
  }

  /// Appends all of `utf8` if it is ASCII; otherwise leaves some of it appended and returns false.
  private mutating func appendASCII(_ utf8: Span<UInt8>, _ folding: Folding) -> Bool {
    var previous = CharacterClass.edge
    var previousByte: UInt8 = 0
    for index in utf8.indices {
      let byte = utf8[index]
      guard byte < 0x80 else { return false }
      let current = CharacterClass(ascii: byte)
      var unit = UInt32(folding.ignoresCase && current == .upper ? byte | 0x20 : byte)
      if !(byte == 0x0A && previousByte == 0x0D) { unit |= Self.characterStart }
      if previous.hasBoundary(before: current) { unit |= Self.wordBoundary }
      units.append(unit)
      previous = current
      previousByte = byte
    }
    return true
  }

  private mutating func appendCharacters(of text: String, _ folding: Folding) {
    var previous = CharacterClass.edge
    for character in text {
      let start = units.count
      folding.append(character, to: &units)
      guard units.count > start else { continue }
      let current = CharacterClass(character)
      units[start] |= Self.characterStart
      if previous.hasBoundary(before: current) { units[start] |= Self.wordBoundary }
      previous = current
    }
  }

  private static func string(_ utf8: Span<UInt8>) -> String {
    if let text = try? UTF8Span(validating: utf8) { return String(copying: text) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for index in utf8.indices { bytes.append(utf8[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
