/// Percent-encoding of URLs (RFC 3986 §2.1).
package enum PercentEncoding {
  /// - Returns: the text with every `%41` as the byte it stands for; the text itself where
  ///   that would not be UTF-8 or would hold control characters.
  package static func decode(_ text: String) -> String { decode(Array(text.utf8)[...]) ?? text }

  /// The text that bytes of a URL stand for; nil where it would not be UTF-8 or would hold control
  /// characters.
  package static func decode(_ text: ArraySlice<UInt8>) -> String? {
    let decoded = bytes(text)
    guard decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return String(validating: decoded, as: UTF8.self)
  }

  /// The bytes that a text stands for, whatever they are.
  package static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(text.count)
    var at = text.startIndex
    while at < text.endIndex {
      if text[at] == UInt8(ascii: "%"), text.endIndex - at > 2,
        let high = Hexadecimal.value(text[at + 1]), let low = Hexadecimal.value(text[at + 2])
      {
        decoded.append(high << 4 | low)
        at += 3
      } else {
        decoded.append(text[at])
        at += 1
      }
    }
    return decoded
  }

  /// - Returns: the text as it may stand in a URI: everything but letters, digits and `-._~`
  ///   percent-encoded.
  package static func encode(_ text: String) -> String { encode(text.utf8, keeping: []) }

  /// Percent-encodes bytes; those in `keeping`, all of them ASCII, stay as well.
  package static func encode(_ bytes: some Sequence<UInt8>, keeping: Set<UInt8>) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: encoded.append(byte)
      case _ where keeping.contains(byte): encoded.append(byte)
      default: append(byte, to: &encoded)
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  package static func append(_ byte: UInt8, to encoded: inout [UInt8]) {
    func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
    encoded += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
  }
}
