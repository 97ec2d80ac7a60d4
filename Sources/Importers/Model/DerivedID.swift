import Crypto
package import Events

/// Event ids that follow from what the events are made of, so that importing the same thing
/// twice counts duplicates instead of doubling the history.
///
/// Keyed by the store: nobody without it can try out what an id was made of.
package struct DerivedID {
  /// Has taken the key in: a copy of it is what each id begins with.
  private let keyed: HMAC<SHA256>

  package init(key: [UInt8]) { keyed = HMAC<SHA256>(key: SymmetricKey(data: key)) }

  /// - Returns: a UUID of version 8 (RFC 9562 §5.8): the first 122 free bits of the HMAC-SHA-256
  ///   of the parts.
  package func make(_ identity: Identity) -> EventID {
    var code = keyed
    code.update(data: identity.bytes)
    // SAFETY: a code of SHA-256 has 32 bytes.
    let (high, low) = unsafe code.finalize().withUnsafeBytes { bytes in
      unsafe (
        bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      )
    }
    return EventID(
      high: UInt64(bigEndian: high) & ~0xF000 | 0x8000,
      low: UInt64(bigEndian: low) & (~0 >> 2) | 1 << 63)
  }
}
