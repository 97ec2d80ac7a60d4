package enum EventLine {
  /// The checked, encoded event of a line; for many lines keep one ``EventLineParser``.
  package static func parse(_ line: [UInt8]) throws(CairnError) -> EncodedEvent {
    var parser = EventLineParser()
    return try parser.parse(line.span)
  }
}
