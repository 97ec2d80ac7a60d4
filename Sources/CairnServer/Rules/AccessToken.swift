import Cryptography
package import Values

/// A token that somebody was given, of which only the hash is kept.
package struct AccessToken: Sendable, Hashable {
  package var name: String
  package var scope: Scope
  /// SHA-256 of the token's text.
  var hash: [UInt8]
  package var created: Timestamp

  /// 256 random bits as base64url (RFC 4648 §5), 43 characters.
  package static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return base64URL(bytes)
  }

  static func base64URL(_ bytes: [UInt8]) -> String {
    Base64.encode(bytes).replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  static func hash(_ text: String) -> [UInt8] { SHA256.hash(Array(text.utf8)).bytes }

  /// Whether two hashes are equal, in a time that does not depend on where they differ.
  static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count else { return false }
    var difference: UInt8 = 0
    for (a, b) in zip(one, other) { difference |= a ^ b }
    return difference == 0
  }
}
