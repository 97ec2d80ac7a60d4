// Source: RFC 8949 §3 (heads and simple values), §4.2.1 (core deterministic encoding).

/// The major types of CBOR, in the top three bits of a head.
enum CBORMajor: UInt8 {
  case unsigned = 0
  case negative = 1
  case bytes = 2
  case text = 3
  case array = 4
  case map = 5
  case tag = 6
  case simple = 7
}

/// The one-byte items this format uses.
enum CBORByte {
  static let `false`: UInt8 = 0xf4
  static let `true`: UInt8 = 0xf5
  static let null: UInt8 = 0xf6
  static let half: UInt8 = 0xf9
  static let single: UInt8 = 0xfa
  static let double: UInt8 = 0xfb
}

/// Tag of a byte string that holds JSON text (IANA registry, 262).
let embeddedJSONTag: UInt64 = 262

extension [UInt8] {
  /// Appends a head in its shortest form.
  mutating func appendHead(_ major: CBORMajor, _ argument: Int) {
    appendHead(major, UInt64(truncatingIfNeeded: argument))
  }

  mutating func appendHead(_ major: CBORMajor, _ argument: UInt64) {
    let top = major.rawValue << 5
    switch argument {
    case 0..<24: append(top | UInt8(truncatingIfNeeded: argument))
    case 24..<0x100:
      append(top | 24)
      append(UInt8(truncatingIfNeeded: argument))
    case 0x100..<0x1_0000:
      append(top | 25)
      appendBigEndian(argument, byteCount: 2)
    case 0x1_0000..<0x1_0000_0000:
      append(top | 26)
      appendBigEndian(argument, byteCount: 4)
    default:
      append(top | 27)
      appendBigEndian(argument, byteCount: 8)
    }
  }

  /// Appends the low bytes of a number, most significant first.
  mutating func appendBigEndian(_ value: UInt64, byteCount: Int) {
    var shift = (byteCount - 1) * 8
    while shift >= 0 {
      append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
      shift -= 8
    }
  }

  /// Opens an item whose count is known only at its end; returns its place for ``closeHead``.
  mutating func openHead() -> Int {
    append(0)
    return count - 1
  }

  /// Writes the head of the item opened at `start`, moving what follows when it needs more than
  /// one byte.
  mutating func closeHead(_ start: Int, _ major: CBORMajor, _ argument: Int) {
    guard argument >= 24 else {
      self[start] = major.rawValue << 5 | UInt8(truncatingIfNeeded: argument)
      return
    }
    var head: [UInt8] = []
    head.appendHead(major, argument)
    replaceSubrange(start...start, with: head)
  }

  /// Bytes in the head of an item that was written here.
  func headByteCount(at start: Int) -> Int {
    switch self[start] & 0x1f {
    case 24: 2
    case 25: 3
    case 26: 5
    case 27: 9
    default: 1
    }
  }

  mutating func appendInteger(_ value: Int64) {
    if value >= 0 {
      appendHead(.unsigned, UInt64(value))
    } else {
      appendHead(.negative, UInt64(bitPattern: ~value))
    }
  }

  mutating func appendText(_ text: String) {
    appendHead(.text, text.utf8.count)
    append(contentsOf: text.utf8)
  }

  /// Appends a moment: an array of seconds and nanoseconds.
  mutating func appendTimestamp(_ time: Timestamp) {
    appendHead(.array, 2)
    appendInteger(time.seconds)
    appendHead(.unsigned, UInt64(time.nanoseconds))
  }

  /// Appends a finite double in the shortest of the three widths that holds it exactly.
  mutating func appendDouble(_ value: Double) {
    let single = Float(value)
    guard Double(single).bitPattern == value.bitPattern else {
      append(CBORByte.double)
      appendBigEndian(value.bitPattern, byteCount: 8)
      return
    }
    guard let half = Float16(exactly: single) else {
      append(CBORByte.single)
      appendBigEndian(UInt64(single.bitPattern), byteCount: 4)
      return
    }
    append(CBORByte.half)
    appendBigEndian(UInt64(half.bitPattern), byteCount: 2)
  }
}
