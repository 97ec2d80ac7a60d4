import Cryptography

/// Binds a header to what may be erased: HMAC-SHA-256 under a random salt stored with the content.
///
/// The message of version 2 is facts ‖ payload, see ``EventFacts``; that of version 1 is payload ‖
/// `recorded` (12 bytes) ‖ `time` (12 bytes, only when it is not equal to `recorded`). When content
/// and salt are gone, what they were cannot be guessed back. The message names neither the log nor
/// the sequence, so that an event can be taken over by another log with its salt and commitment.
enum Commitment {
  static let saltByteCount = Hash32.byteCount

  /// The commitment of a message in two pieces.
  /// - Complexity: two SHA-256 passes, O(n) for n bytes.
  static func make(salt: Hash32, _ start: RawSpan, _ rest: RawSpan) -> Hash32 {
    var code = HMAC(key: salt)
    code.add(start)
    code.add(rest)
    return code.finish()
  }
}
