extension ColumnData {
  /// Of some items those that come first by their values, so many and all that tie with the last
  /// one, in no order, with the numbers that put them in order, the least first; and all items
  /// without a value.
  ///
  /// Nil where items may have several values, where values are texts, and where the column cannot
  /// tell.
  /// - Complexity: O(items), a nanosecond or two each.
  package func first(_ count: Int, of items: [UInt32], isDescending: Bool) -> (
    keyed: [(key: UInt64, item: UInt32)], missing: [UInt32]
  )? {
    guard !hasLists, !hasTexts else { return nil }
    var nearest = NearestKeys(count)
    var missing: [UInt32] = []
    var isComplete = true
    forEachCode(of: items) { item, code in
      if code >= ColumnCode.first {
        nearest.add(isDescending ? ~code : code, item)
      } else if code == ColumnCode.none {
        missing.append(item)
      } else {
        isComplete = false
      }
    }
    return isComplete ? (nearest.entries, missing) : nil
  }
}

/// Keeps the least of many numbers, so many and those that tie with the last one, and some more.
private struct NearestKeys {
  private(set) var entries: [(key: UInt64, item: UInt32)] = []
  private let count: Int
  /// What is greater is not among them.
  private var last = UInt64.max
  private var fullCount: Int

  init(_ count: Int) {
    self.count = max(count, 1)
    let (most, isTooMany) = self.count.multipliedReportingOverflow(by: 4)
    fullCount = isTooMany ? .max : max(most, 256)
  }

  @inline(__always) mutating func add(_ key: UInt64, _ item: UInt32) {
    guard key <= last else { return }
    entries.append((key, item))
    if entries.count >= fullCount { drop() }
  }

  private mutating func drop() {
    let keys = entries.map(\.key).sorted()
    last = keys[count - 1]
    entries.removeAll { $0.key > last }
    fullCount = max(fullCount, entries.count * 2)
  }
}
