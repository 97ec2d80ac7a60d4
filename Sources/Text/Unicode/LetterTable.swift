/// Letters that Unicode does not decompose but people type without their stroke or as two letters.
///
/// Source: the letters the DIN 91379 and CLDR Latin-ASCII transforms map the same way; ə, ǝ and ɔ
/// as Lucene's ASCIIFoldingFilter has them. All keys are lower case: folding the case comes first.
/// SQLite's `unicode61` keeps these letters, so words do too; the replaced form is one more term
/// in the space `part`.
enum LetterTable {
  static let replacements: [(scalar: UInt32, letters: String)] = [
    (0x00E6, "ae"),  // æ
    (0x00F0, "d"),  // ð
    (0x00F8, "o"),  // ø
    (0x00FE, "th"),  // þ
    (0x0111, "d"),  // đ
    (0x0127, "h"),  // ħ
    (0x0131, "i"),  // ı
    (0x0138, "k"),  // ĸ
    (0x0142, "l"),  // ł
    (0x014B, "n"),  // ŋ
    (0x0153, "oe"),  // œ
    (0x0167, "t"),  // ŧ
    (0x0180, "b"),  // ƀ
    (0x0188, "c"),  // ƈ
    (0x018C, "d"),  // ƌ
    (0x0192, "f"),  // ƒ
    (0x0199, "k"),  // ƙ
    (0x019A, "l"),  // ƚ
    (0x019E, "n"),  // ƞ
    (0x01A5, "p"),  // ƥ
    (0x01AB, "t"),  // ƫ
    (0x01AD, "t"),  // ƭ
    (0x01B4, "y"),  // ƴ
    (0x01B6, "z"),  // ƶ
    (0x01DD, "e"),  // ǝ
    (0x01E5, "g"),  // ǥ
    (0x0225, "z"),  // ȥ
    (0x0237, "j"),  // ȷ
    (0x023C, "c"),  // ȼ
    (0x0247, "e"),  // ɇ
    (0x0249, "j"),  // ɉ
    (0x024D, "r"),  // ɍ
    (0x024F, "y"),  // ɏ
    (0x0253, "b"),  // ɓ
    (0x0254, "o"),  // ɔ
    (0x0256, "d"),  // ɖ
    (0x0257, "d"),  // ɗ
    (0x0259, "e"),  // ə
    (0x025B, "e"),  // ɛ
    (0x0260, "g"),  // ɠ
    (0x0268, "i"),  // ɨ
    (0x0269, "i"),  // ɩ
    (0x0272, "n"),  // ɲ
    (0x0289, "u"),  // ʉ
    (0x028B, "v"),  // ʋ
    (0x1E9C, "s"),  // ẜ
    (0x1E9D, "s"),  // ẝ
  ]

  /// The replacement of a folded scalar, or nil.
  static func letters(_ scalar: UInt32) -> String? {
    replacements.first { $0.scalar == scalar }?.letters
  }

  /// Changes with the table.
  static var fingerprint: UInt64 {
    var hash = TermHash()
    for (scalar, letters) in replacements {
      for shift in stride(from: 0, to: 24, by: 8) {
        hash.combine(UInt8(truncatingIfNeeded: scalar >> UInt32(shift)))
      }
      for byte in letters.utf8 { hash.combine(byte) }
    }
    return hash.value & 0xFFFF_FFFF
  }
}
