/// What `d` ignores.
///
/// Marks of the scripts in which they only modify a letter: the generic combining marks (Latin, Greek,
/// Cyrillic) and the points of Hebrew and Arabic. Japanese voicing marks, vowel signs of Indic scripts and Thai
/// tone and vowel marks make other letters and other words, so they stay.
enum Diacritics {
  static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
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
  static func base(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x00D8: "O"
    case 0x00F8: "o"
    case 0x0110: "D"
    case 0x0111: "d"
    case 0x0126: "H"
    case 0x0127: "h"
    case 0x0141: "L"
    case 0x0142: "l"
    case 0x0166: "T"
    case 0x0167: "t"
    default: scalar
    }
  }
}
