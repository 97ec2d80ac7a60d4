import Cryptography

/// A public key that checks the signatures of notes, written as a *vkey*.
///
/// Source: C2SP signed-note, "Verifier keys": `name+<id, 8 hex digits>+base64(type ‖ public key)`.
package struct VerifierKey: Hashable, Sendable {
  /// Whose key it is; for a log's key, the log's origin.
  package let name: String
  package let algorithm: SignatureAlgorithm
  /// The 32 bytes of the Ed25519 public key.
  package let publicKey: [UInt8]
  /// What stands for the key in a signature, beside the name.
  package let id: UInt32

  /// The key with these parts.
  /// - Throws: `CairnError` `.badArgument` when the name is not allowed or the key not 32 bytes.
  package init(name: String, algorithm: SignatureAlgorithm, publicKey: [UInt8]) throws(CairnError) {
    guard KeyName.isValid(name) else {
      throw CairnError(
        .badArgument, "a key's name must not be empty nor hold spaces, controls or '+'")
    }
    guard publicKey.count == 32 else {
      throw CairnError(.badArgument, "an Ed25519 public key has 32 bytes")
    }
    self.name = name
    self.algorithm = algorithm
    self.publicKey = publicKey
    id = KeyName.id(name: name, algorithm: algorithm, publicKey: publicKey)
  }

  /// The key that a vkey text stands for.
  /// - Throws: `CairnError` `.badArgument`, also when the id does not belong to the key;
  ///   `.badArgument` for another signature type.
  package init(_ text: String) throws(CairnError) {
    let parts = text.split(separator: "+", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let id = KeyName.id(hex: parts[1]),
      let key = Base64.decode(parts[2].utf8), let type = key.first
    else { throw CairnError(.badArgument, "a verifier key is written name+id+base64") }
    guard let algorithm = SignatureAlgorithm(rawValue: type) else {
      throw CairnError(.badArgument, "a key of this signature type cannot be used here")
    }
    try self.init(name: String(parts[0]), algorithm: algorithm, publicKey: Array(key.dropFirst()))
    guard id == self.id else {
      throw CairnError(.badArgument, "the id of the verifier key belongs to another key")
    }
  }

  /// The vkey text, as others configure it.
  package var text: String {
    "\(name)+\(KeyName.hex(id))+\(Base64.encode([algorithm.rawValue] + publicKey))"
  }

  /// Whether the signature of this key, the bytes after the key id, belongs to the text with its
  /// final line feed.
  package func verify(_ signature: some Collection<UInt8>, of text: String) -> Bool {
    var message = Array(text.utf8)
    var signature = Array(signature)
    if algorithm == .cosignature {
      guard let time = Cosignature.time(of: signature) else { return false }
      message = Cosignature.message(time: time, text: text)
      signature.removeFirst(8)
    }
    return Ed25519Key.verify(signature, of: message, publicKey: publicKey)
  }

  func isKey(of signature: SignedNote.Signature) -> Bool {
    id == signature.keyID && KeyName.areSame(name, signature.name)
  }
}
