/// How often, and where, a term stands in one document, in 62 bits; used while a document is read.
///
/// Bits: 0–1 place in the title, 2–13 title, 14–25 keywords, 26–37 description, 38–61 text
/// frequency. Frequencies saturate.
struct Occurrence: Hashable, Sendable {
  private(set) var packed: UInt64 = 0

  /// Best place in a title.
  var place: UInt8 { UInt8(truncatingIfNeeded: packed & 3) }

  /// Frequency in the field of the given kind.
  func frequency(_ kind: Int) -> UInt64 {
    packed >> UInt64(2 + 12 * kind) & (kind == 3 ? 0xFF_FFFF : 0xFFF)
  }

  /// One more token of a field.
  mutating func count(_ kind: Int) {
    guard frequency(kind) < (kind == 3 ? 0xFF_FFFF : 0xFFF) else { return }
    packed &+= 1 << UInt64(2 + 12 * kind)
  }

  mutating func raise(_ place: TitlePlace) {
    if place.rawValue > self.place { packed = packed & ~3 | UInt64(place.rawValue) }
  }
}

/// Where in a title a term stands at best.
enum TitlePlace: UInt8, Sendable {
  /// Not in a title.
  case none = 0
  /// Somewhere in a title.
  case inside = 1
  /// At the start of a title.
  case start = 2
  /// It is all there is in a title.
  case whole = 3
}
