extension [UInt8] {
  /// Four bytes, most significant first.
  package init(bigEndian number: UInt32) {
    self.init()
    appendBigEndian(number)
  }

  /// Eight bytes, most significant first.
  package init(bigEndian number: UInt64) {
    self.init()
    appendBigEndian(number)
  }

  /// Four bytes and eight, each most significant first.
  package init(bigEndian number: UInt32, _ second: UInt64) {
    self.init()
    reserveCapacity(12)
    appendBigEndian(number)
    appendBigEndian(second)
  }

  /// Appends an unsigned LEB128 number, at most ten bytes.
  @inlinable package mutating func appendVarint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends eight bytes, most significant first.
  package mutating func appendBigEndian(_ value: UInt64) { appendWord(value.bigEndian) }

  /// Appends four bytes, most significant first.
  package mutating func appendBigEndian(_ value: UInt32) { appendWord(value.bigEndian) }

  @inline(__always) private mutating func appendWord(_ word: some FixedWidthInteger) {
    // SAFETY: the bytes are those of a local value, copied before the closure ends.
    unsafe Swift.withUnsafeBytes(of: word) { unsafe append(contentsOf: $0) }
  }
}
