/// One test of a filter on its way through the attributes of a record.
///
/// The record asks `wants` before it hands over values, and stops when the probe `isSettled`.
package struct AttributeProbe {
  /// Whether more values cannot change the answer.
  package private(set) var isSettled = false

  private var test = AttributeTest.never
  private var current: SearchedField.Traits = []
  /// Kept between tests and records, so that text is folded into memory that is already there.
  private var units = TextUnits()

  init() {}

  /// The answer to `test` for one record.
  mutating func answers(
    _ test: AttributeTest, for record: borrowing some AttributeRecord & ~Copyable & ~Escapable
  ) -> Bool {
    self.test = test
    isSettled = false
    record.offer(to: &self)
    return isSettled
  }

  /// Whether the values of the attribute with this name take part.
  /// - Complexity: O(names searched); one comparison of lengths for most.
  package mutating func wants(_ name: Span<UInt8>) -> Bool {
    for field in test.fields where field.hasName(name) {
      current = field.traits
      return true
    }
    return false
  }

  package mutating func text(_ utf8: Span<UInt8>) {
    guard !isSettled else { return }
    switch test.condition {
    case .presence: isSettled = true
    case .pattern(let pattern):
      if current.contains(.isDate), Instant(iso8601: utf8, requiresZone: false) != nil { return }
      isSettled = pattern.matches(utf8, inWords: current.contains(.isBodyText), using: &units)
    case .scalar(let condition):
      guard current.contains(.isDate) || condition.namesTime,
        let date = Instant(iso8601: utf8, requiresZone: !current.contains(.isDate))
      else { return }
      isSettled = condition.holds(date)
    }
  }

  /// Hands over a whole number.
  package mutating func integer(_ integer: Int64) {
    let isDate = current.contains(.isDate)
    scalar { condition in
      isDate
        ? condition.holds(Instant(secondsSince2001: integer)) : condition.holds(.integer(integer))
    }
  }

  package mutating func number(_ number: Double) {
    let isDate = current.contains(.isDate)
    scalar { condition in
      guard isDate else { return condition.holds(.double(number)) }
      guard let date = Instant(secondsSince2001: number) else { return false }
      return condition.holds(date)
    }
  }

  /// Hands over a truth value, which counts as 1 or 0.
  package mutating func bool(_ bool: Bool) {
    guard !current.contains(.isDate) else { return other() }
    integer(bool ? 1 : 0)
  }

  package mutating func date(_ date: Instant) { scalar { $0.holds(date) } }

  /// Takes a number or a date, which no pattern matches.
  private mutating func scalar(_ holds: (ScalarCondition) -> Bool) {
    guard !isSettled else { return }
    switch test.condition {
    case .presence: isSettled = true
    case .pattern: return
    case .scalar(let condition): isSettled = holds(condition)
    }
  }

  /// Hands over a value that is present but cannot be compared.
  package mutating func other() { if case .presence = test.condition { isSettled = true } }
}
