/// What `d` ignores.
///
/// Marks of the scripts in which they only modify a letter: the generic combining marks (Latin,
/// Greek, Cyrillic) and the points of Hebrew and Arabic. Japanese voicing marks, vowel signs of
/// Indic scripts and Thai tone and vowel marks make other letters and other words, so they stay.
enum Diacritics {
  /// Removes the marks from a canonical decomposition, and the strokes of letters that have one.
  static func drop(from scalars: inout [UInt32]) {
    scalars.removeAll(where: isDiacritic)
    for index in scalars.indices { scalars[index] = base(of: scalars[index]) }
  }

  private static func isDiacritic(_ value: UInt32) -> Bool {
    guard value >= 0x0300 else { return false }
    switch value {
    case 0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2,
      0x05C4...0x05C5, 0x05C7, 0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x06D6...0x06DC,
      0x06DF...0x06E4, 0x06E7...0x06E8, 0x06EA...0x06ED, 0x08CA...0x08E1, 0x08E3...0x08FF,
      0x1AB0...0x1ACE, 0x1DC0...0x1DFF, 0x20D0...0x20DC, 0x20E1, 0x20E5...0x20F0, 0xFB1E,
      0xFE20...0xFE2F:
      return true
    default: return false
    }
  }

  /// The plain letter of one whose stroke Unicode does not treat as a mark of its own.
  private static func base(of value: UInt32) -> UInt32 {
    switch value {
    case 0x00D8: 0x4F
    case 0x00F8: 0x6F
    case 0x0110: 0x44
    case 0x0111: 0x64
    case 0x0126: 0x48
    case 0x0127: 0x68
    case 0x0141: 0x4C
    case 0x0142: 0x6C
    case 0x0166: 0x54
    case 0x0167: 0x74
    default: value
    }
  }
}
