/// The percent-encode sets of the URL Standard (1.3).
enum PercentEncodeSet {
  case control, fragment, query, specialQuery, path, userinfo, component

  /// Whether a byte is written as `%XX`.
  func contains(_ byte: UInt8) -> Bool {
    if byte < 0x20 || byte > 0x7e { return true }
    switch self {
    case .control: return false
    case .fragment: return Self.isIn(byte, " \"<>`")
    case .query: return Self.isIn(byte, " \"#<>")
    case .specialQuery: return Self.isIn(byte, " \"#<>'")
    case .path: return Self.isIn(byte, " \"#<>?^`{}")
    case .userinfo: return Self.isIn(byte, " \"#<>?^`{}/:;=@[\\]|")
    case .component: return Self.isIn(byte, " \"#<>?^`{}/:;=@[\\]|$%&+,")
    }
  }

  private static func isIn(_ byte: UInt8, _ set: StaticString) -> Bool {
    set.withUTF8Buffer { unsafe $0.contains(byte) }
  }
}

/// Percent-encoding and its undoing.
enum PercentEncoding {
  static func encode(_ bytes: some Sequence<UInt8>, _ set: PercentEncodeSet) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes { append(byte, set, to: &result) }
    return result
  }

  static func append(_ byte: UInt8, _ set: PercentEncodeSet, to result: inout [UInt8]) {
    guard set.contains(byte) else { return result.append(byte) }
    result += [0x25, digit(byte >> 4), digit(byte & 15)]
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }

  /// The bytes that a text with `%XX` stands for; a `%` without two digits stays.
  static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let bytes = Array(bytes)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0x25, index + 2 < bytes.count, bytes[index + 1].isHexDigit,
        bytes[index + 2].isHexDigit
      {
        result.append(bytes[index + 1].hexValue << 4 | bytes[index + 2].hexValue)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
