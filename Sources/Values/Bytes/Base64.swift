/// Base64 (RFC 4648 §4), padded, read strictly.
package enum Base64 {
  /// The text for these bytes.
  /// - Complexity: O(n).
  package static func encode(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    append(Array(bytes).span, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the text for these bytes, as ASCII, to a buffer.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    output.append(addingCapacity: (bytes.count + 2) / 3 * 4) { (text: inout OutputSpan<UInt8>) in
      var index = 0
      while index + 3 <= bytes.count {
        append(bytes[index], bytes[index + 1], bytes[index + 2], count: 4, to: &text)
        index += 3
      }
      let rest = bytes.count - index
      guard rest > 0 else { return }
      append(bytes[index], rest > 1 ? bytes[index + 1] : 0, 0, count: rest + 1, to: &text)
      for _ in rest..<3 { text.append(padding) }
    }
  }

  @inline(__always) private static func append(
    _ first: UInt8, _ second: UInt8, _ third: UInt8, count: Int, to text: inout OutputSpan<UInt8>
  ) {
    let group = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
    text.append(character(group >> 18))
    text.append(character(group >> 12))
    if count > 2 { text.append(character(group >> 6)) }
    if count > 3 { text.append(character(group)) }
  }

  /// The bytes of a text, or nil when it is not the one canonical form.
  ///
  /// Missing or extra padding, characters outside the alphabet, white space, and non-zero spare
  /// bits are refused, so that two different texts never stand for the same bytes.
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

  /// What a character of the alphabet stands for; nil for any other.
  package static func value(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static let alphabet: StaticString =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

  /// The character for the lowest six bits.
  @inline(__always) private static func character(_ value: UInt32) -> UInt8 {
    // SAFETY: the alphabet has 64 characters.
    unsafe alphabet.utf8Start[Int(value & 63)]
  }
}
