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

  private var times = ByteWriter()

  /// The commitment of one event.
  ///
  /// - Complexity: two SHA-256 passes, O(n) for n payload bytes.
  mutating func callAsFunction(
    salt: Hash32, payload: RawSpan, recorded: Timestamp, ownTime: Timestamp?
  ) -> Hash32 {
    set(recorded, ownTime)
    var inner = MessageHash()
    inner.add(key: salt, pad: 0x36)
    inner.add(payload)
    inner.add(times.bytes)
    var outer = MessageHash()
    outer.add(key: salt, pad: 0x5c)
    outer.add(inner.finish())
    return outer.finish()
  }

  private mutating func set(_ recorded: Timestamp, _ ownTime: Timestamp?) {
    times.removeAll()
    recorded.append(to: &times)
    ownTime?.append(to: &times)
  }
}
