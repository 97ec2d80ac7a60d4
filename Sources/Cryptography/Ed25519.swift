internal import CCrypto

/// A private key of Ed25519 (RFC 8032).
package struct Ed25519Key: Sendable {
  /// How many bytes keys have, private and public ones.
  package static let byteCount = 32

  /// The private key itself: whoever has it can sign.
  package let seed: [UInt8]
  /// What checks its signatures.
  package let publicKey: [UInt8]

  /// A new random key; nil where the system cannot make one.
  package init?() {
    var generator = SystemRandomNumberGenerator()
    self.init(seed: (0..<Self.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// The key that grows out of 32 bytes; nil for another number of them.
  package init?(seed: [UInt8]) {
    guard seed.count == Self.byteCount, let key = LibraryKey(seed: seed) else { return nil }
    self.seed = seed
    guard let publicKey = key.publicKey() else { return nil }
    self.publicKey = publicKey
  }

  /// The 64 bytes that sign a message, the same each time; nil where memory is short.
  package func signature(of message: [UInt8]) -> [UInt8]? {
    LibraryKey(seed: seed)?.signature(of: message)
  }

  /// Whether a signature of a message was made with the private half of a key.
  /// - Returns: False also for bytes that are no key or no signature.
  package static func verify(_ signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool
  {
    LibraryKey(publicKey: publicKey)?.verify(signature, of: message) ?? false
  }
}

/// A key as libcrypto holds it.
///
/// Errors are told by results; what libcrypto notes of them is taken away, since the next
/// connection on this thread would take it for its own.
@safe private struct LibraryKey: ~Copyable {
  private let raw: OpaquePointer

  /// Keys need nothing of the system's configuration, which may be unreadable.
  private static let isReady = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1

  init?(seed: [UInt8]) {
    // SAFETY: the library copies the bytes.
    unsafe self.init(
      Self.isReady ? EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) : nil)
  }

  init?(publicKey: [UInt8]) {
    // SAFETY: the library copies the bytes.
    unsafe self.init(
      Self.isReady
        ? EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count) : nil)
  }

  private init?(_ raw: OpaquePointer?) {
    guard let raw = unsafe raw else {
      ERR_clear_error()
      return nil
    }
    unsafe self.raw = raw
  }

  deinit { unsafe EVP_PKEY_free(raw) }

  func publicKey() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Ed25519Key.byteCount)
    var count = bytes.count
    // SAFETY: writes at most `count` bytes, which the array has.
    guard unsafe EVP_PKEY_get_raw_public_key(raw, &bytes, &count) == 1, count == bytes.count else {
      ERR_clear_error()
      return nil
    }
    return bytes
  }

  func signature(of message: [UInt8]) -> [UInt8]? {
    guard let context = unsafe EVP_MD_CTX_new() else { return nil }
    defer { unsafe EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 64)
    var count = signature.count
    // SAFETY: key and context live until the end; at most `count` bytes are written.
    guard unsafe EVP_DigestSignInit(context, nil, nil, nil, raw) == 1,
      unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1,
      count == signature.count
    else {
      ERR_clear_error()
      return nil
    }
    return signature
  }

  func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    // SAFETY: key and context live until the end; no more than the arrays hold is read.
    let isRight =
      unsafe EVP_DigestVerifyInit(context, nil, nil, nil, raw) == 1
      && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    if !isRight { ERR_clear_error() }
    return isRight
  }
}
