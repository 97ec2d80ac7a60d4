package import Values

/// Items by their ordinals, a bit each.
package struct ItemSet: Sendable, Equatable {
  package var words: [UInt64]

  package init() { words = [] }

  package init(wordCount: Int) { words = Array(repeating: 0, count: wordCount) }

  @inlinable package func contains(_ item: UInt32) -> Bool {
    let word = Int(item >> 6)
    return word < words.count && words[word] >> UInt64(item & 63) & 1 == 1
  }

  package mutating func insert(_ item: UInt32) {
    let word = Int(item >> 6)
    if word >= words.count {
      words.append(contentsOf: repeatElement(0, count: word + 1 - words.count))
    }
    words[word] |= 1 << UInt64(item & 63)
  }

  package mutating func remove(_ item: UInt32) {
    let word = Int(item >> 6)
    if word < words.count { words[word] &= ~(1 << UInt64(item & 63)) }
  }

  /// Keeps those that are in another set too.
  package mutating func formIntersection(_ other: ItemSet) {
    if words.count > other.words.count { words.removeLast(words.count - other.words.count) }
    for index in words.indices { words[index] &= other.words[index] }
  }

  /// Adds those of another set.
  package mutating func formUnion(_ other: ItemSet) {
    if other.words.count > words.count {
      words.append(contentsOf: repeatElement(0, count: other.words.count - words.count))
    }
    for index in other.words.indices { words[index] |= other.words[index] }
  }

  /// How many they are.
  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Visits them, ascending.
  package func forEach(_ body: (UInt32) throws(CairnError) -> Void) throws(CairnError) {
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        try body(UInt32(truncatingIfNeeded: index * 64 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
  }

  /// All of them, ascending.
  package var items: [UInt32] {
    var items: [UInt32] = []
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        items.append(UInt32(truncatingIfNeeded: index * 64 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
    return items
  }
}
