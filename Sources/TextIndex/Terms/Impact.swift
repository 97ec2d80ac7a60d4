/// What a term is worth in one document before its rarity counts: a byte, and a place in the title.
///
/// The byte is the weighted, length-normalised frequency x of `ScoreFormula`, rounded down to 32
/// steps per doubling between 1/16 and 16. Scores are made of the rounded values, so the greatest
/// byte of a block is an exact bound.
struct Impact: Hashable, Sendable {
  /// The code of x in the low byte, the place in the title in bits 8 and 9.
  var packed: UInt16

  init(packed: UInt16) { self.packed = packed }

  init(code: UInt8, place: UInt8) { packed = UInt16(place) << 8 | UInt16(code) }

  /// The impact whose value in units is known.
  init(units: UInt32, place: UInt8) {
    // The leading one of 32…63 stands at bit 5 in the first octave.
    let octave = max(0, 26 - units.leadingZeroBitCount)
    self.init(code: UInt8(octave << 5) | UInt8(units >> UInt32(octave) & 31), place: place)
  }

  /// The impact that a decoded block has as units · 4 + place.
  init(decoded: UInt32) {
    self.init(units: decoded >> 2, place: UInt8(truncatingIfNeeded: decoded & 3))
  }

  /// The impact of a term in a document with these field lengths.
  init(_ occurrence: Occurrence, lengths: SIMD4<UInt32>) {
    self.init(code: Self.code(ScoreFormula.weighted(occurrence, lengths)), place: occurrence.place)
  }

  var code: UInt8 { UInt8(truncatingIfNeeded: packed) }
  var place: UInt8 { UInt8(truncatingIfNeeded: packed >> 8) & 3 }

  /// The value in units of 1/512: whole numbers, so that sums do not depend on their order.
  var units: UInt32 { Self.units(code) }

  private static let octaveMin = -4
  private static let stepBits: UInt64 = 5

  static func code(_ value: Double) -> UInt8 {
    guard value > 0.0625 else { return 0 }
    guard value < 16 else { return .max }
    let octave = Int(value.exponent) - octaveMin
    let step = Int(truncatingIfNeeded: value.significandBitPattern >> (52 - stepBits))
    return UInt8(truncatingIfNeeded: octave << Int(stepBits) | step)
  }

  @inline(__always) static func units(_ code: UInt8) -> UInt32 {
    (32 + UInt32(code & 31)) &<< UInt32(code >> 5)
  }
}

/// One document of a postings list.
struct Posting: Hashable, Sendable {
  var document: UInt32
  var impact: Impact
}
