import EventLog

/// An event of the log, decoded only as far as somebody asks.
package struct LogRecord {
  private let stored: StoredEvent
  /// Holds the payload; `layout` says where.
  private let buffer: [UInt8]
  private let layout: EventLayout

  init(_ stored: borrowing StoredEvent, buffer: [UInt8], layout: borrowing EventLayout) {
    self.stored = copy stored
    self.buffer = buffer
    self.layout = copy layout
  }

  init(_ stored: StoredEvent) throws(CairnError) {
    self.stored = stored
    buffer = stored.payload
    layout = try stored.layout()
  }

  package var sequence: UInt64 { stored.sequence }
  package var kind: EventKind { stored.kind }
  package var id: EventID { stored.id }
  /// When it happened, or else was recorded.
  package var time: Timestamp { stored.time }
  package var item: ArraySlice<UInt8>? { layout.item.map { buffer[$0] } }
  /// Where it comes from.
  package var source: ArraySlice<UInt8>? { layout.source.map { buffer[$0] } }

  package func decoded(withLeafHash: Bool) throws(CairnError) -> RecordedEvent {
    do {
      return RecordedEvent(
        sequence: stored.sequence,
        event: try Event.decoded(
          buffer, layout, kind: stored.kind, id: stored.id, time: stored.time,
          recorded: stored.recorded, schema: stored.schema),
        leafHash: withLeafHash ? stored.leafHash : nil)
    } catch { throw CairnError.unreadable(event: stored.sequence) }
  }

  /// Appends the event as one line of JSON without the line's end.
  ///
  /// The bytes are those of decoding it first, at a third of the time.
  package func appendJSON(to output: inout [UInt8]) throws(CairnError) {
    var layout = layout
    layout.time = stored.time
    do {
      try EventJSON.append(
        layout, buffer, kind: stored.kind, sequence: stored.sequence, id: stored.id,
        recorded: stored.recorded, schema: stored.schema, leafHash: stored.leafHash, to: &output)
    } catch { throw CairnError.unreadable(event: stored.sequence) }
  }
}

extension Store {
  /// Visits events in order of sequences (or backwards) until the body returns false.
  /// - Complexity: As ``forEachEvent(_:_:)``, less what is not decoded.
  package func forEachRecord(
    _ query: EventQuery, _ body: (LogRecord) throws(CairnError) -> Bool
  ) throws(CairnError) {
    guard query.isPlain else {
      return try forEachStored(query) { (stored) throws(CairnError) in
        try body(try LogRecord(stored))
      }
    }
    var left = query.limit ?? .max
    guard left > 0 else { return }
    try log.scan(from: query.from, through: query.through ?? .max) {
      (event, buffer, layout) throws(CairnError) in
      left -= 1
      return try body(LogRecord(event, buffer: buffer, layout: layout)) && left > 0
    }
  }
}
