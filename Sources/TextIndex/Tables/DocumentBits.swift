/// Which documents a long list in memory has: a bit for each, and how many come before every 512.
///
/// Whether a document is there takes one look wherever it stands, while searching for it takes
/// steps that no processor foresees; so a short list is held against a long one several times as
/// fast.
struct DocumentBits: Sendable {
  private let words: [UInt64]
  /// Documents in the words before every eighth.
  private let before: [UInt32]
  let count: Int
  let last: UInt32

  /// A list has bits when it has at least one document in so many: else they would take more than
  /// three times the room of the list.
  private static let spread = 256

  /// What they take in memory.
  var byteCount: Int { words.count * 8 + before.count * 4 }

  /// The bits of documents that rise; nil when there are too few for them.
  /// - Complexity: O(documents + last document / 64).
  init?(_ documents: [UInt32]) {
    guard let last = documents.last, documents.count * Self.spread >= Int(last) else { return nil }
    var words = [UInt64](repeating: 0, count: Int(last) / 64 + 1)
    var span = words.mutableSpan
    var previous: UInt32?
    for document in documents {
      // What is damaged may not rise.
      guard document <= last, previous.map({ $0 < document }) ?? true else { return nil }
      previous = document
      span[Int(document >> 6)] |= 1 << UInt64(document & 63)
    }
    self.init(words, last: last)
  }

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

  /// Drops the places whose document the list would have to have.
  func keep(_ selected: inout [UInt32], in documents: [UInt32]) {
    var kept = 0
    for place in selected {
      let document = documents[Int(place)]
      guard document > last || contains(document) else { continue }
      selected[kept] = place
      kept += 1
    }
    selected.removeLast(selected.count - kept)
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

  /// Whether the list has some document of a range.
  func meets(_ range: ClosedRange<UInt32>) -> Bool {
    guard range.lowerBound <= last else { return false }
    let first = index(of: range.lowerBound)
    return first < count && (range.upperBound >= last || first < index(of: range.upperBound + 1))
  }

  /// How many documents of the list come before one up to the last.
  func index(of document: UInt32) -> Int {
    let word = Int(document >> 6)
    var count = (words[word] & (1 << UInt64(document & 63) - 1)).nonzeroBitCount
    for index in word & ~7..<word { count += words[index].nonzeroBitCount }
    return Int(before[word >> 3]) + count
  }
}
