import Crypto

/// Event ids that follow from what the events are made of, so that importing the same thing
/// twice counts duplicates instead of doubling the history.
///
/// Keyed by the store: an id outlives a purge, and nobody can then try out what it was made of.
struct DerivedID {
  private let key: SymmetricKey

  init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

  /// - Returns: a UUID of version 8 (RFC 9562 §5.8): the first 122 free bits of the HMAC-SHA-256
  ///   of the parts, each preceded by its length so that no two lists run together.
  func make(_ parts: [UInt8]...) -> String {
    var code = HMAC<SHA256>(key: key)
    for part in parts {
      let length = UInt64(part.count)
      code.update(data: (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) })
      code.update(data: part)
    }
    var bytes = Array(code.finalize().prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return Self.format(bytes)
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
