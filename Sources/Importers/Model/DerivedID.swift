import Crypto
package import Events

/// Event ids that follow from what the events are made of, so that importing the same thing
/// twice counts duplicates instead of doubling the history.
///
/// Keyed by the store: nobody without it can try out what an id was made of.
package struct DerivedID {
  private let key: SymmetricKey

  package init(key: [UInt8]) { self.key = SymmetricKey(data: key) }

  /// - Returns: a UUID of version 8 (RFC 9562 §5.8): the first 122 free bits of the HMAC-SHA-256
  ///   of the parts.
  package func make(_ identity: Identity) -> EventID {
    var bytes = Array(HMAC<SHA256>.authenticationCode(for: identity.bytes, using: key).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x80
    bytes[8] = bytes[8] & 0x3F | 0x80
    return EventID(bytes: bytes) ?? EventID.timeOrdered()
  }
}
