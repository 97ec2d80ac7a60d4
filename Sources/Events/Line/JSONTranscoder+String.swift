extension JSONTranscoder {
  /// Reads the string whose opening quote is at the position and writes it as text.
  mutating func string(_ text: Span<UInt8>) throws(CairnError) {
    position += 1
    let start = position
    try skipUnescaped(text)
    if text[position] == UInt8(ascii: "\"") {
      out.appendHead(.text, position - start)
      out.append(text, start..<position)
    } else {
      let head = out.openHead()
      out.append(text, start..<position)
      try escaped(text)
      out.closeHead(head, .text, out.count - head - 1)
    }
    position += 1
  }

  /// Moves to the next quote or backslash, checking the bytes before it.
  private mutating func skipUnescaped(_ text: Span<UInt8>) throws(CairnError) {
    while true {
      position = TextScan.plainEnd(text, from: position)
      guard position < text.count else {
        throw CairnError(.badEvent, "a string has no closing quote", at: position)
      }
      let byte = text[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return }
      guard byte >= 0x80 else {
        throw CairnError(.badEvent, "a control character in a string must be escaped", at: position)
      }
      while position < text.count, text[position] >= 0x80 {
        let length = TextScan.sequenceLength(text, at: position)
        guard length > 0 else {
          throw CairnError(.badEvent, "the bytes are not UTF-8; convert the input", at: position)
        }
        position += length
      }
    }
  }

  /// Reads from the first backslash to the closing quote.
  private mutating func escaped(_ text: Span<UInt8>) throws(CairnError) {
    while text[position] == UInt8(ascii: "\\") {
      try escape(text)
      let start = position
      try skipUnescaped(text)
      out.append(text, start..<position)
    }
  }

  private mutating func escape(_ text: Span<UInt8>) throws(CairnError) {
    position += 1
    guard position < text.count else { throw unexpected(text) }
    let byte: UInt8
    switch text[position] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte = text[position]
    case UInt8(ascii: "b"): byte = 0x08
    case UInt8(ascii: "f"): byte = 0x0c
    case UInt8(ascii: "n"): byte = 0x0a
    case UInt8(ascii: "r"): byte = 0x0d
    case UInt8(ascii: "t"): byte = 0x09
    case UInt8(ascii: "u"):
      position += 1
      try unicodeEscape(text)
      return
    default: throw CairnError(.badEvent, "JSON has no such escape", at: position)
    }
    out.append(byte)
    position += 1
  }

  /// Reads the digits after `\u`, with a second escape when the first is half a pair.
  private mutating func unicodeEscape(_ text: Span<UInt8>) throws(CairnError) {
    let start = position
    var code = try hexadecimal(text)
    if code & 0xf800 == 0xd800 {
      if let low = try lowHalf(after: code, text) {
        code = 0x1_0000 + (code - 0xd800) << 10 + (low - 0xdc00)
      } else if replacesHalfPairs {
        code = 0xfffd
      } else {
        throw CairnError(.badEvent, "half a surrogate pair stands for no character", at: start)
      }
    }
    // Half a pair never comes here.
    if let scalar = Unicode.Scalar(code) { UTF8.encode(scalar) { out.append($0) } }
  }

  /// The second half of the pair that `high` begins; nil, and nothing read, where none follows.
  private mutating func lowHalf(after high: UInt32, _ text: Span<UInt8>) throws(CairnError)
    -> UInt32?
  {
    guard high < 0xdc00, position + 1 < text.count, text[position] == UInt8(ascii: "\\"),
      text[position + 1] == UInt8(ascii: "u")
    else { return nil }
    let start = position
    position += 2
    let low = try hexadecimal(text)
    if low & 0xfc00 == 0xdc00 { return low }
    position = start
    return nil
  }

  private mutating func hexadecimal(_ text: Span<UInt8>) throws(CairnError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < text.count else { throw unexpected(text) }
      guard let digit = Hexadecimal.value(text[position]) else {
        throw CairnError(.badEvent, "four hexadecimal digits must follow \\u", at: position)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
