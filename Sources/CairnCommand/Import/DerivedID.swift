import Crypto

/// An event id that follows from what the event is made of, so that importing the same
/// thing twice counts duplicates instead of doubling the history.
enum DerivedID {
  /// - Returns: a UUID of version 8 (RFC 9562 §5.8): the first 122 free bits of the SHA-256
  ///   of the parts, each preceded by its length so that no two lists run together.
  static func make(_ parts: [UInt8]...) -> String {
    var hash = SHA256()
    for part in parts {
      addLength(part.count, &hash)
      hash.update(data: part)
    }
    var bytes = Array(hash.finalize().prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return format(bytes)
  }

  private static func addLength(_ count: Int, _ hash: inout SHA256) {
    let length = UInt64(count)
    hash.update(data: (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) })
  }

  private static func format(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 0x0F)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
