/// A test of one attribute that every record which a filter keeps passes by one of its values.
///
/// Whoever has values by attribute finds what may pass without looking at records.
package struct RequiredTest: Sendable {
  /// What a value must be.
  package enum Condition: Sendable {
    /// A number or a time in a range.
    case range(ValueRange)
    /// A text like a pattern.
    case text(TextCondition)
  }

  /// The attribute, as the query names it.
  package let attribute: String
  /// What one of its values must be.
  package let condition: Condition
}

/// A range of numbers or times.
package struct ValueRange: Sendable {
  let condition: ScalarCondition

  /// Where a range lies, seen from a value.
  package enum Side: Sendable { case above, below }

  /// What a range is held against.
  package enum Value: Sendable {
    case integer(Int64)
    case double(Double)
    case time(Instant)
  }

  /// Whether it lies on a side of a value; what is above one is above all lesser ones too.
  package func lies(_ side: Side, _ value: Value) -> Bool {
    let strict: Comparison.Operator = side == .above ? .greater : .less
    let inclusive: Comparison.Operator = side == .above ? .greaterOrEqual : .lessOrEqual
    return condition.bounds.contains { (relation, bound) in
      switch relation {
      case strict: !bound.holds(strict, value)
      case .equal, .notEqual, inclusive: !bound.holds(inclusive, value)
      // A time is neither above nor below any number.
      default: !value.isTime && bound.number == nil
      }
    }
  }
}

extension ValueRange.Value {
  fileprivate var isTime: Bool { if case .time = self { true } else { false } }
}

extension ScalarCondition.Bound {
  fileprivate func holds(_ relation: Comparison.Operator, _ value: ValueRange.Value) -> Bool {
    switch value {
    case .integer(let number): holds(relation, ScalarCondition.Number.integer(number))
    case .double(let number): holds(relation, ScalarCondition.Number.double(number))
    case .time(let time): holds(relation, time)
    }
  }
}

/// A pattern that texts are held against, with memory of its own.
package struct TextCondition: Sendable {
  let pattern: CompiledPattern
  private var units = TextUnits()

  init(_ pattern: CompiledPattern) { self.pattern = pattern }

  /// Whether a text, in UTF-8, is like the pattern.
  package mutating func holds(_ text: Span<UInt8>) -> Bool {
    pattern.matches(text, inWords: false, using: &units)
  }
}

extension Expression {
  /// Tests that every record passes which the filter keeps, and whether these are all of it.
  /// - Complexity: O(length of the expression).
  package func requiredTests(in context: EvaluationContext) -> (tests: [RequiredTest], isAll: Bool)
  {
    switch self {
    case .all(let members):
      var tests: [RequiredTest] = []
      var isAll = true
      for member in members {
        let found = member.requiredTests(in: context)
        tests += found.tests
        isAll = isAll && found.isAll
      }
      return (tests, isAll)
    case .inRange(let test):
      guard case .attribute(let name) = test.field else { return ([], false) }
      let range = ValueRange(condition: ScalarCondition(test, in: context))
      return ([RequiredTest(attribute: name, condition: .range(range))], true)
    case .comparison(let comparison): return comparison.requiredTests(in: context)
    case .not, .any: return ([], false)
    }
  }
}

extension Comparison {
  fileprivate func requiredTests(in context: EvaluationContext) -> (
    tests: [RequiredTest], isAll: Bool
  ) {
    guard case .attribute(let name) = field else { return ([], false) }
    switch (value, relation) {
    case (.scalar(let value), let relation) where relation != .notEqual:
      let range = ValueRange(condition: ScalarCondition(relation, value, in: context))
      return ([RequiredTest(attribute: name, condition: .range(range))], true)
    case (.text(let pattern), .equal) where name != AttributeCatalogue.bodyText:
      let tests = pattern.tokenized.map { token in
        RequiredTest(attribute: name, condition: .text(TextCondition(CompiledPattern(token))))
      }
      return (tests, true)
    default: return ([], false)
    }
  }
}
