import Text

/// Folds characters, and remembers what single scalars fold to, because a text uses few letters.
struct CharacterFolder {
  /// An entry is valid (bit 63), its key in bits 32 …, the class in bits 24 …, the scalar below.
  ///
  /// The key is the scalar and the folding. Direct-mapped; allocated when the first text needs it.
  private var entries: [UInt64] = []

  private static let slotCount = 256

  private var normalizer = Normalizer()
  private var scalars: [UInt32] = []

  /// Appends the folded scalars of one character, none if nothing but diacritics is left.
  mutating func append(
    _ character: some Sequence<Unicode.Scalar>, _ folding: Folding, to units: inout [UInt32]
  ) {
    scalars.removeAll(keepingCapacity: true)
    for scalar in character { scalars.append(scalar.value) }
    normalizer.decompose(&scalars)
    if folding.ignoresDiacritics { Diacritics.drop(from: &scalars) }
    if folding.ignoresCase {
      // Canonical caseless matching (Unicode §3.13, D145).
      normalizer.foldCase(&scalars)
      normalizer.decompose(&scalars)
      if folding.ignoresDiacritics { Diacritics.drop(from: &scalars) }
    }
    units += scalars
  }

  /// Appends what a character of this one scalar folds to, and tells its class.
  mutating func append(_ scalar: Unicode.Scalar, _ folding: Folding, to units: inout [UInt32])
    -> BoundaryClass
  {
    // Unified ideographs fold to themselves, and there are too many to remember.
    if (0x3400..<0xA000).contains(scalar.value) {
      units.append(scalar.value)
      return BoundaryClass(scalar)
    }
    if entries.isEmpty { entries = Array(repeating: 0, count: Self.slotCount) }
    let key = 1 << 31 | UInt64(folding.rawValue) << 21 | UInt64(scalar.value)
    let slot = Int((scalar.value &* 0x9E37_79B1) >> 24)
    let entry = entries[slot]
    if entry >> 32 == key, let known = BoundaryClass(rawValue: UInt8(entry >> 24 & 0xFF)) {
      units.append(UInt32(entry & 0x1F_FFFF))
      return known
    }
    let start = units.count
    append(CollectionOfOne(scalar), folding, to: &units)
    let characterClass = BoundaryClass(scalar)
    if units.count == start + 1 {
      entries[slot] = key << 32 | UInt64(characterClass.rawValue) << 24 | UInt64(units[start])
    }
    return characterClass
  }
}
