internal import CCrypto

/// SHA-1 (FIPS 180-4), where a standard has it for names; it protects nothing.
package enum SHA1 {
  /// The 20 bytes that stand for a message.
  /// - Complexity: O(n).
  package static func hash(_ message: [UInt8]) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
    // SAFETY: reads the message and writes the 20 bytes that the array has.
    unsafe message.withUnsafeBufferPointer { message in
      unsafe hash.withUnsafeMutableBufferPointer { hash in
        _ = unsafe CCrypto.SHA1(message.baseAddress, message.count, hash.baseAddress)
      }
    }
    return hash
  }
}
