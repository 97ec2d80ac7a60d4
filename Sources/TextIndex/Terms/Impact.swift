/// What a term is worth in one document before its rarity counts: ten bits, and a place in a title.
///
/// The bits are the code of the weighted, length-normalised frequency x of `ScoreFormula`, rounded
/// down to 32 steps per doubling: 0…255 between 1/16 and 16, where documents without weights stay.
/// Codes go on beyond, negative ones in so many steps down to 1/512 and below in multiples of
/// 1/16384. Scores are made of the rounded values, so the greatest code of a block is a bound.
struct Impact: Hashable, Sendable {
  /// The code of x in bits 0–7 and 10–11 as a complement of two, the place in bits 8 and 9.
  var packed: UInt16

  init(packed: UInt16) { self.packed = packed }

  init(code: Int, place: UInt8) {
    let bits = UInt16(truncatingIfNeeded: code)
    packed = bits & 0xFF | (bits & 0x300) << 2 | UInt16(place) << 8
  }

  /// The impact whose value in units is known.
  init(units: UInt32, place: UInt8) {
    // The leading one of 32…63 stands at bit 5 in the first octave.
    let octave = max(0, 26 - units.leadingZeroBitCount)
    let step = octave == 0 ? Int(units) - 32 : octave << 5 | Int(units >> UInt32(octave) & 31)
    self.init(code: step + Self.codeMin, place: place)
  }

  /// The impact that a decoded block has as units · 4 + place.
  init(decoded: UInt32) {
    self.init(units: decoded >> 2, place: UInt8(truncatingIfNeeded: decoded & 3))
  }

  /// The impact of a term in a document with these field lengths.
  init(_ occurrence: Occurrence, lengths: SIMD4<UInt32>) {
    self.init(code: Self.code(ScoreFormula.weighted(occurrence, lengths)), place: occurrence.place)
  }

  /// The impact of a term in a document with these field lengths, of which some have a weight.
  ///
  /// Where x is at a bound without weights, it is so many times that bound as they make the inner
  /// sum: one field with a weight gives so many times what it gives without, there too.
  init(_ occurrence: WeightedOccurrence, place: UInt8, lengths: SIMD4<UInt32>) {
    let plain = ScoreFormula.weighted(occurrence.plain, lengths)
    let value = ScoreFormula.weighted(occurrence, lengths)
    self.init(code: Self.code(value, plain: plain), place: place)
  }

  var code: Int { Int(rank) - Self.rankOfNull }
  var place: UInt8 { UInt8(truncatingIfNeeded: packed >> 8) & 3 }
  /// The code counted from the least there can be.
  var rank: UInt16 { (packed & 0xFF | packed >> 2 & 0x300) ^ 0x200 }
  static let rankOfNull = 0x200

  /// The value in units of 1/16384: whole numbers, so that sums do not depend on their order.
  var units: UInt32 { Self.units(code) }

  private static let octaveMin = -4
  private static let stepBits: UInt64 = 5
  /// Octaves below the code 0 that have all of their steps.
  private static let lowOctaves = 5
  /// The code of 1/512.
  private static let codeMin = -lowOctaves << 5
  /// The greatest that a bound can tell (`PlaceRanks`); weights up to 100 end at 497.
  private static let codeMax = 508
  private static let least = 0.0625
  private static let greatest = 15.75

  static func code(_ value: Double) -> Int {
    guard value > least else { return 0 }
    guard value < 16 else { return 255 }
    return step(value)
  }

  private static func code(_ value: Double, plain: Double) -> Int {
    var value = value
    // Divided first: without weights that is the bound to the last bit.
    if plain <= least { value = value / plain * least }
    if plain >= 16 { value = value / plain * greatest }
    guard value * 512 >= 1 else { return max(1, Int(value * 16_384)) - 32 + codeMin }
    return min(step(value), codeMax)
  }

  private static func step(_ value: Double) -> Int {
    let octave = Int(value.exponent) - octaveMin
    return octave << Int(stepBits)
      | Int(truncatingIfNeeded: value.significandBitPattern >> (52 - stepBits))
  }

  static func units(_ code: Int) -> UInt32 {
    let step = min(code, codeMax) - codeMin
    guard step >= 32 else { return UInt32(max(1, 32 + step)) }
    return (32 + UInt32(step & 31)) << UInt32(step >> 5)
  }

  /// The units · 4 of a code that is not negative, nor above 508.
  @inline(__always) static func scaled(_ code: UInt32) -> UInt32 {
    ((32 &+ code & 31) &<< 7) &<< (code &>> 5)
  }
}

/// One document of a postings list.
struct Posting: Hashable, Sendable {
  var document: UInt32
  var impact: Impact
}
