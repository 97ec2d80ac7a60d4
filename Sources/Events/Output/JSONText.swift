/// Writes JSON: no blanks, and no escapes but those JSON asks for.
package enum JSONText {
  package static func append(_ text: String, to output: inout [UInt8]) {
    var copy = text
    copy.withUTF8 { (bytes: UnsafeBufferPointer<UInt8>) in
      // SAFETY: the span lives inside the closure that lends the bytes.
      _ = append(unsafe Span(_unsafeElements: bytes), to: &output)
    }
  }

  /// Appends a text in quotes by its UTF-8 bytes; false, and an unfinished text, when they are
  /// not UTF-8.
  package static func append(_ text: Span<UInt8>, to output: inout [UInt8]) -> Bool {
    output.append(UInt8(ascii: "\""))
    var index = 0
    while index < text.count {
      let start = index
      index = TextScan.plainEnd(text, from: index)
      while index < text.count, text[index] >= 0x80 {
        let length = TextScan.sequenceLength(text, at: index)
        guard length > 0 else { return false }
        index += length
      }
      output.append(text, start..<index)
      if index < text.count, text[index] < 0x20 || text[index] == 0x22 || text[index] == 0x5c {
        escape(text[index], to: &output)
        index += 1
      }
    }
    output.append(UInt8(ascii: "\""))
    return true
  }

  private static func escape(_ byte: UInt8, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: output.append(UInt8(ascii: "b"))
    case 0x09: output.append(UInt8(ascii: "t"))
    case 0x0a: output.append(UInt8(ascii: "n"))
    case 0x0c: output.append(UInt8(ascii: "f"))
    case 0x0d: output.append(UInt8(ascii: "r"))
    case 0x22, 0x5c: output.append(byte)
    default:
      output.append("u00")
      for nibble in [byte >> 4, byte & 15] {
        output.append(nibble < 10 ? nibble + UInt8(ascii: "0") : nibble - 10 + UInt8(ascii: "a"))
      }
    }
  }

  package static func append(_ value: some FixedWidthInteger, to output: inout [UInt8]) {
    var rest = UInt64(value.magnitude)
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var start = digits.count
    repeat {
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    output.append(addingCapacity: 21) { (text: inout OutputSpan<UInt8>) in
      if value < 0 { text.append(UInt8(ascii: "-")) }
      for place in start..<digits.count { text.append(digits[place]) }
    }
  }

  /// Appends a finite number in the fewest digits that give it back, always with a point or an
  /// exponent; anything else as `null`, JSON having no other word for it.
  package static func append(_ value: Double, to output: inout [UInt8]) {
    output.append(contentsOf: text(value).utf8)
  }

  /// What ``append(_:to:)-(Double,_)`` appends.
  package static func text(_ value: Double) -> String {
    value.isFinite ? value.description : "null"
  }

  /// Appends a number as ``append(_:to:)-(Double,_)`` does, whole ones without point.
  package static func appendPlain(_ value: Double, to output: inout [UInt8]) {
    if let whole = Int64(exactly: value), whole.magnitude < 1 << 53 {
      append(whole, to: &output)
    } else {
      append(value, to: &output)
    }
  }

  /// What ``appendPlain(_:to:)`` appends.
  package static func plainText(_ value: Double) -> String {
    var bytes: [UInt8] = []
    appendPlain(value, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  package static func appendArray<Element, Failure: Error>(
    _ elements: some Sequence<Element>, to output: inout [UInt8],
    _ append: (Element, inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    output.append("[")
    var isFirst = true
    for element in elements {
      if !isFirst { output.append(",") }
      isFirst = false
      try append(element, &output)
    }
    output.append("]")
  }

  package static func appendObject<Value, Failure: Error>(
    _ members: some Sequence<(String, Value)>, to output: inout [UInt8],
    _ append: (Value, inout [UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    output.append("{")
    var isFirst = true
    for (key, value) in members {
      if !isFirst { output.append(",") }
      isFirst = false
      Self.append(key, to: &output)
      output.append(":")
      try append(value, &output)
    }
    output.append("}")
  }

  package static func appendBase64(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    Base64.append(bytes, to: &output)
    output.append(UInt8(ascii: "\""))
  }
}
