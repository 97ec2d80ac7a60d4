/// Which documents of a window at least two of some lists have, found 64 at a time, and others that
/// are included.
struct DocumentOverlap: Sendable {
  private var first: UInt32 = 0
  private var last: UInt32 = 0
  /// A bit for each document that a list has, and for each that two have.
  private var once: [UInt64] = []
  private var twice: [UInt64] = []

  /// Begins a window of documents.
  ///
  /// - Complexity: O(documents / 64), as is adding a list.
  mutating func begin(from first: UInt32, through last: UInt32) {
    self.first = first
    self.last = last
    let count = Int(last >> 6) - Int(first >> 6) + 1
    once.removeAll(keepingCapacity: true)
    once.append(contentsOf: repeatElement(0, count: count))
    twice.removeAll(keepingCapacity: true)
    twice.append(contentsOf: repeatElement(0, count: count))
  }

  /// Adds the documents of a list.
  mutating func add(_ bits: DocumentBits) {
    Self.add(bits.words(from: first, through: last), &once, &twice)
  }

  private static func add(
    _ words: ArraySlice<UInt64>, _ once: inout [UInt64], _ twice: inout [UInt64]
  ) {
    let count = min(words.count, once.count, twice.count)
    let words = words.span
    var once = once.mutableSpan
    var twice = twice.mutableSpan
    for place in 0..<count {
      // SAFETY: the place is below all three counts.
      unsafe twice[unchecked: place] |= once[unchecked: place] & words[unchecked: place]
      unsafe once[unchecked: place] |= words[unchecked: place]
    }
  }

  /// Includes a document of the window.
  mutating func include(_ document: UInt32) {
    twice[Int(document >> 6) - Int(first >> 6)] |= 1 << UInt64(document & 63)
  }

  /// Gives the documents that two lists have and those included, in order.
  func documents(into documents: inout [UInt32]) {
    documents.removeAll(keepingCapacity: true)
    for index in twice.indices where twice[index] != 0 {
      var word = twice[index]
      let start = (first >> 6 + UInt32(truncatingIfNeeded: index)) << 6
      while word != 0 {
        let document = start + UInt32(word.trailingZeroBitCount)
        word &= word - 1
        if document >= first, document <= last { documents.append(document) }
      }
    }
  }
}
