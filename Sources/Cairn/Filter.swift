import Events
import Query

/// A filter in the query language, ready to test items.
struct Filter {
  private var evaluator: PredicateEvaluator

  /// Reads a filter; nil for none.
  ///
  /// - Throws: `badQuery` naming the place in the text.
  init?(_ text: String?, clock: Timestamp) throws(CairnError) {
    guard let text else { return nil }
    do {
      let expression = try QueryParser.parse(text)
      let context = EvaluationContext(
        now: Instant(seconds: clock.seconds, nanoseconds: clock.nanoseconds)
      )
      evaluator = Predicate(expression, in: context).evaluator()
    } catch {
      throw CairnError(.badQuery, error.description, place: "--filter")
    }
  }

  /// Whether an encoded map of attributes passes.
  mutating func passes(_ attributes: [UInt8]) -> Bool {
    evaluator.matches(AttributeMapRecord(map: attributes))
  }
}

/// Lets the query language look at encoded attributes without building values.
struct AttributeMapRecord: AttributeRecord {
  let map: [UInt8]

  func offer(to probe: inout AttributeProbe) {
    var cursor = AttributeCursor(map, map.indices)
    let bytes = map.span
    while !probe.isSettled, let (key, value) = cursor.next() {
      guard probe.wants(bytes.extracting(key)) else { continue }
      offer(value, bytes, to: &probe)
    }
  }

  private func offer(
    _ value: ValueLayout,
    _ bytes: borrowing Span<UInt8>,
    to probe: inout AttributeProbe
  ) {
    switch value {
    case .null: break
    case .bool(let bool): probe.bool(bool)
    case .integer(let integer): probe.integer(integer)
    case .double(let number): probe.number(number)
    case .string(let text): probe.text(bytes.extracting(text))
    case .data: probe.other()
    case .array(let range):
      var elements = ElementCursor(map, range)
      while !probe.isSettled, let element = elements.next() {
        offer(element, bytes, to: &probe)
      }
    }
  }
}
