import Cryptography
package import Events

/// Event ids that follow from what the events are made of, so that importing the same thing
/// twice counts duplicates instead of doubling the history.
///
/// Keyed by the store: nobody without it can try out what an id was made of.
package struct DerivedID {
  /// The code after the key: each id begins with a copy of it.
  private let keyed: HMAC

  package init(key: [UInt8]) { keyed = HMAC(key: key) }

  /// - Parameters:
  ///   - identity: What the event is made of.
  ///   - count: How many equal ones stand before it, where that is a part.
  /// - Returns: a UUID of version 8 (RFC 9562 §5.8): bits of the HMAC-SHA-256 of the parts. Where a
  ///   time is among these, it begins with its milliseconds as one of version 7 does, and what is
  ///   imported in order of time goes to one end of the table of ids. Ids of bits alone touch
  ///   every page of it: at 2 M visits those were most of what an append rewrote and held.
  package func make(_ identity: Identity, count: Int = 0) -> EventID {
    var code = keyed
    code.add(identity.bytes(count: count))
    let words = code.finish().words
    let version = UInt64(bigEndian: words.0) & ~0xF000 | 0x8000
    let time = identity.time.map { UInt64(bitPattern: $0 / 1_000) << 16 }
    return EventID(
      high: time.map { $0 | version & 0xFFFF } ?? version,
      low: UInt64(bigEndian: words.1) & (~0 >> 2) | 1 << 63)
  }
}
