/// Signed numbers as unsigned ones that are small where they are near zero, either side of it:
/// 0, −1, 1, −2 … become 0, 1, 2, 3 … (Protocol Buffers' ZigZag encoding).
extension UInt64 {
  /// The code of a signed number.
  @inlinable package init(zigzag value: Int64) { self.init(bitPattern: value << 1 ^ value >> 63) }
}

extension Int64 {
  /// The number that a code stands for.
  @inlinable package init(zigzag code: UInt64) {
    self = Int64(bitPattern: code >> 1) ^ -Int64(bitPattern: code & 1)
  }
}
