/// A parsed filter: what a record must say to be kept.
///
/// Conjunctions and disjunctions are lists, so a filter of a thousand terms is two levels deep, not
/// a thousand, and walking one never needs more stack than its parentheses did. The parser merges
/// `a && (b && c)` into one list; an empty `all` is true and an empty `any` is false.
package indirect enum Expression: Hashable, Sendable {
  case comparison(Comparison)
  case inRange(RangeTest)
  case not(Expression)
  case all([Expression])
  case any([Expression])
}

/// The left side of a test.
package enum Field: Hashable, Sendable {
  /// One attribute, spelled as the query spelled it.
  case attribute(String)
  /// `*`: every attribute that is searched by default.
  case metadata
  /// `**`: the same and `textContent`.
  case metadataAndText
}

/// `attribute operator value`.
package struct Comparison: Hashable, Sendable {
  /// How the value of the record relates to the value of the query.
  package enum Operator: Hashable, Sendable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
  }

  /// What the attribute is compared with.
  package enum Value: Hashable, Sendable {
    case text(TextPattern)
    case scalar(ScalarValue)
    /// A bare `*`: any value at all.
    case anything
  }

  package var field: Field
  package var relation: Operator
  package var value: Value

  package init(_ field: Field, _ relation: Operator, _ value: Value) {
    self.field = field
    self.relation = relation
    self.value = value
  }
}

/// `InRange(attribute, lower, upper)`, inclusive at both ends.
package struct RangeTest: Hashable, Sendable {
  package var field: Field
  package var lower: ScalarValue
  package var upper: ScalarValue

  /// Makes a range test.
  package init(_ field: Field, _ lower: ScalarValue, _ upper: ScalarValue) {
    self.field = field
    self.lower = lower
    self.upper = upper
  }
}

/// A value that has an order: a number or a time.
package enum ScalarValue: Hashable, Sendable {
  /// A whole number that fits; against a date, seconds since 2001-01-01 00:00:00 UTC.
  case integer(Int64)
  /// Any other finite number; against a date, seconds since 2001-01-01 00:00:00 UTC.
  case number(Double)
  case time(TimeExpression)
}
