import Values

/// The percent-encode sets of the URL Standard (1.3).
enum PercentEncodeSet {
  case control, fragment, query, specialQuery, path, userinfo, component

  /// Whether a byte is written as `%XX`.
  private func contains(_ byte: UInt8) -> Bool {
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

  func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes { append(byte, to: &result) }
    return result
  }

  func append(_ byte: UInt8, to result: inout [UInt8]) {
    if contains(byte) { PercentEncoding.append(byte, to: &result) } else { result.append(byte) }
  }
}
