/// Elements of which the one with the greatest bound comes first: a binary heap.
struct BoundHeap<Element> {
  private var entries: [(bound: Double, element: Element)] = []

  /// The greatest bound; minus infinity for none.
  var greatest: Double { entries.first?.bound ?? -.infinity }

  /// Adds an element.
  ///
  /// - Complexity: O(log *n*).
  mutating func insert(_ element: Element, _ bound: Double) {
    entries.append((bound, element))
    var child = entries.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard entries[parent].bound < entries[child].bound else { return }
      entries.swapAt(parent, child)
      child = parent
    }
  }

  /// Takes the element with the greatest bound out.
  ///
  /// - Complexity: O(log *n*).
  mutating func removeFirst() -> Element? {
    guard let first = entries.first else { return nil }
    let last = entries.removeLast()
    guard !entries.isEmpty else { return first.element }
    entries[0] = last
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
        if entries[child].bound > entries[best].bound { best = child }
      }
      guard best != parent else { return first.element }
      entries.swapAt(parent, best)
      parent = best
    }
  }
}

/// The greatest of many numbers: how great one must be to be among them.
package struct GreatestKeys {
  private let count: Int
  /// Negated, so that the least kept one comes first.
  private var heap = BoundHeap<Void>()
  private var kept = 0

  /// Keeps the `count` greatest.
  package init(count: Int) { self.count = count }

  /// What another number must reach; minus infinity while there are too few.
  package var needed: Double { kept < count ? -.infinity : -heap.greatest }

  /// Takes a number in.
  ///
  /// - Complexity: O(log count).
  package mutating func insert(_ key: Double) {
    if kept == count {
      guard count > 0, key > needed else { return }
      _ = heap.removeFirst()
    } else {
      kept += 1
    }
    heap.insert((), -key)
  }
}
