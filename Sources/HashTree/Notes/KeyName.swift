import Cryptography
import Values

/// The kinds of note signatures that are made and checked here (C2SP signed-note, "Signature
/// types").
package enum SignatureAlgorithm: UInt8, Hashable, Sendable {
  /// Ed25519 over the note's text: what the log signs with.
  case ed25519 = 0x01
  /// Ed25519 over a time and a checkpoint's text: what a witness signs with (cosignature/v1).
  case cosignature = 0x04
}

/// Names of keys, and the ids that stand for a key beside its name.
enum KeyName {
  /// Whether a text may name a key: not empty, no plus, no white space, no control character.
  static func isValid(_ name: String) -> Bool {
    guard !name.isEmpty else { return false }
    return name.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0 != "+" && !$0.properties.isWhitespace
    }
  }

  /// Whether two names have the same bytes.
  ///
  /// `==` would take canonically equivalent names for one.
  static func areSame(_ a: String, _ b: String) -> Bool { a.utf8.elementsEqual(b.utf8) }

  /// The first four bytes of SHA-256(name ‖ 0x0A ‖ type ‖ public key), big-endian.
  static func id(name: String, algorithm: SignatureAlgorithm, publicKey: [UInt8]) -> UInt32 {
    let hash = SHA256.hash(Array(name.utf8) + [0x0A, algorithm.rawValue] + publicKey)
    return hash.withSpan { $0.loadBigEndian32(at: 0) }
  }

  /// The eight lower-case hexadecimal digits of an id.
  static func hex(_ id: UInt32) -> String { String(id, radix: 16, digits: 8) }

  /// The id with these eight lower-case hexadecimal digits.
  static func id(hex text: some StringProtocol) -> UInt32? {
    // The initialiser also takes signs, capitals and other lengths.
    guard let id = UInt32(text, radix: 16), text.utf8.elementsEqual(hex(id).utf8) else {
      return nil
    }
    return id
  }
}
