/// The compact range of a hash tree from its first leaf on: all that is needed to append leaves and
/// to know the root.
///
/// Holds one hash per set bit of the size: the roots of the complete subtrees that the tree
/// consists of, widest first. A node of the tree has a *level* (0 = leaf, level l covers 2^l
/// leaves) and an *index* counted from the left within its level.
package struct CompactRange: Hashable, Sendable {
  /// How many leaves were appended.
  package private(set) var size: UInt64
  /// The roots of the complete subtrees, widest first; as many as `size` has set bits.
  package private(set) var peaks: [Hash32]

  /// The compact range of the tree without leaves.
  package init() {
    size = 0
    peaks = []
  }

  init(size: UInt64, peaks: [Hash32]) {
    precondition(peaks.count == size.nonzeroBitCount, "one peak for each set bit of the size")
    self.size = size
    self.peaks = peaks
  }

  /// The compact range of a stored tree; `node` gives the hashes of complete subtrees.
  /// - Complexity: O(log n) calls of `node`.
  package init<E: Error>(size: UInt64, node: (_ level: Int, _ index: UInt64) throws(E) -> Hash32)
    throws(E)
  {
    var peaks: [Hash32] = []
    peaks.reserveCapacity(size.nonzeroBitCount)
    var rest = size
    while rest != 0 {
      let level = UInt64.bitWidth - 1 - rest.leadingZeroBitCount
      // Left of this subtree stand only wider ones, so that they count as whole multiples of it.
      peaks.append(try node(level, (size >> UInt64(level)) - 1))
      rest -= 1 << UInt64(level)
    }
    self.size = size
    self.peaks = peaks
  }

  /// Appends a leaf and reports every interior node that it completes, lowest first.
  ///
  /// The leaf itself is not reported. The compact range is unchanged when `completed` throws.
  /// - Complexity: amortised one node hash; O(log n) at worst.
  package mutating func append<E: Error>(
    _ leaf: Hash32, completed: (_ level: Int, _ index: UInt64, _ hash: Hash32) throws(E) -> Void
  ) throws(E) {
    precondition(size < UInt64.max, "the tree is full")
    var hash = leaf
    var level = 0
    while size & (1 << UInt64(level)) != 0 {
      hash = HashTree.node(peaks[peaks.count - 1 - level], hash)
      level += 1
      try completed(level, size >> UInt64(level), hash)
    }
    peaks.removeLast(level)
    peaks.append(hash)
    size += 1
  }

  /// Appends a leaf.
  /// - Complexity: amortised one node hash; O(log n) at worst.
  package mutating func append(_ leaf: Hash32) { append(leaf) { (_, _, _) throws(Never) in } }

  /// The root hash of the tree (RFC 6962 MTH).
  /// - Complexity: at most one node hash per set bit of `size`.
  package var root: Hash32 {
    guard var hash = peaks.last else { return HashTree.emptyRoot }
    for peak in peaks.dropLast().reversed() { hash = HashTree.node(peak, hash) }
    return hash
  }
}
