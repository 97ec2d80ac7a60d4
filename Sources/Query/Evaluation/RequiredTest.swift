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

  /// Whether it lies above a whole number; then above all lesser ones too.
  package func isAbove(_ number: Int64) -> Bool { condition.isAbove(.integer(number)) }
  /// Whether it lies below a whole number.
  package func isBelow(_ number: Int64) -> Bool { condition.isBelow(.integer(number)) }
  /// Whether it lies above a number.
  package func isAbove(_ number: Double) -> Bool { condition.isAbove(.double(number)) }
  /// Whether it lies below a number.
  package func isBelow(_ number: Double) -> Bool { condition.isBelow(.double(number)) }
  /// Whether it lies after a time.
  package func isAbove(_ time: Instant) -> Bool { condition.isAbove(time) }
  /// Whether it lies before a time.
  package func isBelow(_ time: Instant) -> Bool { condition.isBelow(time) }
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
        RequiredTest(
          attribute: name, condition: .text(TextCondition(CompiledPattern(token))))
      }
      return (tests, true)
    default: return ([], false)
    }
  }
}

extension ScalarCondition {
  /// Whether what is asked for lies above a number.
  func isAbove(_ number: Number) -> Bool {
    bounds.contains { bound in
      switch bound.relation {
      case .equal, .notEqual, .greaterOrEqual: !bound.bound.holds(.greaterOrEqual, number)
      case .greater: !bound.bound.holds(.greater, number)
      // A time is neither below nor above any number.
      case .less, .lessOrEqual: bound.bound.number == nil
      }
    }
  }

  /// Whether what is asked for lies below a number.
  func isBelow(_ number: Number) -> Bool {
    bounds.contains { bound in
      switch bound.relation {
      case .equal, .notEqual, .lessOrEqual: !bound.bound.holds(.lessOrEqual, number)
      case .less: !bound.bound.holds(.less, number)
      case .greater, .greaterOrEqual: bound.bound.number == nil
      }
    }
  }

  /// Whether what is asked for lies after a time.
  func isAbove(_ date: Instant) -> Bool {
    bounds.contains { bound in
      switch bound.relation {
      case .equal, .notEqual, .greaterOrEqual: !bound.bound.holds(.greaterOrEqual, date)
      case .greater: !bound.bound.holds(.greater, date)
      case .less, .lessOrEqual: false
      }
    }
  }

  /// Whether what is asked for lies before a time.
  func isBelow(_ date: Instant) -> Bool {
    bounds.contains { bound in
      switch bound.relation {
      case .equal, .notEqual, .lessOrEqual: !bound.bound.holds(.lessOrEqual, date)
      case .less: !bound.bound.holds(.less, date)
      case .greater, .greaterOrEqual: false
      }
    }
  }
}
