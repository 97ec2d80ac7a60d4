/// One line of NDJSON.
package enum EventLine {
  /// The checked, encoded event of a line.
  ///
  /// For many lines keep one ``EventLineParser``.
  package static func parse(_ line: Span<UInt8>) throws(CairnError) -> EncodedEvent {
    var parser = EventLineParser()
    return try parser.parse(line)
  }

  /// The checked, encoded event of a line.
  package static func parse(_ line: [UInt8]) throws(CairnError) -> EncodedEvent {
    try parse(line.span)
  }

  /// The checked, encoded event of a line.
  package static func parse(_ line: ArraySlice<UInt8>) throws(CairnError) -> EncodedEvent {
    try parse(line.span)
  }

  /// Whether a line holds nothing but white space, and so is to be skipped.
  package static func isBlank(_ line: Span<UInt8>) -> Bool {
    for index in line.indices {
      switch line[index] {
      case 0x20, 0x09, 0x0a, 0x0d: continue
      default: return false
      }
    }
    return true
  }
}
