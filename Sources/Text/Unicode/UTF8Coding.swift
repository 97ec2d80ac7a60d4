/// UTF-8 without String, read leniently.
package enum UTF8Coding {
  /// The scalar that begins at the index and its byte count.
  ///
  /// A byte that begins no scalar reads as U+FFFD of one byte.
  package static func decode(_ text: Span<UInt8>, at index: Int) -> (scalar: UInt32, byteCount: Int)
  {
    let first = UInt32(text[index])
    if first < 0x80 { return (first, 1) }
    let left = text.count - index
    if first >= 0xC2, first < 0xE0, left >= 2 {
      let second = UInt32(text[index + 1])
      if second & 0xC0 == 0x80 { return ((first & 0x1F) << 6 | second & 0x3F, 2) }
    } else if first >= 0xE0, first < 0xF0, left >= 3 {
      let second = UInt32(text[index + 1])
      let third = UInt32(text[index + 2])
      let scalar = (first & 0x0F) << 12 | (second & 0x3F) << 6 | third & 0x3F
      if second & 0xC0 == 0x80, third & 0xC0 == 0x80, scalar >= 0x800, scalar & 0xF800 != 0xD800 {
        return (scalar, 3)
      }
    } else if first >= 0xF0, first < 0xF5, left >= 4 {
      let second = UInt32(text[index + 1])
      let third = UInt32(text[index + 2])
      let fourth = UInt32(text[index + 3])
      let high = (first & 0x07) << 18 | (second & 0x3F) << 12
      let scalar = high | (third & 0x3F) << 6 | fourth & 0x3F
      if second & 0xC0 == 0x80, third & 0xC0 == 0x80, fourth & 0xC0 == 0x80, scalar >= 0x10000,
        scalar <= 0x10FFFF
      {
        return (scalar, 4)
      }
    }
    return (0xFFFD, 1)
  }
}
