/// What a character is when it comes to cutting a word into parts; 0 is no character of a word.
enum ByteKind {
  static let lower: UInt8 = 1
  static let upper: UInt8 = 2
  static let digit: UInt8 = 4

  /// Per byte: the folded byte, and in the high half its kind; 0 for separators and non-ASCII.
  static let table: [UInt16] = (0..<256).map { byte in
    switch byte {
    case 0x30...0x39: UInt16(digit) << 8 | UInt16(byte)
    case 0x41...0x5A: UInt16(upper) << 8 | UInt16(byte) | 0x20
    case 0x61...0x7A: UInt16(lower) << 8 | UInt16(byte)
    default: 0
    }
  }

  static func of(_ byte: UInt8) -> UInt8 { UInt8(truncatingIfNeeded: table[Int(byte)] >> 8) }
}
