extension StaticString {
  /// Whether the bytes in a range are this constant's.
  func matches(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    guard range.count == utf8CodeUnitCount else { return false }
    for offset in 0..<range.count {
      // SAFETY: the offset is below the count of the constant's own code units.
      let expected = unsafe utf8Start[offset]
      guard bytes[range.lowerBound + offset] == expected else { return false }
    }
    return true
  }
}

extension [UInt8] {
  package mutating func append(_ text: StaticString) {
    // SAFETY: the pointer and the count are the constant's own.
    unsafe append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
