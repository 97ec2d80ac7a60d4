/// Where the fields of a payload lie, found without copying.
///
/// Ranges of texts are their UTF-8 bytes inside the payload.
package struct EventLayout: Sendable {
  package var item: Range<Int>?
  package var domain: Change<Range<Int>> = .absent
  package var all = false
  package var time: Timestamp?
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
  /// The encoded list; ``ElementCursor`` walks it.
  package var shown: Range<Int>?
  /// The encoded map of unknown keys.
  package var extras: Range<Int>?

  /// Finds the fields and checks that the bytes are well-formed throughout.
  package init(_ payload: [UInt8]) throws(EventError) {
    throw EventError(.payload, "not there yet")
  }
}

/// A value inside a payload.
package enum ValueLayout: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  /// The UTF-8 bytes.
  case string(Range<Int>)
  /// The bytes.
  case data(Range<Int>)
  /// The encoded array; ``ElementCursor`` walks it.
  case array(Range<Int>)
}

/// Walks a map of attributes without building values.
package struct AttributeCursor {
  private let payload: [UInt8]
  private let range: Range<Int>

  /// A cursor over the encoded map in `range`, as ``EventLayout`` found it.
  package init(_ payload: [UInt8], _ range: Range<Int>) {
    self.payload = payload
    self.range = range
  }

  /// The next attribute in canonical order: the range of the key's UTF-8 bytes and the value.
  package mutating func next() -> (key: Range<Int>, value: ValueLayout)? { nil }
}

/// Walks an array without building values.
package struct ElementCursor {
  private let payload: [UInt8]
  private let range: Range<Int>

  /// A cursor over the encoded array in `range`.
  package init(_ payload: [UInt8], _ range: Range<Int>) {
    self.payload = payload
    self.range = range
  }

  /// The next element.
  package mutating func next() -> ValueLayout? { nil }
}
