import Crypto
import Events
import HashTree
import LMDB

/// Binds a header to what may be erased: HMAC-SHA-256 under a random salt stored with the payload.
///
/// The message is payload ‖ `recorded` (12 bytes) ‖ `time` (12 bytes, only when it is not equal
/// to `recorded`). When payload and salt are gone, what they were cannot be guessed back.
///
/// HMAC is put together here from two SHA-256 passes (RFC 2104 §2; the salt is shorter than a
/// block): the library's own type allocates nine times per message, which is most of an append.
struct Commitment: ~Copyable {
  /// How many bytes a salt has.
  static let saltByteCount = Hash32.byteCount
  private static let blockByteCount = 64

  private var message = ByteWriter()

  /// The commitment of one event.
  ///
  /// - Complexity: two SHA-256 passes, O(n) for n payload bytes.
  mutating func callAsFunction(
    salt: Hash32,
    payload: RawSpan,
    recorded: Timestamp,
    ownTime: Timestamp?
  ) -> Hash32 {
    begin(salt: salt, pad: 0x36)
    message.append(payload)
    recorded.append(to: &message)
    ownTime?.append(to: &message)
    let inner = digest()
    begin(salt: salt, pad: 0x5c)
    inner.withSpan { message.append($0) }
    return digest()
  }

  private mutating func begin(salt: Hash32, pad: UInt8) {
    message.removeAll()
    let word = UInt64(pad) &* 0x0101_0101_0101_0101
    salt.withSpan { span in
      for offset in stride(from: 0, to: Commitment.saltByteCount, by: 8) {
        message.appendBigEndian(span.loadBigEndian64(at: offset) ^ word)
      }
    }
    for _ in stride(from: Commitment.saltByteCount, to: Commitment.blockByteCount, by: 8) {
      message.appendBigEndian(word)
    }
  }

  private func digest() -> Hash32 {
    var hasher = SHA256()
    // SAFETY: the pointer is used only while the buffer is borrowed.
    unsafe message.bytes.withUnsafeBytes { unsafe hasher.update(bufferPointer: $0) }
    let digest = hasher.finalize()
    // SAFETY: the span does not outlive the digest it views.
    let hash = unsafe digest.withUnsafeBytes { buffer in
      Hash32(unsafe RawSpan(_unsafeBytes: buffer))
    }
    guard let hash else { preconditionFailure("a SHA-256 digest has 32 bytes") }
    return hash
  }
}
