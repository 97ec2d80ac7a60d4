internal import CSHA256
import Crypto

/// SHA-256 of a message given in pieces.
///
/// Uses the processor's own instructions on x86-64, else swift-crypto, which allocates for each
/// message: that costs as much as hashing the few hundred bytes of an event, three times an event.
/// Hash large amounts with swift-crypto directly.
package struct MessageHash: ~Copyable {
  static let isNative = cairn_sha256_is_supported() != 0

  private var native = cairn_sha256()
  /// Nil where the processor does it.
  private var library: SHA256?

  /// The empty message.
  ///
  /// - Parameter usesLibrary: Whether swift-crypto hashes it whatever the processor can do.
  package init(usesLibrary: Bool = false) {
    if usesLibrary || !Self.isNative {
      library = SHA256()
    } else {
      unsafe cairn_sha256_begin(&native)
    }
  }

  /// Adds bytes.
  ///
  /// - Complexity: O(n).
  package mutating func add(_ bytes: RawSpan) {
    // SAFETY: the bytes are borrowed for the time of the call.
    unsafe bytes.withUnsafeBytes { unsafe add($0) }
  }

  /// Adds one byte.
  package mutating func add(_ byte: UInt8) {
    // SAFETY: as above.
    unsafe withUnsafeBytes(of: byte) { unsafe add($0) }
  }

  /// Adds the 32 bytes of a hash.
  package mutating func add(_ hash: Hash32) {
    // SAFETY: as above.
    unsafe withUnsafeBytes(of: hash.words) { unsafe add($0) }
  }

  /// Adds a block of 64 bytes: the key and zeros behind it, each byte xor the pad (RFC 2104 §2).
  package mutating func add(key: Hash32, pad: UInt8) {
    // SAFETY: as above.
    unsafe withUnsafeBytes(of: Self.block(key, pad)) { unsafe add($0) }
  }

  /// The key and zeros behind it, each byte xor the pad.
  static func block(_ key: Hash32, _ pad: UInt8) -> SIMD8<UInt64> {
    let words = key.words
    return SIMD8(words.0, words.1, words.2, words.3, 0, 0, 0, 0)
      ^ SIMD8(repeating: UInt64(pad) &* 0x0101_0101_0101_0101)
  }

  /// The hash of everything that was added.
  package consuming func finish() -> Hash32 {
    if let library { return Self.hash(library.finalize()) }
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    unsafe cairn_sha256_finish(&native, &words)  // SAFETY: writes 32 bytes, which the words have.
    return Hash32(words: words)
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard library == nil else {
      unsafe library?.update(bufferPointer: bytes)
      return
    }
    // SAFETY: reads at most the buffer's own extent, which may be empty.
    unsafe cairn_sha256_add(&native, bytes.baseAddress, bytes.count)
  }

  /// The bytes of a digest.
  static func hash(_ digest: SHA256.Digest) -> Hash32 {
    // SAFETY: a SHA-256 digest has 32 bytes, and an integer may have any bit pattern.
    unsafe digest.withUnsafeBytes { buffer in
      Hash32(
        words: unsafe (
          buffer.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
          buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
          buffer.loadUnaligned(fromByteOffset: 16, as: UInt64.self),
          buffer.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
        ))
    }
  }
}
