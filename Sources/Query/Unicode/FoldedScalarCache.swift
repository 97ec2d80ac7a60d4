/// Remembers what single scalars fold to, because a text uses few letters and looking them up takes many
/// searches in tables.
struct FoldedScalarCache {
  /// An entry is valid (bit 63), its key in bits 32 …, the class in bits 24 …, the scalar below.
  ///
  /// The key is the scalar and the folding. Direct-mapped; allocated when the first text needs it.
  private var entries: [UInt64] = []

  private static let slotCount = 256

  /// Appends what a character of this one scalar folds to, and tells its class.
  mutating func append(_ scalar: Unicode.Scalar, _ folding: Folding, to units: inout [UInt32])
    -> CharacterClass
  {
    // Unified ideographs fold to themselves, and there are too many to remember.
    if (0x3400..<0xA000).contains(scalar.value) {
      units.append(scalar.value)
      return CharacterClass(scalar)
    }
    if entries.isEmpty { entries = Array(repeating: 0, count: Self.slotCount) }
    let key = 1 << 31 | UInt64(folding.rawValue) << 21 | UInt64(scalar.value)
    let slot = Int((scalar.value &* 0x9E37_79B1) >> 24)
    let entry = entries[slot]
    if entry >> 32 == key, let known = CharacterClass(rawValue: UInt8(entry >> 24 & 0xFF)) {
      units.append(UInt32(entry & 0x1F_FFFF))
      return known
    }
    let start = units.count
    folding.append(scalar, to: &units)
    let characterClass = CharacterClass(scalar)
    if units.count == start + 1 {
      entries[slot] = key << 32 | UInt64(characterClass.rawValue) << 24 | UInt64(units[start])
    }
    return characterClass
  }
}
