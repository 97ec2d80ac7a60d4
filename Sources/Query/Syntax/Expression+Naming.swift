extension Expression {
  /// The same filter with attributes under other names.
  /// - Complexity: O(tests).
  package func naming(_ name: (String) -> String) -> Expression {
    switch self {
    case .comparison(var test):
      test.field = test.field.naming(name)
      return .comparison(test)
    case .inRange(var test):
      test.field = test.field.naming(name)
      return .inRange(test)
    case .not(let part): return .not(part.naming(name))
    case .all(let parts): return .all(parts.map { $0.naming(name) })
    case .any(let parts): return .any(parts.map { $0.naming(name) })
    }
  }

  /// Whether a test looks at all that is searched: `*` or `**`.
  package var asksSearched: Bool {
    switch self {
    case .comparison(let test): test.field.isSearched
    case .inRange(let test): test.field.isSearched
    case .not(let part): part.asksSearched
    case .all(let parts), .any(let parts): parts.contains { $0.asksSearched }
    }
  }
}

extension Field {
  fileprivate var isSearched: Bool { if case .attribute = self { false } else { true } }

  fileprivate func naming(_ name: (String) -> String) -> Field {
    if case .attribute(let key) = self { .attribute(name(key)) } else { self }
  }
}
