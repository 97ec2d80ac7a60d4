/// Base64 (RFC 4648 §4), padded, read strictly.
package enum Base64 {
  /// The bytes of an encoded text; nil unless it is the one form ``append(_:to:)`` would write.
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var index = 0
    while index < text.count {
      let isLast = index + 4 == text.count
      let padding: Int
      if isLast, text[index + 3] == UInt8(ascii: "=") {
        padding = text[index + 2] == UInt8(ascii: "=") ? 2 : 1
      } else {
        padding = 0
      }
      var group: UInt32 = 0
      for offset in 0..<4 - padding {
        guard let value = value(text[index + offset]) else { return nil }
        group = group << 6 | UInt32(value)
      }
      group <<= UInt32(6 * padding)
      // Bits that no byte takes must be zero, else two texts would mean the same.
      guard group & (1 << UInt32(8 * padding) - 1) == 0 else { return nil }
      for offset in 0..<3 - padding {
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * offset)))
      }
      index += 4
    }
    return bytes
  }

  /// The bytes of the encoded text that is the last item of a buffer.
  static func decode(_ buffer: [UInt8], textAt start: Int) -> [UInt8]? {
    decode(buffer.span.extracting((start + buffer.headByteCount(at: start))...))
  }

  private static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// Appends the encoded text of some bytes.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < bytes.count {
      let count = min(3, bytes.count - index)
      var group: UInt32 = 0
      for offset in 0..<3 {
        group = group << 8 | (offset < count ? UInt32(bytes[index + offset]) : 0)
      }
      for offset in 0..<4 {
        guard offset <= count else {
          output.append(UInt8(ascii: "="))
          continue
        }
        output.append(character(UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * offset)) & 63))
      }
      index += 3
    }
  }

  private static func character(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: value + 65
    case 26..<52: value + 71
    case 52..<62: value - 4
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}
