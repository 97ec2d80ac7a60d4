extension Range where Bound: FixedWidthInteger {
  /// The first index for which a predicate holds that holds for all after it too; the upper bound
  /// where there is none.
  /// - Complexity: O(log n).
  @inlinable @inline(__always) package func partitioningIndex<E: Error>(
    where holds: (Bound) throws(E) -> Bool
  ) throws(E) -> Bound {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if try holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
