/// Standard base64 (RFC 4648 §4) with padding, the only text form of bytes that C2SP formats know.
package enum Base64 {
  /// The text for these bytes.
  ///
  /// - Complexity: O(n).
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    append(bytes, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text for these bytes, as ASCII, to a buffer.
  package static func append(_ bytes: some Collection<UInt8>, to text: inout [UInt8]) {
    var pending: UInt32 = 0
    var count = 0
    for byte in bytes {
      pending = pending << 8 | UInt32(byte)
      count += 1
      guard count == 3 else { continue }
      text.append(digit(pending >> 18))
      text.append(digit(pending >> 12))
      text.append(digit(pending >> 6))
      text.append(digit(pending))
      pending = 0
      count = 0
    }
    switch count {
    case 1:
      text.append(digit(pending >> 2))
      text.append(digit(pending << 4))
      text.append(padding)
      text.append(padding)
    case 2:
      text.append(digit(pending >> 10))
      text.append(digit(pending >> 4))
      text.append(digit(pending << 2))
      text.append(padding)
    default: break
    }
  }

  /// The bytes of a text, or `nil` when it is not the one canonical form.
  ///
  /// Missing or extra padding, characters outside the alphabet, white space, and non-zero spare
  /// bits are refused, so that two different texts never stand for the same bytes.
  ///
  /// - Complexity: O(n).
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var pending: UInt32 = 0
    var digits = 0
    var paddings = 0
    for character in text {
      if character == padding {
        paddings += 1
        continue
      }
      guard paddings == 0, let value = value(of: character) else { return nil }
      pending = pending << 6 | value
      digits += 1
      guard digits % 4 == 0 else { continue }
      result.append(UInt8(truncatingIfNeeded: pending >> 16))
      result.append(UInt8(truncatingIfNeeded: pending >> 8))
      result.append(UInt8(truncatingIfNeeded: pending))
      pending = 0
    }
    switch (digits % 4, paddings) {
    case (0, 0): return result
    case (2, 2) where pending & 0xF == 0:
      result.append(UInt8(truncatingIfNeeded: pending >> 4))
      return result
    case (3, 1) where pending & 0x3 == 0:
      result.append(UInt8(truncatingIfNeeded: pending >> 10))
      result.append(UInt8(truncatingIfNeeded: pending >> 2))
      return result
    default: return nil
    }
  }

  /// The bytes of a text, or `nil` when it is not the one canonical form.
  package static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

  private static let padding = UInt8(ascii: "=")

  private static func digit(_ value: UInt32) -> UInt8 {
    let value = UInt8(truncatingIfNeeded: value & 0x3F)
    switch value {
    case 0..<26: return UInt8(ascii: "A") + value
    case 26..<52: return UInt8(ascii: "a") + (value - 26)
    case 52..<62: return UInt8(ascii: "0") + (value - 52)
    case 62: return UInt8(ascii: "+")
    default: return UInt8(ascii: "/")
    }
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

extension Hash32 {
  /// The hash as 44 characters of base64.
  package var base64: String { Base64.encode(bytes) }

  /// The hash written as base64, or `nil` when the text is not canonical or not 32 bytes.
  package init?(base64 text: some StringProtocol) {
    guard text.utf8.count == 44, let bytes = Base64.decode(text.utf8) else { return nil }
    self.init(bytes: bytes)
  }
}
