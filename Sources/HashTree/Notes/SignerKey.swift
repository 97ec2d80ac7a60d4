import Cryptography

/// A private key that signs notes.
///
/// Its text form is the one of golang.org/x/mod/sumdb/note, which most tools of this field read:
/// `PRIVATE+KEY+name+<id, 8 hex digits>+base64(type ‖ seed)`.
package struct SignerKey: Sendable {
  /// The public half.
  package let verifier: VerifierKey
  private let key: Ed25519Key

  /// A new random key.
  /// - Throws: `CairnError` `.badArgument` when the name is not allowed.
  package init(randomFor name: String, algorithm: SignatureAlgorithm = .ed25519) throws(CairnError)
  {
    guard let key = Ed25519Key() else { throw CairnError(.io, "no key can be made") }
    try self.init(name: name, algorithm: algorithm, key: key)
  }

  /// The key that grows out of a seed (RFC 8032 private key, 32 bytes).
  /// - Throws: `CairnError` `.badArgument` when the name is not allowed or the seed not 32 bytes.
  package init(name: String, algorithm: SignatureAlgorithm = .ed25519, seed: [UInt8])
    throws(CairnError)
  {
    guard let key = Ed25519Key(seed: seed) else {
      throw CairnError(.badArgument, "an Ed25519 private key has 32 bytes")
    }
    try self.init(name: name, algorithm: algorithm, key: key)
  }

  /// The key that a private key text stands for.
  /// - Throws: `CairnError` `.badArgument`, also when the id does not belong to the key;
  ///   `.badArgument` for another signature type.
  package init(_ text: String) throws(CairnError) {
    let parts = text.split(separator: "+", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0] == "PRIVATE", parts[1] == "KEY",
      let id = KeyName.id(hex: parts[3]), let seed = Base64.decode(parts[4].utf8),
      let type = seed.first
    else { throw CairnError(.badArgument, "a private key is written PRIVATE+KEY+name+id+base64") }
    guard let algorithm = SignatureAlgorithm(rawValue: type) else {
      throw CairnError(.badArgument, "a key of this signature type cannot be used here")
    }
    try self.init(name: String(parts[2]), algorithm: algorithm, seed: Array(seed.dropFirst()))
    guard id == verifier.id else {
      throw CairnError(.badArgument, "the id of the private key belongs to another key")
    }
  }

  private init(name: String, algorithm: SignatureAlgorithm, key: Ed25519Key) throws(CairnError) {
    self.key = key
    verifier = try VerifierKey(name: name, algorithm: algorithm, publicKey: key.publicKey)
  }

  /// The private key text.
  ///
  /// Whoever has it can sign as the log: keep it out of output and errors.
  package var privateText: String {
    let seed = [verifier.algorithm.rawValue] + key.seed
    return "PRIVATE+KEY+\(verifier.name)+\(KeyName.hex(verifier.id))+\(Base64.encode(seed))"
  }

  /// Signs a note's text with its final line feed.
  ///
  /// Cosignatures alone have a time, in seconds since 1970.
  /// - Throws: `CairnError` `.notVerified` when the time is too large.
  package func sign(_ text: String, time: UInt64 = 0) throws(CairnError) -> SignedNote.Signature {
    let isTimed = verifier.algorithm == .cosignature
    guard time <= UInt64(Int64.max) else {
      throw CairnError(.notVerified, "a cosignature's time is at most 2^63 - 1")
    }
    let message = isTimed ? Cosignature.message(time: time, text: text) : Array(text.utf8)
    guard let signature = key.signature(of: message) else {
      throw CairnError(.notVerified, "the key cannot sign")
    }
    return SignedNote.Signature(
      name: verifier.name, keyID: verifier.id,
      bytes: (isTimed ? [UInt8](bigEndian: time) : []) + signature)
  }
}

extension SignerKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// The public half only, so that no log line gives the key away.
  package var description: String { verifier.text }
  package var debugDescription: String { verifier.text }
}
