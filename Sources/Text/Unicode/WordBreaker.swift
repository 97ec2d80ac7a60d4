internal import CICU

/// ICU's dictionary of words for scripts written without spaces.
@safe final class WordBreaker {
  private let iterator: OpaquePointer?
  private var units: [UInt16] = []
  private var unitOfScalar: [Int32] = []

  init() {
    // SAFETY: owned by this object and closed by its deinit; used by one thread at a time.
    unsafe iterator = cairn_words_open()
  }

  deinit { if let iterator = unsafe iterator { unsafe cairn_words_close(iterator) } }

  /// Fills `starts` with the indices of the scalars that begin a word; always 0 first.
  func words(of scalars: [CharacterRun.Character], into starts: inout [Int]) {
    starts.removeAll(keepingCapacity: true)
    starts.append(0)
    guard let iterator = unsafe iterator, scalars.count <= TextLimits.segmentScalarCount else {
      return
    }
    units.removeAll(keepingCapacity: true)
    unitOfScalar.removeAll(keepingCapacity: true)
    for character in scalars {
      unitOfScalar.append(Int32(truncatingIfNeeded: units.count))
      units.appendUTF16(character.scalar)
    }
    // SAFETY: the iterator reads the units only inside this closure.
    unsafe units.withUnsafeBufferPointer { text in
      guard unsafe cairn_words_set(iterator, text.baseAddress, Int32(text.count)) != 0 else {
        return
      }
      var index = 0
      while true {
        let boundary = unsafe cairn_words_next(iterator)
        guard boundary >= 0, boundary < Int32(text.count) else { return }
        while index < unitOfScalar.count, unitOfScalar[index] < boundary { index += 1 }
        if index < unitOfScalar.count, unitOfScalar[index] == boundary { starts.append(index) }
      }
    }
  }
}
