internal import CStemmer

/// Cuts words of one language to their stems, by Snowball's algorithms.
///
/// Takes words as the analyzer folds them. Documents are never stemmed: a stem only tells which
/// words of the dictionary are one family. Belongs to one thread at a time.
@safe package final class Stemmer {
  private let handle: OpaquePointer
  /// What cuts by the endings of another language; nil for none.
  private let other: Stemmer?

  /// Nil when the library that is linked does not know the language.
  package init?(_ language: StemLanguage, besides other: Stemmer? = nil) {
    guard let handle = unsafe sb_stemmer_new(language.rawValue, nil) else { return nil }
    // SAFETY: owned by this object and deleted by its deinit; used by one thread at a time.
    unsafe self.handle = handle
    self.other = other
  }

  /// This one and those besides, one for each language.
  package var all: [Stemmer] { [self] + (other?.all ?? []) }

  deinit { unsafe sb_stemmer_delete(handle) }

  /// The stem of a folded word; the word itself where the language cuts nothing.
  /// - Complexity: O(bytes), some 0.3 µs.
  package func stem(_ word: [UInt8]) -> [UInt8] {
    // SAFETY: the library reads `count` bytes, and its answer is copied before the next call.
    unsafe word.withUnsafeBufferPointer { bytes in
      guard let stem = unsafe sb_stemmer_stem(handle, bytes.baseAddress, Int32(bytes.count)) else {
        return word
      }
      let count = Int(unsafe sb_stemmer_length(handle))
      return unsafe Array(UnsafeBufferPointer(start: stem, count: count))
    }
  }

  /// What every word of a family that is looked for begins with; nil when that is not enough to
  /// look for.
  ///
  /// A stem may end in a letter that its words lack (`happi` for `happy`, `hope` for `hoping`), so
  /// the last letter that word and stem share is left open.
  package func root(of word: [UInt8], stem: [UInt8]) -> [UInt8]? {
    var count = 0
    while count < min(word.count, stem.count), word[count] == stem[count] { count += 1 }
    var root = word[..<count]
    while let last = root.popLast(), last & 0xC0 == 0x80 {}
    while root.count < word.count, !root.isEmpty, word[root.count] & 0xC0 == 0x80 {
      _ = root.popLast()
    }
    var letters = 0
    for byte in root where byte & 0xC0 != 0x80 { letters += 1 }
    return letters >= TextLimits.stemRootLetterCount ? Array(root) : nil
  }
}
