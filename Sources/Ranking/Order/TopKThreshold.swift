internal import HeapModule

/// The greatest of many numbers: how great one must be to be among them.
package struct TopKThreshold {
  private let count: Int
  private var kept = Heap<Double>()

  /// Keeps the `count` greatest.
  package init(count: Int) { self.count = count }

  /// What another number must reach; minus infinity while there are too few.
  package var needed: Double { kept.count < count ? -.infinity : kept.min ?? .infinity }

  /// Takes a number in.
  /// - Complexity: O(log count).
  package mutating func insert(_ key: Double) {
    if kept.count < count { return kept.insert(key) }
    if key > needed { kept.replaceMin(with: key) }
  }
}
