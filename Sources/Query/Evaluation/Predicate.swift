/// A filter made ready for many records: text is folded and `$time` is fixed once.
///
/// It can be shared; each task takes an evaluator of its own.
package struct Predicate: Sendable {
  fileprivate indirect enum Node: Sendable {
    case test(AttributeTest)
    case not(Node)
    case all([Node])
    case any([Node])
  }

  fileprivate let root: Node

  /// Prepares `expression` for the clock and the keys of `context`.
  /// - Complexity: O(length of the expression).
  package init(_ expression: Expression, in context: EvaluationContext) {
    root = Self.node(expression, context)
  }

  /// Something that can test records one after the other, with memory of its own.
  package func evaluator() -> PredicateEvaluator { PredicateEvaluator(self) }

  private static func node(_ expression: Expression, _ context: EvaluationContext) -> Node {
    switch expression {
    case .not(let inner): .not(node(inner, context))
    case .all(let members): .all(members.map { node($0, context) })
    case .any(let members): .any(members.map { node($0, context) })
    case .inRange(let test):
      .test(
        AttributeTest(
          fields: SearchedField.fields(of: test.field, in: context),
          condition: .scalar(ScalarCondition(test, in: context))))
    case .comparison(let comparison): node(comparison, context)
    }
  }

  private static func node(_ comparison: Comparison, _ context: EvaluationContext) -> Node {
    let fields = SearchedField.fields(of: comparison.field, in: context)
    let node: Node
    switch (comparison.value, comparison.relation) {
    case (.scalar(let value), let relation):
      let condition = ScalarCondition(relation, value, in: context)
      node = .test(AttributeTest(fields: fields, condition: .scalar(condition)))
    case (.anything, .equal), (.anything, .notEqual):
      node = .test(AttributeTest(fields: fields, condition: .presence))
    case (.text(let pattern), .equal), (.text(let pattern), .notEqual):
      let tests = pattern.tokenized.map { token in
        Node.test(AttributeTest(fields: fields, condition: .pattern(CompiledPattern(token))))
      }
      node = tests.count == 1 ? tests[0] : .all(tests)
    default:
      // Text has no order: `title < "x"` is no error and never true.
      node = .any([])
    }
    return comparison.relation == .notEqual ? .not(node) : node
  }
}

/// Tests records against a predicate, reusing its memory from one to the next.
package struct PredicateEvaluator {
  private let predicate: Predicate
  private var probe = AttributeProbe()

  fileprivate init(_ predicate: Predicate) { self.predicate = predicate }

  /// Whether the filter keeps the record.
  /// - Complexity: O(tests × attributes + bytes of the values looked at). Never fails: what cannot
  ///   be compared does not match.
  package mutating func matches(_ record: borrowing some AttributeRecord & ~Copyable & ~Escapable)
    -> Bool
  { holds(predicate.root, record) }

  private mutating func holds(
    _ node: Predicate.Node, _ record: borrowing some AttributeRecord & ~Copyable & ~Escapable
  ) -> Bool {
    switch node {
    case .test(let test): return probe.answers(test, for: record)
    case .not(let inner): return !holds(inner, record)
    case .all(let members):
      for member in members where !holds(member, record) { return false }
      return true
    case .any(let members):
      for member in members where holds(member, record) { return true }
      return false
    }
  }
}
