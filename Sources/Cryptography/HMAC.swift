package import Values

/// HMAC-SHA-256 (RFC 2104) of a message given in pieces; a copy goes on by itself.
///
/// Nobody without the key can make the code of a message, nor try out what a code was made of.
package struct HMAC: Sendable {
  private var inner = SHA256()
  private var outer = SHA256()

  private static let blockByteCount = 64

  /// The empty message under a key; one longer than a block stands for its hash.
  package init(key: [UInt8]) {
    var key = key.count > Self.blockByteCount ? SHA256.hash(key).bytes : key
    key += [UInt8](repeating: 0, count: Self.blockByteCount - key.count)
    for byte in key {
      inner.add(byte ^ 0x36)
      outer.add(byte ^ 0x5c)
    }
  }

  /// The empty message under a key of 32 bytes, without an allocation.
  package init(key: Hash32) {
    inner.add(key, pad: 0x36)
    outer.add(key, pad: 0x5c)
  }

  /// The code of a message in one piece.
  /// - Complexity: O(n).
  package static func code(of message: [UInt8], key: [UInt8]) -> Hash32 {
    var code = HMAC(key: key)
    code.add(message)
    return code.finish()
  }

  /// Adds bytes.
  /// - Complexity: O(n).
  package mutating func add(_ bytes: RawSpan) { inner.add(bytes) }

  /// Adds bytes.
  /// - Complexity: O(n).
  package mutating func add(_ bytes: [UInt8]) { inner.add(bytes) }

  package mutating func add(_ byte: UInt8) { inner.add(byte) }

  /// The code of everything that was added.
  package consuming func finish() -> Hash32 {
    outer.add(inner.finish())
    return outer.finish()
  }
}

extension SHA256 {
  /// Adds a block: the key and zeros behind it, each byte xor the pad (RFC 2104 §2).
  fileprivate mutating func add(_ key: Hash32, pad: UInt8) {
    let words = key.words
    let block =
      SIMD8(words.0, words.1, words.2, words.3, 0, 0, 0, 0)
      ^ SIMD8(repeating: UInt64(pad) &* 0x0101_0101_0101_0101)
    // SAFETY: the bytes are copied before the closure returns.
    unsafe withUnsafeBytes(of: block) { unsafe add(RawSpan(_unsafeBytes: $0)) }
  }
}
