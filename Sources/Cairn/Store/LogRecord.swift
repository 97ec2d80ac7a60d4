import EventLog

/// An event of the log, decoded only as far as somebody asks.
package struct LogRecord {
  private let stored: StoredEvent
  /// Holds the payload; `layout` says where.
  private let buffer: [UInt8]
  private let layout: EventLayout
  /// Where it was read, for what it says of another event there.
  private var log: EventLog?

  init(
    _ stored: borrowing StoredEvent, buffer: [UInt8], layout: borrowing EventLayout,
    of log: EventLog
  ) {
    self.stored = copy stored
    self.buffer = buffer
    self.layout = copy layout
    self.log = log
  }

  init(_ stored: StoredEvent, of log: EventLog? = nil) throws(CairnError) {
    self.stored = stored
    buffer = stored.payload
    layout = try stored.layout()
    self.log = log
  }

  package var sequence: UInt64 { stored.sequence }
  package var kind: EventKind { stored.kind }
  package var id: EventID { stored.id }
  /// When it happened, or else was recorded.
  package var time: Timestamp { stored.time }
  package var item: ArraySlice<UInt8>? { layout.item.map { buffer[$0] } }
  package var source: ArraySlice<UInt8>? { layout.source.map { buffer[$0] } }

  /// Seconds that it lasted, where it says so.
  package var dwell: Double? { layout.dwell }

  /// What the engine does not know and keeps, without the rest of the event.
  package func unknownKeys() throws(CairnError) -> JSONObject {
    do { return try layout.unknownKeys(in: buffer) } catch {
      throw CairnError.unreadable(event: sequence)
    }
  }

  package var event: Event {
    get throws(CairnError) {
      do {
        return try Event.decoded(
          buffer, layout, kind: stored.kind, id: stored.id, time: stored.time,
          recorded: stored.recorded, schema: stored.schema)
      } catch { throw CairnError.unreadable(event: stored.sequence) }
    }
  }

  /// The event with its place and the hash of its leaf, which takes a block of SHA-256.
  var recorded: RecordedEvent {
    get throws(CairnError) {
      RecordedEvent(sequence: sequence, event: try event, leafHash: stored.leafHash)
    }
  }

  /// Appends the event as one line of JSON without the line's end.
  ///
  /// The bytes are those of decoding it first, at a third of the time, and `ofId`.
  package func appendJSON(to output: inout [UInt8]) throws(CairnError) {
    var layout = layout
    layout.time = stored.time
    do {
      let event = EncodedEvent(
        kind: stored.kind, id: stored.id, recorded: stored.recorded, schema: stored.schema,
        payload: buffer)
      try EventJSON.append(
        event, layout, sequence: stored.sequence, leafHash: stored.leafHash,
        extendedID: try extendedID(), to: &output)
    } catch { throw CairnError.unreadable(event: stored.sequence) }
  }

  /// The id of the event that it lengthens: a log that this line is appended to has that event
  /// under another sequence.
  private func extendedID() throws(CairnError) -> EventID? {
    guard kind == .extend else { return nil }
    let extras = try layout.unknownKeys(in: buffer)
    // What was recorded with another value of that key keeps it: a line has each key once.
    guard extras["ofId"] == nil, let of = extras.extended else { return nil }
    return try log?.event(at: of)?.id
  }
}

extension EventLog {
  /// The event with a sequence; nil where there is none, or it was erased.
  func decodedEvent(at sequence: UInt64) throws(CairnError) -> Event? {
    guard let stored = try event(at: sequence) else { return nil }
    return try LogRecord(stored).event
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
        try body(try LogRecord(stored, of: log))
      }
    }
    var left = query.limit ?? .max
    guard left > 0 else { return }
    try log.scan(from: query.from, through: query.through ?? .max) {
      (event, buffer, layout) throws(CairnError) in
      left -= 1
      return try body(LogRecord(event, buffer: buffer, layout: layout, of: log)) && left > 0
    }
  }
}
