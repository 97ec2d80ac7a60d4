internal import HeapModule

/// Items to be put in order by a number, the least first.
struct KeyedItems {
  typealias Entry = (key: UInt64, item: UInt32)

  private var entries: [Entry]

  init(_ entries: consuming [Entry]) { self.entries = entries }

  /// Drops what is behind the first so many and those that tie with the last of them.
  private mutating func keepFirst(_ count: Int) {
    var least = Heap<UInt64>()
    for entry in entries {
      if least.count < count {
        least.insert(entry.key)
      } else if let last = least.max, entry.key < last {
        least.replaceMax(with: entry.key)
      }
    }
    let last = least.max ?? 0
    entries.removeAll { $0.key > last }
  }

  /// The first so many; `ties` puts items of one key in order, as many of them as are wanted.
  ///
  /// - Complexity: O(items) and a sort of those that may be among the first, in any order that is
  ///   not the reverse.
  consuming func first(
    _ count: Int, ties: (_ items: [UInt32], _ count: Int) throws(CairnError) -> [UInt32]
  ) throws(CairnError) -> [UInt32] {
    let wanted = min(count, entries.count)
    guard wanted > 0 else { return [] }
    if wanted < entries.count / 4 { keepFirst(wanted) }
    entries.sort { $0.key < $1.key }
    var ordered: [UInt32] = []
    ordered.reserveCapacity(wanted)
    var start = 0
    while start < entries.count, ordered.count < wanted {
      var end = start + 1
      while end < entries.count, entries[end].key == entries[start].key { end += 1 }
      if end - start == 1 {
        ordered.append(entries[start].item)
      } else {
        ordered += try ties(entries[start..<end].map(\.item), wanted - ordered.count)
      }
      start = end
    }
    return Array(ordered.prefix(wanted))
  }
}
