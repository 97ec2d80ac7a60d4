/// Impacts of occurrences in documents of the same lengths, worked out once.
///
/// Most terms of a document occur alike, once in one field, and neighbours are often as long.
struct ImpactTable: Sendable {
  private struct Entry: Sendable {
    var occurrence = Occurrence()
    var impact = Impact(packed: 0)
    /// Which lengths it is for.
    var stamp: UInt32 = 0
  }

  private static let bitCount: UInt64 = 6
  private var entries = [Entry](repeating: Entry(), count: 1 << Int(bitCount))
  private var lengths = SIMD4<UInt32>()
  private var stamp: UInt32 = 1

  /// Goes on to a document.
  mutating func begin(_ lengths: SIMD4<UInt32>) {
    guard lengths != self.lengths else { return }
    self.lengths = lengths
    stamp &+= 1
    // Once in four thousand million changes stamps come again.
    if stamp == 0 { self = ImpactTable(lengths) }
  }

  /// Nothing worked out yet.
  init(_ lengths: SIMD4<UInt32> = SIMD4()) { self.lengths = lengths }

  /// What a term that occurs so is worth in the document.
  mutating func impact(_ occurrence: Occurrence) -> Impact {
    let mixed = occurrence.packed &* 0x9E37_79B9_7F4A_7C15
    let place = Int(truncatingIfNeeded: mixed &>> (64 - Self.bitCount))
    let known = entries[place]
    if known.stamp == stamp, known.occurrence == occurrence { return known.impact }
    let impact = Impact(occurrence, lengths: lengths)
    entries[place] = Entry(occurrence: occurrence, impact: impact, stamp: stamp)
    return impact
  }
}
