extension Event {
  /// The event that one object of JSON tells, with the keys of `cairn append`.
  /// - Throws: `badEvent` with the byte offset in the text.
  public init(json text: String) throws(CairnError) {
    let read = try EventLine.parse(Array(text.utf8))
    try self.init(
      read.payload, kind: read.kind, id: read.id, recorded: read.recorded, schema: read.schema)
  }
}

package enum EventLine {
  /// The checked, encoded event of a line; for many lines keep one ``EventLineParser``.
  package static func parse(_ line: [UInt8]) throws(CairnError) -> EncodedEvent {
    var parser = EventLineParser()
    return try parser.parse(line.span)
  }
}
