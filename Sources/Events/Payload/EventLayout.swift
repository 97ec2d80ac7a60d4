/// Where the fields of a payload lie, found without copying.
///
/// Ranges of texts are their UTF-8 bytes inside the payload.
package struct EventLayout: Sendable, Equatable {
  package var item: Range<Int>?
  package var domain: Change<Range<Int>> = .absent
  package var all = false
  /// When it happened, if the event was given that.
  package var time: Timestamp?
  /// The encoded map, never empty; ``AttributeCursor`` walks it.
  package var attributes: Range<Int>?
  package var expires: Change<Timestamp> = .absent
  package var actor: Range<Int>?
  package var source: Range<Int>?
  package var session: Range<Int>?
  package var query: Range<Int>?
  package var position: Int64?
  package var dwell: Double?
  package var latency: Double?
  package var deliberate: Bool?
  /// The encoded list, never empty; ``ElementCursor`` walks it.
  package var shown: Range<Int>?
  /// The encoded map of unknown keys, never empty.
  package var extras: Range<Int>?

  /// Of a payload without fields.
  package init() {}

  /// Finds the fields and checks that the bytes are canonical throughout, except that texts are
  /// UTF-8, which whoever makes a `String` or JSON of one checks.
  /// - Complexity: O(*n*) without allocation.
  /// - Throws: `.corrupt` for anything else.
  package init(_ payload: [UInt8]) throws(CairnError) { try self.init(payload.span) }

  /// Finds the fields and checks that the bytes are canonical throughout.
  package init(_ payload: Span<UInt8>) throws(CairnError) { try self.init(payload, from: 0) }

  /// The layout of the payload that stands in some range of a larger buffer; its ranges are those
  /// of the buffer.
  /// - Throws: as for a payload alone.
  package init(_ buffer: [UInt8], _ place: Range<Int>) throws(CairnError) {
    try self.init(buffer.span.extracting(..<place.upperBound), from: place.lowerBound)
  }

  private init(_ payload: Span<UInt8>, from start: Int) throws(CairnError) {
    var reader = PayloadReader(at: start)
    let count = try reader.count(payload, .map)
    var previous: UInt64 = 0
    for _ in 0..<count {
      let key = try reader.head(payload, .unsigned)
      guard key > previous, let field = UInt8(exactly: key).flatMap(PayloadField.init) else {
        throw reader.malformed()
      }
      previous = key
      try read(field, payload, &reader)
    }
    guard reader.position == payload.count else { throw reader.malformed() }
  }

  private mutating func read(
    _ field: PayloadField, _ payload: Span<UInt8>, _ reader: inout PayloadReader
  ) throws(CairnError) {
    switch field {
    case .item: item = try reader.string(payload)
    case .domain:
      if reader.peek(payload) == CBORByte.null {
        try reader.null(payload)
        domain = .cleared
      } else {
        domain = .value(try reader.string(payload))
      }
    case .time: time = try reader.timestamp(payload)
    case .attributes: attributes = try reader.attributes(payload)
    case .expires:
      if reader.peek(payload) == CBORByte.null {
        try reader.null(payload)
        expires = .cleared
      } else {
        expires = .value(try reader.timestamp(payload))
      }
    case .actor: actor = try reader.string(payload)
    case .source: source = try reader.string(payload)
    case .session: session = try reader.string(payload)
    case .query: query = try reader.string(payload)
    case .position:
      let value = try reader.integer(payload)
      guard value >= 1 else { throw reader.malformed() }
      position = value
    case .shown: shown = try reader.texts(payload)
    case .dwell: dwell = try reader.duration(payload)
    case .latency: latency = try reader.duration(payload)
    case .deliberate: deliberate = try reader.bool(payload)
    case .all:
      guard try reader.bool(payload) else { throw reader.malformed() }
      all = true
    case .extras:
      let start = reader.position
      var keys = 0..<0
      let count = try reader.count(payload, .map)
      guard count > 0 else { throw reader.malformed() }
      for _ in 0..<count {
        _ = try reader.key(payload, after: &keys)
        try reader.anyValue(payload)
      }
      extras = start..<reader.position
    }
  }
}
