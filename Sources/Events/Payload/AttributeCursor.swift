package enum ValueLayout: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  /// The UTF-8 bytes.
  case string(Range<Int>)
  case data(Range<Int>)
  /// The encoded array; ``ElementCursor`` walks it.
  case array(Range<Int>)
}

/// Walks a map of attributes without building values.
package struct AttributeCursor {
  private let payload: [UInt8]
  private var reader: PayloadReader
  /// Attributes not yet given.
  private(set) var remaining: Int
  /// The encoded key and value that ``next()`` gave last.
  package private(set) var member: Range<Int>

  /// A cursor over the encoded map in `range`, as ``EventLayout`` found it; over other bytes it
  /// ends at the first that is wrong.
  package init(_ payload: [UInt8], _ range: Range<Int>) {
    self.payload = payload
    reader = PayloadReader(at: max(0, range.lowerBound))
    // Over other bytes the cursor ends, as promised.
    remaining = (try? reader.count(payload.span, .map)) ?? 0
    member = reader.position..<reader.position
  }

  /// The next attribute in canonical order: the range of the key's UTF-8 bytes and the value.
  package mutating func next() -> (key: Range<Int>, value: ValueLayout)? {
    guard remaining > 0 else { return nil }
    remaining -= 1
    var reader = reader
    // Over other bytes the cursor ends, as promised.
    guard let key = try? reader.string(payload.span), let value = try? reader.value(payload.span)
    else {
      remaining = 0
      return nil
    }
    member = self.reader.position..<reader.position
    self.reader = reader
    return (key, value)
  }
}

/// Walks an array without building values: of an attribute, or ``EventLayout/shown``.
package struct ElementCursor {
  private let payload: [UInt8]
  private var reader: PayloadReader
  /// Elements not yet given.
  package private(set) var remaining: Int

  /// A cursor over the encoded array in `range`, as a layout gave it; over other bytes it ends at
  /// the first that is wrong.
  package init(_ payload: [UInt8], _ range: Range<Int>) {
    self.payload = payload
    reader = PayloadReader(at: max(0, range.lowerBound))
    // Over other bytes the cursor ends, as promised.
    remaining = (try? reader.count(payload.span, .array)) ?? 0
  }

  package mutating func next() -> ValueLayout? {
    guard remaining > 0 else { return nil }
    remaining -= 1
    var reader = reader
    // Over other bytes the cursor ends, as promised.
    guard let value = try? reader.value(payload.span, allowsArray: false) else {
      remaining = 0
      return nil
    }
    self.reader = reader
    return value
  }
}

extension EventLayout {
  /// Whether the payload gives a title, so that a view of it makes an item that is not there.
  package func hasTitle(in payload: [UInt8]) -> Bool {
    guard let attributes else { return false }
    var cursor = AttributeCursor(payload, attributes)
    while let (key, value) = cursor.next() {
      guard payload[key].elementsEqual("title".utf8) else { continue }
      if case .string(let text) = value { return !text.isEmpty }
    }
    return false
  }
}
