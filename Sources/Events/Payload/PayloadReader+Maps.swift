extension PayloadReader {
  /// Reads past a map of attributes, checking all of it; gives its range.
  mutating func attributes(_ bytes: Span<UInt8>) throws(CairnError) -> Range<Int> {
    let start = position
    let count = try count(bytes, .map)
    guard count > 0 else { throw malformed() }
    var previous = 0..<0
    for _ in 0..<count {
      _ = try key(bytes, after: &previous)
      _ = try value(bytes)
    }
    return start..<position
  }

  /// Reads past an array of texts, checking all of it; gives its range.
  mutating func texts(_ bytes: Span<UInt8>) throws(CairnError) -> Range<Int> {
    let start = position
    let count = try count(bytes, .array)
    guard count > 0 else { throw malformed() }
    for _ in 0..<count { _ = try string(bytes) }
    return start..<position
  }

  /// Reads past any value of an unknown key, checking all of it.
  ///
  /// Calls itself for what is nested, at most ``EventLimits/depth`` times.
  mutating func anyValue(_ bytes: Span<UInt8>, depth: Int = 0) throws(CairnError) {
    guard depth <= EventLimits.depth else { throw malformed() }
    switch CBORMajor(rawValue: peek(bytes) >> 5) {
    case .unsigned, .negative: _ = try integer(bytes)
    case .text: _ = try string(bytes)
    case .tag: _ = try numberText(bytes)
    case .array: for _ in 0..<(try count(bytes, .array)) { try anyValue(bytes, depth: depth + 1) }
    case .map:
      var previous = 0..<0
      for _ in 0..<(try count(bytes, .map)) {
        _ = try key(bytes, after: &previous)
        try anyValue(bytes, depth: depth + 1)
      }
    default: if peek(bytes) == CBORByte.null { try null(bytes) } else { _ = try bool(bytes) }
    }
  }

  /// Reads a number kept by its text; gives the range of the text.
  mutating func numberText(_ bytes: Span<UInt8>) throws(CairnError) -> Range<Int> {
    guard try head(bytes, .tag) == embeddedJSONTag else { throw malformed() }
    let range = try string(bytes, .bytes)
    var failure = 0
    // A whole number that fits has a form of its own.
    guard let number = JSONNumber(bytes.extracting(range), at: 0, failure: &failure),
      number.range.count == range.count, number.integer == nil
    else { throw malformed() }
    return range
  }
}
