import Values

extension QueryScanner {
  /// A string, a bare star or a scalar; `options` come from the brackets behind the operator.
  mutating func value(_ options: TextPattern.Options) throws(CairnError) -> Comparison.Value {
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let pattern = try string(options)
      skipSpace()
      return pattern.isAnyRun ? .anything : .text(pattern)
    case UInt8(ascii: "*"):
      advance()
      skipSpace()
      return .anything
    default:
      if let truth = truthIfPresent() { return .scalar(truth) }
      if let scalar = try scalarIfPresent() { return .scalar(scalar) }
      // As pasted text has them: the first byte of the curved ones.
      if next == 0xE2 { throw error("expected a string in straight quotes, \" or '") }
      throw error("expected a quoted string, a number, true, false, $time or *")
    }
  }

  mutating func scalar() throws(CairnError) -> ScalarValue {
    guard let scalar = try scalarIfPresent() else { throw error("expected a number or $time") }
    return scalar
  }

  /// `true`, `yes`, `false` and `no` in any letter case, as NSPredicate has them: 1 and 0.
  private mutating func truthIfPresent() -> ScalarValue? {
    var end = position
    while end < bytes.count, bytes[end].isASCIIWord { end += 1 }
    let value: Int64
    switch String(decoding: bytes[position..<end], as: UTF8.self).lowercased() {
    case "true", "yes": value = 1
    case "false", "no": value = 0
    default: return nil
    }
    while position < end { advance() }
    skipSpace()
    return .integer(value)
  }

  private mutating func scalarIfPresent() throws(CairnError) -> ScalarValue? {
    switch next {
    case UInt8(ascii: "$"): return .time(try time())
    case .some(let byte)
    where byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"):
      return try number()
    default: return nil
    }
  }

  private mutating func string(_ options: TextPattern.Options) throws(CairnError) -> TextPattern {
    let start = position
    let quote = bytes[start]
    var elements: [TextPattern.Element] = []
    var literal: [UInt8] = []
    func flush() {
      if !literal.isEmpty {
        elements.append(.literal(String(decoding: literal, as: UTF8.self)))
        literal.removeAll()
      }
    }
    advance()
    while let byte = next, byte != quote {
      advance()
      switch byte {
      case UInt8(ascii: "*"):
        flush()
        elements.append(.anyRun)
      case UInt8(ascii: "?"):
        flush()
        elements.append(.anyCharacter)
      case UInt8(ascii: "\\"):
        // A backslash as the last byte leaves the string open, which the guard below reports.
        guard let escaped = next else { break }
        literal.append(escaped)
        advance()
      default: literal.append(byte)
      }
    }
    guard next == quote else {
      throw error(from: start, "the string that starts here is not closed")
    }
    advance()
    flush()
    return TextPattern(elements, options.union(try modifiers()))
  }

  private mutating func number() throws(CairnError) -> ScalarValue {
    let start = position
    var isWhole = true
    if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { advance() }
    var wellFormed = digits()
    if next == UInt8(ascii: ".") {
      isWhole = false
      advance()
      wellFormed = digits() && wellFormed
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      advance()
      if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { advance() }
      wellFormed = digits() && wellFormed
    }
    if let byte = next, byte.isASCIIWord || byte == UInt8(ascii: ".") {
      wellFormed = false
      advance()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    defer { skipSpace() }
    if wellFormed, isWhole, let integer = Int64(text) { return .integer(integer) }
    guard wellFormed, let number = Double(text), number.isFinite else {
      throw error(from: start, "expected a number such as 12, -0.5 or 1e3 within range")
    }
    return .number(number)
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = next, byte.isASCIIDigit { advance() }
    return position > start
  }
}
