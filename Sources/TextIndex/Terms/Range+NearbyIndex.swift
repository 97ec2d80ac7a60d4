import Values

extension Range<Int> {
  /// What `partitioningIndex` gives, for an index that is near the lower bound.
  /// - Complexity: O(log d) for an index at a distance d.
  @inline(__always) func nearbyPartitioningIndex(where holds: (Int) -> Bool) -> Int {
    var low = lowerBound
    var step = 1
    while low &+ step < upperBound, !holds(low &+ step) {
      low &+= step
      step &*= 2
    }
    return (low..<Swift.min(low &+ step, Swift.max(low, upperBound))).partitioningIndex(
      where: holds)
  }
}

extension [UInt32] {
  /// Where an ascending array has a number.
  func index(sorted number: UInt32) -> Int? {
    let at = indices.partitioningIndex { self[$0] >= number }
    return at < count && self[at] == number ? at : nil
  }
}
