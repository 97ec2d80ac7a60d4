/// A condition on numbers and dates.
struct ScalarCondition: Sendable {
  /// A number as it was written; whole numbers keep all their digits.
  enum Number: Sendable {
    case integer(Int64)
    case double(Double)
  }

  /// The literal as a number, when it is one, and as a time, which it always can be.
  struct Bound: Sendable {
    let number: Number?
    let interval: TimeInterval

    init(_ value: ScalarValue, in context: EvaluationContext) {
      interval = value.interval(in: context)
      number =
        switch value {
        case .integer(let integer): .integer(integer)
        case .number(let double): .double(double)
        case .time: nil
        }
    }

    func holds(_ relation: Comparison.Operator, _ other: Number) -> Bool {
      guard let number, let order = other.compared(to: number) else { return false }
      return switch relation {
      case .equal, .notEqual: order == 0
      case .less: order < 0
      case .lessOrEqual: order <= 0
      case .greater: order > 0
      case .greaterOrEqual: order >= 0
      }
    }

    /// An interval is before what starts at its end, and what lies inside is equal to it: exactly
    /// one of `<`, `==`, `>` holds for every date.
    func holds(_ relation: Comparison.Operator, _ date: Instant) -> Bool {
      let startsLater = date < interval.start
      let endsEarlier = interval.isInstant ? date > interval.start : date >= interval.end
      return switch relation {
      case .equal, .notEqual: !startsLater && !endsEarlier
      case .less: startsLater
      case .lessOrEqual: !endsEarlier
      case .greater: endsEarlier
      case .greaterOrEqual: !startsLater
      }
    }
  }

  let bounds: [(relation: Comparison.Operator, bound: Bound)]
  /// Whether the query wrote a time, so that a text it meets may be one.
  let namesTime: Bool

  /// `!=` is the caller's: this condition is the `==` under it.
  init(_ relation: Comparison.Operator, _ value: ScalarValue, in context: EvaluationContext) {
    bounds = [(relation, Bound(value, in: context))]
    namesTime = value.isTime
  }

  init(_ test: RangeTest, in context: EvaluationContext) {
    bounds = [
      (.greaterOrEqual, Bound(test.lower, in: context)),
      (.lessOrEqual, Bound(test.upper, in: context)),
    ]
    namesTime = test.lower.isTime || test.upper.isTime
  }

  func holds(_ number: Number) -> Bool { bounds.allSatisfy { $0.bound.holds($0.relation, number) } }

  func holds(_ date: Instant) -> Bool { bounds.allSatisfy { $0.bound.holds($0.relation, date) } }
}

extension ScalarCondition.Number {
  /// Negative, zero or positive as this number is less, equal or greater, nil for NaN.
  ///
  /// Exact: a whole number is never rounded to compare it.
  func compared(to other: Self) -> Int? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b ? -1 : a > b ? 1 : 0
    case (.double(let a), .double(let b)): a.isNaN || b.isNaN ? nil : a < b ? -1 : a > b ? 1 : 0
    case (.integer(let a), .double(let b)): Self.compare(a, b)
    case (.double(let a), .integer(let b)): Self.compare(b, a).map { -$0 }
    }
  }

  private static func compare(_ a: Int64, _ b: Double) -> Int? {
    guard !b.isNaN else { return nil }
    guard let floor = Int64(flooring: b) else { return b < 0 ? 1 : -1 }
    return a < floor ? -1 : a > floor ? 1 : Double(floor) < b ? -1 : 0
  }
}

extension ScalarValue {
  fileprivate var isTime: Bool { if case .time = self { true } else { false } }

  /// What the literal denotes when it meets a date.
  func interval(in context: EvaluationContext) -> TimeInterval {
    switch self {
    case .integer(let integer): TimeInterval(at: Instant(secondsSince2001: integer))
    case .number(let number):
      TimeInterval(at: Instant(secondsSince2001: number) ?? Instant(seconds: .max))
    case .time(let time): TimeInterval(time, in: context)
    }
  }
}
