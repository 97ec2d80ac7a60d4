extension JSONTranscoder {
  /// Reads what an attribute may hold, but for an array.
  mutating func scalar(_ text: Span<UInt8>) throws(CairnError) {
    switch next(text) {
    case UInt8(ascii: "\""): try string(text)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try self.number(text)
      if let integer = number.integer {
        out.appendInteger(integer)
      } else if number.isRoundedWhole {
        throw CairnError(
          .badEvent, "the whole number is beyond 64 bits and would be rounded; give it as a string",
          at: number.range.lowerBound)
      } else {
        out.appendDouble(try finite(number, text))
      }
    case UInt8(ascii: "{"): try data(text)
    case UInt8(ascii: "["): throw tooDeep
    default: try literal(text)
    }
  }

  private var tooDeep: CairnError {
    CairnError(
      .badEvent, "an attribute holds a scalar, {\"base64\":…} or an array of those, nothing deeper",
      at: position)
  }

  /// The double nearest to a number, if it is not out of range.
  func finite(_ number: JSONNumber, _ text: Span<UInt8>) throws(CairnError) -> Double {
    let value = number.double(text)
    guard value.isFinite else {
      throw CairnError(
        .badEvent, "the number is beyond what a double holds; give it as a string",
        at: number.range.lowerBound)
    }
    return value
  }

  /// Reads `{"base64":"…"}` and writes its bytes.
  private mutating func data(_ text: Span<UInt8>) throws(CairnError) {
    let open = position
    try enter()
    let start = out.count
    var found = false
    while try more(text, isFirst: !found, close: UInt8(ascii: "}")) {
      let key = try self.key(text)
      guard out[key...].elementsEqual(Self.base64Key), next(text) == UInt8(ascii: "\"") else {
        position = open
        throw tooDeep
      }
      guard !found || !refusesDuplicateKeys else { throw Self.duplicateKey(at: open) }
      // Of two with the same key the later counts.
      out.removeSubrange(start...)
      found = true
      let place = position
      try string(text)
      guard
        let bytes = Base64.decode(out.span.extracting((start + out.headByteCount(at: start))...))
      else {
        throw CairnError(
          .badEvent, "not strict base64: standard alphabet, padded, no spare bits", at: place)
      }
      out.removeSubrange(start...)
      out.appendHead(.bytes, bytes.count)
      out.append(contentsOf: bytes)
    }
    guard found else {
      position = open
      throw tooDeep
    }
    leave()
  }

  /// The key as written: the head of a text of six bytes, and the bytes.
  private static let base64Key: [UInt8] = [0x66] + "base64".utf8
}
