/// A text as the matcher sees it: folded scalars, each with what may start or end before it.
///
/// A unit is a scalar value and two flags. The list ends with a unit that is no scalar and carries
/// the flags of the end, so every position from 0 to `count` can be asked.
struct TextUnits {
  /// A whole character starts here; a match may not begin or end inside one.
  static let characterStart: UInt32 = 1 << 31
  /// A word may start or end here.
  static let wordBoundary: UInt32 = 1 << 30
  private static let scalarMask: UInt32 = 0x1F_FFFF
  private static let end: UInt32 = 0x1F_FFFF

  private var units: [UInt32] = []
  private var folder = CharacterFolder()

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

  /// Replaces the content by a folded text.
  mutating func assign(_ utf8: Span<UInt8>, folding: Folding) {
    units.removeAll(keepingCapacity: true)
    units.reserveCapacity(utf8.count + 1)
    if !appendASCII(utf8, folding) {
      units.removeAll(keepingCapacity: true)
      appendCharacters(utf8, folding)
    }
    units.append(Self.end | Self.characterStart | Self.wordBoundary)
  }

  /// Appends all of `utf8` if it is ASCII; otherwise leaves some of it appended and returns false.
  private mutating func appendASCII(_ utf8: Span<UInt8>, _ folding: Folding) -> Bool {
    let classes = BoundaryClass.ascii
    var previous = BoundaryClass.edge
    var previousByte: UInt8 = 0
    for index in utf8.indices {
      let byte = utf8[index]
      guard byte < 0x80 else { return false }
      let current = classes[Int(byte)]
      var unit = UInt32(folding.ignoresCase && current == .upper ? byte | 0x20 : byte)
      if byte != 0x0A || previousByte != 0x0D { unit |= Self.characterStart }
      if previous.hasBoundary(before: current) { unit |= Self.wordBoundary }
      units.append(unit)
      previous = current
      previousByte = byte
    }
    return true
  }

  private mutating func appendCharacters(_ utf8: Span<UInt8>, _ folding: Folding) {
    // Where bytes are wrong they are repaired.
    guard let valid = try? UTF8Span(validating: utf8) else {
      return appendCharacters(Self.repaired(utf8).utf8.span, folding)
    }
    // Made only for text that needs the rules of grapheme clusters.
    var text: String?
    var previous = BoundaryClass.edge
    var offset = 0
    while offset < utf8.count {
      let (scalar, next) = utf8.scalar(at: offset)
      let start = units.count
      let current: BoundaryClass
      if scalar.standsAlone, next == utf8.count || utf8.scalar(at: next).scalar.standsAlone {
        current = folder.append(scalar, folding, to: &units)
        offset = next
      } else {
        let string = text ?? String(copying: valid)
        text = string
        let index = string.utf8.index(string.startIndex, offsetBy: offset)
        let end = string.index(after: index)
        folder.append(string.unicodeScalars[index..<end], folding, to: &units)
        current = BoundaryClass(scalar)
        offset += string.utf8.distance(from: index, to: end)
      }
      guard units.count > start else { continue }
      units[start] |= Self.characterStart
      if previous.hasBoundary(before: current) { units[start] |= Self.wordBoundary }
      previous = current
    }
  }

  private static func repaired(_ utf8: Span<UInt8>) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for index in utf8.indices { bytes.append(utf8[index]) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Span<UInt8> {
  /// The scalar that starts at `offset` of valid UTF-8, and where the next one does.
  fileprivate func scalar(at offset: Int) -> (scalar: Unicode.Scalar, next: Int) {
    let lead = UInt32(self[offset])
    func trail(_ distance: Int) -> UInt32 { UInt32(self[offset + distance] & 0x3F) }
    let value: UInt32
    let length: Int
    switch lead {
    case 0..<0x80: (value, length) = (lead, 1)
    case 0x80..<0xE0: (value, length) = ((lead & 0x1F) << 6 | trail(1), 2)
    case 0xE0..<0xF0: (value, length) = ((lead & 0xF) << 12 | trail(1) << 6 | trail(2), 3)
    default: (value, length) = ((lead & 7) << 18 | trail(1) << 12 | trail(2) << 6 | trail(3), 4)
    }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", offset + length)
  }
}

extension Unicode.Scalar {
  /// Whether no grapheme cluster holds this scalar and another of which the same is true.
  ///
  /// A cheap answer for most letters, so that few texts need the rules of Unicode TR 29.
  fileprivate var standsAlone: Bool {
    switch value {
    case 0x20..<0x300, 0x370..<0x483, 0x48A..<0x590, 0x3041..<0x3097, 0x309B..<0x3100,
      0x3400..<0xA000, 0xFF01..<0xFF9E:
      true
    default: false
    }
  }
}
