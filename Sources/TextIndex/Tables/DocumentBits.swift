/// A set of documents: a bit for each, and how many come before every 512.
struct DocumentBits: Sendable {
  private let words: [UInt64]
  /// Documents in the words before every eighth.
  private let before: [UInt32]
  let count: Int
  let last: UInt32

  /// The documents whose bits are set, up to the last one there may be.
  /// - Complexity: O(last document / 64).
  init(_ words: [UInt64], last: UInt32) {
    var before: [UInt32] = []
    before.reserveCapacity(words.count / 8 + 1)
    var count: UInt32 = 0
    for index in words.indices {
      if index.isMultiple(of: 8) { before.append(count) }
      count += UInt32(words[index].nonzeroBitCount)
    }
    self.words = words
    self.before = before
    self.count = Int(count)
    self.last = last
  }

  func contains(_ document: UInt32) -> Bool {
    document <= last && words[Int(document >> 6)] >> UInt64(document & 63) & 1 == 1
  }

  /// The documents, in order.
  /// - Complexity: O(last document / 64 + documents).
  func forEach(_ body: (UInt32) -> Void) {
    for index in words.indices {
      var word = words[index]
      while word != 0 {
        body(UInt32(truncatingIfNeeded: index * 64 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
  }

  /// Whether there is some document of a range.
  func meets(_ range: ClosedRange<UInt32>) -> Bool {
    guard range.lowerBound <= last else { return false }
    let first = index(of: range.lowerBound)
    return first < count && (range.upperBound >= last || first < index(of: range.upperBound + 1))
  }

  /// How many documents come before one up to the last.
  func index(of document: UInt32) -> Int {
    let word = Int(document >> 6)
    var count = (words[word] & (1 << UInt64(document & 63) - 1)).nonzeroBitCount
    for index in word & ~7..<word { count += words[index].nonzeroBitCount }
    return Int(before[word >> 3]) + count
  }
}
