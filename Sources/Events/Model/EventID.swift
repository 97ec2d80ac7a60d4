import Synchronization

/// The identity of an event: 128 bits, written as a UUID.
public struct EventID: Hashable, Sendable {
  /// Bytes 0–7, most significant first.
  package let high: UInt64
  /// Bytes 8–15, most significant first.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// An identity by its 16 bytes; nil for any other count.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
    }
    self.init(high: high, low: low)
  }

  /// The 16 bytes in the order of the text.
  public var bytes: [UInt8] {
    (0..<16).map { index in
      UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - index % 8 * 8))
    }
  }

  /// An identity by its UUID text (8-4-4-4-12 hexadecimal digits, either case), or nil.
  public init?(uuidString: String) {
    var copy = uuidString
    let parsed = copy.withUTF8 { (bytes: UnsafeBufferPointer<UInt8>) -> EventID? in
      // SAFETY: the span lives inside the closure that lends the bytes.
      EventID(uuid: unsafe Span(_unsafeElements: bytes))
    }
    guard let parsed else { return nil }
    self = parsed
  }

  package init?(uuid text: Span<UInt8>) {
    guard text.count == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var digits = 0
    for index in 0..<36 {
      let byte = text[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let nibble = Hexadecimal.value(byte) else { return nil }
      if digits < 16 { high = high << 4 | UInt64(nibble) } else { low = low << 4 | UInt64(nibble) }
      digits += 1
    }
    self.init(high: high, low: low)
  }

  /// The UUID text in lower case.
  public var uuidString: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(36)
    appendUUID(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends what ``uuidString`` gives.
  package func appendUUID(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: 36) { (text: inout OutputSpan<UInt8>) in
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          text.append(UInt8(ascii: "-"))
        }
        let word = digit < 16 ? high : low
        let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - digit % 16 * 4)) & 15
        // Letters stand 39 places behind where they would follow the digits.
        text.append(nibble &+ UInt8(ascii: "0") &+ (nibble > 9 ? 39 : 0))
      }
    }
  }
}

extension EventID: CustomStringConvertible {
  /// The UUID text in lower case.
  public var description: String { uuidString }
}

extension EventID {
  /// Milliseconds and counter of the newest identity made: the two grow together as one number.
  private static let newest = Mutex<UInt64>(0)

  /// A new identity that sorts after every earlier one of this process.
  ///
  /// A version 7 UUID (RFC 9562 §5.7, method 1 of §6.2): 48 bits of milliseconds, a 12-bit
  /// counter that runs over into the milliseconds, 62 random bits.
  public static func timeOrdered(at time: Timestamp = .now()) -> EventID {
    timeOrdered(at: time, random: UInt64.random(in: .min ... .max))
  }

  /// What ``timeOrdered(at:)`` gives, from random bits that the caller drew in bulk.
  package static func timeOrdered(at time: Timestamp, random: UInt64) -> EventID {
    let milliseconds = UInt64(max(0, time.microseconds / 1000)) & 0xffff_ffff_ffff
    let ordered = newest.withLock { newest in
      newest = max(milliseconds << 12, newest + 1)
      return newest
    }
    return EventID(
      high: (ordered >> 12) << 16 | 0x7000 | ordered & 0xfff,
      low: 0x8000_0000_0000_0000 | random >> 2)
  }
}
