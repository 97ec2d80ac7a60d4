/// How often, and where, a term stands in one document, in 62 bits.
///
/// Bits: 0–1 place in the title, 2–13 title, 14–25 keywords, 26–37 description, 38–61 text
/// frequency. Frequencies saturate (`IndexLimits`), everywhere alike.
struct Occurrence: Hashable, Sendable {
  var packed: UInt64

  init(packed: UInt64) { self.packed = packed }

  init(
    place: TitlePlace = .none,
    title: UInt64 = 0,
    keywords: UInt64 = 0,
    description: UInt64 = 0,
    text: UInt64 = 0
  ) {
    packed = UInt64(place.rawValue)
    packed |= min(title, IndexLimits.shortFieldFrequency) << 2
    packed |= min(keywords, IndexLimits.shortFieldFrequency) << 14
    packed |= min(description, IndexLimits.shortFieldFrequency) << 26
    packed |= min(text, IndexLimits.textFieldFrequency) << 38
  }

  /// Best place in a title.
  var place: UInt8 { UInt8(truncatingIfNeeded: packed & 3) }

  /// Frequency in the field of the given kind.
  func frequency(_ kind: Int) -> UInt64 {
    let field = packed >> UInt64(2 + 12 * kind)
    return kind == 3
      ? field & IndexLimits.textFieldFrequency : field & IndexLimits.shortFieldFrequency
  }

  /// One more token of a field.
  mutating func count(_ kind: Int) {
    let limit = kind == 3 ? IndexLimits.textFieldFrequency : IndexLimits.shortFieldFrequency
    guard frequency(kind) < limit else { return }
    packed &+= 1 << UInt64(2 + 12 * kind)
  }

  mutating func raise(_ place: TitlePlace) {
    if place.rawValue > self.place { packed = packed & ~3 | UInt64(place.rawValue) }
  }

  /// Adds the frequencies of another term in the same document; used where several terms count as one.
  mutating func formUnion(_ other: Occurrence) {
    self = Occurrence(
      place: TitlePlace(rawValue: max(place, other.place)) ?? .none,
      title: frequency(0) + other.frequency(0),
      keywords: frequency(1) + other.frequency(1),
      description: frequency(2) + other.frequency(2),
      text: frequency(3) + other.frequency(3)
    )
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

/// One document of a postings list.
struct Posting: Hashable, Sendable {
  var document: UInt32
  var occurrence: Occurrence
}
