import Query

/// A value for records that are built by hand.
enum RecordValue: Hashable, Sendable {
  case string(String)
  case strings([String])
  case integer(Int64)
  case number(Double)
  case bool(Bool)
  case date(Instant)
  case dates([Instant])
  /// Data, a person or any other value that can be present but not compared.
  case other
}

extension Dictionary: AttributeRecord where Key == String, Value == RecordValue {
  func offer(to probe: inout AttributeProbe) {
    for (name, value) in self where !probe.isSettled && probe.wants(name.utf8.span) {
      switch value {
      case .string(let string): probe.text(string.utf8.span)
      case .strings(let strings): for string in strings { probe.text(string.utf8.span) }
      case .integer(let integer): probe.integer(integer)
      case .number(let number): probe.number(number)
      case .bool(let bool): probe.bool(bool)
      case .date(let date): probe.date(date)
      case .dates(let dates): for date in dates { probe.date(date) }
      case .other: probe.other()
      }
    }
  }
}
