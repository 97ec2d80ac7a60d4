/// What no posting of a block exceeds, per place in the title; read before the block is decoded.
struct BlockBound: Hashable, Sendable {
  var lastDocument: UInt32 = 0
  /// Greatest units among the postings of each place, 0 where no posting has it.
  var units = SIMD4<UInt32>()

  mutating func include(_ document: UInt32, units value: UInt32, place: Int) {
    lastDocument = document
    units[place] = max(units[place], value)
  }

  /// Greatest units of any posting.
  var greatest: UInt32 { units.max() }

  /// Best place of any posting; 0 for none.
  var place: Int {
    if units[3] > 0 { return 3 }
    if units[2] > 0 { return 2 }
    return units[1] > 0 ? 1 : 0
  }
}
