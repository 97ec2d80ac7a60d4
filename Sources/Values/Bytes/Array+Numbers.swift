extension [UInt8] {
  /// The bytes of a number, most significant first.
  @inlinable package init(bigEndian number: some FixedWidthInteger & UnsignedInteger) {
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

  /// Appends the bytes of a number, most significant first.
  @inlinable package mutating func appendBigEndian(
    _ value: some FixedWidthInteger & UnsignedInteger
  ) {
    // SAFETY: the bytes are those of a local value, copied before the closure ends.
    unsafe Swift.withUnsafeBytes(of: value.bigEndian) { unsafe append(contentsOf: $0) }
  }
}
