/// Writes stored bytes as JSON without building values from them.
package enum PayloadJSON {
  /// Appends the map of attributes in `range` as an object.
  package static func appendAttributes(
    _ payload: [UInt8], _ range: Range<Int>, to output: inout [UInt8]
  ) throws(CairnError) {
    var cursor = AttributeCursor(payload, range)
    var separator = UInt8(ascii: "{")
    while let (key, value) = cursor.next() {
      output.append(separator)
      separator = UInt8(ascii: ",")
      try appendText(payload, key, to: &output)
      output.append(UInt8(ascii: ":"))
      try append(value, payload, to: &output)
    }
    if separator == UInt8(ascii: "{") { output.append(separator) }
    output.append(UInt8(ascii: "}"))
  }

  package static func append(_ value: ValueLayout, _ payload: [UInt8], to output: inout [UInt8])
    throws(CairnError)
  {
    switch value {
    case .null: output.append("null")
    case .bool(let value): output.append(value ? "true" : "false")
    case .integer(let value): JSONText.append(value, to: &output)
    case .double(let value): JSONText.append(value, to: &output)
    case .string(let range): try appendText(payload, range, to: &output)
    case .data(let range):
      output.append("{\"base64\":")
      JSONText.appendBase64(payload.span.extracting(range), to: &output)
      output.append(UInt8(ascii: "}"))
    case .array(let range): try appendElements(payload, range, to: &output)
    }
  }

  package static func appendElements(
    _ payload: [UInt8], _ range: Range<Int>, to output: inout [UInt8]
  ) throws(CairnError) {
    var cursor = ElementCursor(payload, range)
    output.append(UInt8(ascii: "["))
    var isFirst = true
    while let element = cursor.next() {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      try append(element, payload, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  package static func appendText(_ payload: [UInt8], _ range: Range<Int>, to output: inout [UInt8])
    throws(CairnError)
  {
    guard JSONText.append(payload.span.extracting(range), to: &output) else {
      throw PayloadReader(at: range.lowerBound).malformed()
    }
  }

  /// Appends the members of the map of unknown keys in `range`, each after a comma.
  static func appendExtras(_ payload: [UInt8], _ range: Range<Int>, to output: inout [UInt8])
    throws(CairnError)
  {
    var reader = PayloadReader(at: range.lowerBound)
    for _ in 0..<(try reader.count(payload.span, .map)) {
      output.append(UInt8(ascii: ","))
      try appendMember(payload, &reader, depth: 0, to: &output)
    }
  }

  private static func appendMember(
    _ payload: [UInt8], _ reader: inout PayloadReader, depth: Int, to output: inout [UInt8]
  ) throws(CairnError) {
    try appendText(payload, try reader.string(payload.span), to: &output)
    output.append(UInt8(ascii: ":"))
    try appendAny(payload, &reader, depth: depth, to: &output)
  }

  private static func appendAny(
    _ payload: [UInt8], _ reader: inout PayloadReader, depth: Int, to output: inout [UInt8]
  ) throws(CairnError) {
    guard depth <= EventLimits.depth else { throw reader.malformed() }
    switch CBORMajor(rawValue: reader.peek(payload.span) >> 5) {
    case .array:
      output.append(UInt8(ascii: "["))
      for index in 0..<(try reader.count(payload.span, .array)) {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        try appendAny(payload, &reader, depth: depth + 1, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .map:
      output.append(UInt8(ascii: "{"))
      for index in 0..<(try reader.count(payload.span, .map)) {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        try appendMember(payload, &reader, depth: depth + 1, to: &output)
      }
      output.append(UInt8(ascii: "}"))
    case .tag: output.append(payload.span, try reader.numberText(payload.span))
    default: try append(try reader.value(payload.span, allowsArray: false), payload, to: &output)
    }
  }
}
