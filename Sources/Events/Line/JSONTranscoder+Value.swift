extension JSONTranscoder {
  /// Reads any JSON value and writes it, numbers so that their text comes back.
  ///
  /// Calls itself for what is nested, at most ``EventLimits/depth`` times.
  mutating func anyValue(_ text: Span<UInt8>) throws(CairnError) {
    switch next(text) {
    case UInt8(ascii: "\""): try string(text)
    case UInt8(ascii: "{"): try object(text, ofAttributes: false)
    case UInt8(ascii: "["): try array(text, ofScalars: false)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let number = try self.number(text)
      if let integer = number.integer {
        out.appendInteger(integer)
      } else {
        out.appendHead(.tag, embeddedJSONTag)
        out.appendHead(.bytes, number.range.count)
        out.append(text, number.range)
      }
    default: try literal(text)
    }
  }

  /// Reads `true`, `false` or `null`.
  mutating func literal(_ text: Span<UInt8>) throws(CairnError) {
    switch next(text) {
    case UInt8(ascii: "t"):
      try word(text, "true")
      out.append(CBORByte.true)
    case UInt8(ascii: "f"):
      try word(text, "false")
      out.append(CBORByte.false)
    case UInt8(ascii: "n"):
      try word(text, "null")
      out.append(CBORByte.null)
    default: throw unexpected(text)
    }
  }

  mutating func number(_ text: Span<UInt8>) throws(CairnError) -> JSONNumber {
    var failure = position
    guard let number = JSONNumber(text, at: position, failure: &failure) else {
      position = failure
      throw unexpected(text)
    }
    position = number.range.upperBound
    return number
  }

  /// Reads an object, of attributes or of any values, and writes it as a map.
  mutating func object(_ text: Span<UInt8>, ofAttributes: Bool) throws(CairnError) {
    try enter()
    let mark = openMap()
    var isFirst = true
    while try more(text, isFirst: isFirst, close: UInt8(ascii: "}")) {
      isFirst = false
      let key = try self.key(text)
      let value = out.count
      if !ofAttributes {
        try anyValue(text)
      } else if next(text) == UInt8(ascii: "[") {
        try array(text, ofScalars: true)
      } else {
        try scalar(text)
      }
      addMember(key: key, value: value)
    }
    leave()
    try closeMap(mark)
  }

  private mutating func array(_ text: Span<UInt8>, ofScalars: Bool) throws(CairnError) {
    try enter()
    let head = out.openHead()
    var count = 0
    while try more(text, isFirst: count == 0, close: UInt8(ascii: "]")) {
      if ofScalars { try scalar(text) } else { try anyValue(text) }
      count += 1
    }
    leave()
    out.closeHead(head, .array, count)
  }
}
