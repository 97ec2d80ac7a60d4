extension HashTree {
  /// The root of the tree over a range of leaves (RFC 6962 `MTH(D[start:end])`).
  ///
  /// The range must be one that the RFC's decomposition reaches: `start` is a multiple of the
  /// smallest power of two that is not below the count.
  /// No leaves have the empty tree's root.
  /// - Complexity: one lookup and one hash per set bit of the count.
  package static func root<E: Error>(
    of range: Range<UInt64>, node: (_ level: Int, _ index: UInt64) throws(E) -> Hash32
  ) throws(E) -> Hash32 {
    precondition(range.isEmpty || isSubtree(range), "leaves that form no subtree have no root")
    var rest = range.upperBound - range.lowerBound
    var end = range.upperBound
    var root: Hash32?
    // From the narrowest complete subtree, at the right edge, to the widest.
    while rest != 0 {
      let level = rest.trailingZeroBitCount
      let width = UInt64(1) << UInt64(level)
      let peak = try node(level, (end >> UInt64(level)) - 1)
      root = root.map { HashTree.node(peak, $0) } ?? peak
      rest -= width
      end -= width
    }
    return root ?? emptyRoot
  }

  private static func isSubtree(_ range: Range<UInt64>) -> Bool {
    guard !range.isEmpty else { return false }
    // The count - 1, rounded up to all ones, is the mask of the start's bits that must be zero.
    let spread = range.upperBound - range.lowerBound - 1
    let mask = spread == 0 ? 0 : UInt64.max >> UInt64(spread.leadingZeroBitCount)
    return range.lowerBound & mask == 0
  }

  /// The hash of a complete subtree where levels are stored that are multiples of `stride`.
  /// - Complexity: 2^(level mod stride) lookups and one hash fewer.
  package static func node<E: Error>(
    level: Int, index: UInt64, stride: Int,
    stored: (_ level: Int, _ index: UInt64) throws(E) -> Hash32
  ) throws(E) -> Hash32 {
    precondition(stride > 0, "at least the leaves are stored")
    let height = level % stride
    guard height > 0 else { return try stored(level, index) }
    let left = try node(level: level - 1, index: index << 1, stride: stride, stored: stored)
    let right = try node(level: level - 1, index: index << 1 | 1, stride: stride, stored: stored)
    return node(left, right)
  }

  /// Where the RFC splits a tree over these leaves: before the last complete power of two.
  static func split(_ range: Range<UInt64>) -> UInt64 {
    let last = range.upperBound - range.lowerBound - 1
    return range.lowerBound + 1 << UInt64(UInt64.bitWidth - 1 - last.leadingZeroBitCount)
  }
}
