internal import CCrypto
package import Values

/// SHA-256 (FIPS 180-4) of a message given in pieces; a copy goes on by itself.
///
/// Calls the functions of OpenSSL's libcrypto that work in place: those it recommends allocate for
/// each message, which costs as much as hashing the few hundred bytes of an event.
package struct SHA256: Sendable {
  private var context = SHA256_CTX()

  /// The empty message.
  package init() {
    unsafe SHA256_Init(&context)  // SAFETY: fills the structure it is given; cannot fail.
  }

  /// The hash of a message in one piece.
  /// - Complexity: O(n).
  package static func hash(_ message: [UInt8]) -> Hash32 {
    var hash = SHA256()
    hash.add(message)
    return hash.finish()
  }

  /// Adds bytes.
  /// - Complexity: O(n).
  package mutating func add(_ bytes: RawSpan) {
    // SAFETY: the bytes are borrowed for the time of the call, and no more than there are is read.
    unsafe bytes.withUnsafeBytes { buffer in
      _ = unsafe SHA256_Update(&context, buffer.baseAddress, buffer.count)
    }
  }

  /// Adds bytes.
  /// - Complexity: O(n).
  package mutating func add(_ bytes: [UInt8]) { add(bytes.rawSpan) }

  package mutating func add(_ byte: UInt8) {
    // SAFETY: as above.
    unsafe withUnsafeBytes(of: byte) { buffer in
      _ = unsafe SHA256_Update(&context, buffer.baseAddress, 1)
    }
  }

  package mutating func add(_ hash: Hash32) { hash.withSpan { add($0) } }

  package consuming func finish() -> Hash32 {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    // SAFETY: writes 32 bytes, which the words have.
    unsafe withUnsafeMutableBytes(of: &words) { buffer in
      _ = unsafe SHA256_Final(buffer.baseAddress, &context)
    }
    return Hash32(words: words)
  }
}
