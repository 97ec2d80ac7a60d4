/// One line of NDJSON.
package enum EventLine {
  /// The checked, encoded event of a line.
  package static func parse(_ line: Span<UInt8>) throws(EventError) -> EncodedEvent {
    throw EventError(.syntax, "not there yet")
  }

  /// The checked, encoded event of a line.
  package static func parse(_ line: [UInt8]) throws(EventError) -> EncodedEvent {
    try parse(line.span)
  }

  /// The checked, encoded event of a line.
  package static func parse(_ line: ArraySlice<UInt8>) throws(EventError) -> EncodedEvent {
    try parse(line.span)
  }
}

extension Event {
  /// The event in the form the log stores.
  package func encoded() throws(EventError) -> EncodedEvent {
    throw EventError(.payload, "not there yet")
  }

  /// The event a stored payload holds.
  package init(
    _ payload: [UInt8],
    kind: EventKind,
    id: EventID? = nil,
    recorded: Timestamp? = nil,
    schema: UInt16 = EventSchema.current
  ) throws(EventError) {
    throw EventError(.payload, "not there yet")
  }
}

extension RecordedEvent {
  /// Appends the event as one line of JSON without the line's end.
  package func appendJSON(to output: inout [UInt8]) throws(EventError) {
    throw EventError(.payload, "not there yet")
  }
}
