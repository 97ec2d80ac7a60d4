/// Base64 (RFC 4648 §4), padded, read strictly.
package enum Base64 {
  /// The text for these bytes.
  ///
  /// - Complexity: O(n).
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    append(Array(bytes).span, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text for these bytes, as ASCII, to a buffer.
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
          output.append(padding)
          continue
        }
        output.append(character(UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * offset)) & 63))
      }
      index += 3
    }
  }

  /// The bytes of a text, or nil when it is not the one canonical form.
  ///
  /// Missing or extra padding, characters outside the alphabet, white space, and non-zero spare
  /// bits are refused, so that two different texts never stand for the same bytes.
  ///
  /// - Complexity: O(n).
  package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var index = 0
    while index < text.count {
      let isLast = index + 4 == text.count
      let paddingCount =
        isLast && text[index + 3] == padding ? (text[index + 2] == padding ? 2 : 1) : 0
      var group: UInt32 = 0
      for offset in 0..<4 - paddingCount {
        guard let value = value(text[index + offset]) else { return nil }
        group = group << 6 | UInt32(value)
      }
      group <<= UInt32(6 * paddingCount)
      guard group & (1 << UInt32(8 * paddingCount) - 1) == 0 else { return nil }
      for offset in 0..<3 - paddingCount {
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * offset)))
      }
      index += 4
    }
    return bytes
  }

  /// The bytes of a text, or nil when it is not the one canonical form.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    decode(Array(text).span)
  }

  /// The bytes of a text, or nil when it is not the one canonical form.
  package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

  private static let padding = UInt8(ascii: "=")

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
