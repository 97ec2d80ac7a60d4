/// Finds short names (16 bytes at most) without making strings of them.
struct NameTable<Value: Sendable>: Sendable {
  private var keys: [UInt128]
  private var values: [Value?]

  /// The names in lower case, none of them empty.
  init(_ names: [(String, Value)]) {
    keys = [UInt128](repeating: 0, count: 1024)
    values = [Value?](repeating: nil, count: 1024)
    for (name, value) in names {
      var key: UInt128 = 0
      for byte in name.utf8 { key = key << 8 | UInt128(byte) }
      var slot = Self.slot(of: key)
      while keys[slot] != 0 { slot = (slot + 1) & 1023 }
      keys[slot] = key
      values[slot] = value
    }
  }

  /// The value of the name that these bytes are, capital letters of ASCII taken as small ones.
  func value(_ bytes: [UInt8], _ range: Range<Int>) -> Value? {
    guard range.count <= 16 else { return nil }
    var key: UInt128 = 0
    for index in range {
      let byte = bytes[index]
      key = key << 8 | UInt128(byte.isUpper ? byte | 0x20 : byte)
    }
    var slot = Self.slot(of: key)
    while keys[slot] != 0 {
      if keys[slot] == key { return values[slot] }
      slot = (slot + 1) & 1023
    }
    return nil
  }

  private static func slot(of key: UInt128) -> Int {
    let folded = UInt64(truncatingIfNeeded: key) ^ UInt64(truncatingIfNeeded: key >> 64) &* 31
    return Int(truncatingIfNeeded: (folded &* 0x9e37_79b9_7f4a_7c15) >> 54)
  }
}

extension UInt8 {
  var isUpper: Bool { self >= 0x41 && self <= 0x5a }
  var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7a }
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
  var isHexDigit: Bool { isDigit || ((self | 0x20) >= 0x61 && (self | 0x20) <= 0x66) }
  /// What HTML calls ASCII white space: tab, LF, FF, CR, space.
  var isSpace: Bool { self == 0x20 || self == 0x0a || self == 0x09 || self == 0x0c || self == 0x0d }
  var endsName: Bool { isSpace || self == 0x2f || self == 0x3e }
  /// The letter in lower case; any other byte as it is.
  var lowered: UInt8 { isUpper ? self | 0x20 : self }
  /// The worth of a hex digit; of anything else nothing sensible.
  var hexValue: UInt8 { isDigit ? self &- 0x30 : (self | 0x20) &- 0x57 }
}
