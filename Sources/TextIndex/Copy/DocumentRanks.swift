/// The numbers that documents get when some of them go and the others close up.
///
/// Two bits a document, where an array of numbers takes 32: a list's documents lie far apart, and
/// waiting for the memory of each was four fifths of copying the lists.
struct DocumentRanks: Sendable {
  private struct Word {
    /// Which of 64 documents stay.
    var bits: UInt64 = 0
    /// How many stay before them.
    var rank: UInt32 = 0
  }

  private var words: [Word] = []
  /// How many documents there are, from 0 on.
  let count: Int

  /// `numbers` has the new number of each document, from 1 on without gaps, 0 for those that go.
  init(_ numbers: [UInt32]) {
    count = numbers.count
    words.reserveCapacity(count / 64 + 1)
    var rank: UInt32 = 0
    for start in stride(from: 0, to: count, by: 64) {
      var word = Word(rank: rank)
      for document in start..<min(start + 64, count) where numbers[document] != 0 {
        word.bits |= 1 << UInt64(document - start)
        rank += 1
      }
      words.append(word)
    }
  }

  /// The new number of a document below `count`; 0 when it goes.
  @inline(__always) subscript(_ document: UInt32) -> UInt32 {
    let word = words[Int(document >> 6)]
    let above = UInt64.max << UInt64(document & 63)
    guard word.bits & above & (0 &- above) != 0 else { return 0 }
    return word.rank &+ UInt32(truncatingIfNeeded: (word.bits & ~above).nonzeroBitCount) &+ 1
  }
}
