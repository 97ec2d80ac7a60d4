extension Expression {
  /// What an index can know about the records the filter keeps.
  ///
  /// - Complexity: O(length of the expression).
  package func requirement(in context: EvaluationContext) -> Requirement {
    switch self {
    case .comparison(let comparison): comparison.requirement(in: context)
    case .inRange(let test):
      .lies(ScalarBounds(from: test.lower, to: test.upper, context), test.field, context)
    case .not(.not(let inner)): inner.requirement(in: context)
    // What keeps a record out of `inner` says little about those that stay.
    case .not: .nothing
    case .all(let members): .every(members.map { $0.requirement(in: context) })
    case .any(let members): .some(members.map { $0.requirement(in: context) })
    }
  }
}

extension Requirement {
  /// The conditions that hold on their own, whatever else does: the members of nested conjunctions.
  package var constraints: [Constraint] {
    switch self {
    case .constraint(let constraint): [constraint]
    case .all(let members): members.flatMap(\.constraints)
    case .nothing, .impossible, .any: []
    }
  }

  fileprivate static func every(_ members: [Requirement]) -> Requirement {
    if members.contains(.impossible) { return .impossible }
    let members = members.filter { $0 != .nothing }
    return switch members.count {
    case 0: .nothing
    case 1: members[0]
    default: .all(members)
    }
  }

  fileprivate static func some(_ members: [Requirement]) -> Requirement {
    if members.contains(.nothing) { return .nothing }
    let members = members.filter { $0 != .impossible }
    return switch members.count {
    case 0: .impossible
    case 1: members[0]
    default: .any(members)
    }
  }

  fileprivate static func lies(
    _ bounds: ScalarBounds?, _ field: Field, _ context: EvaluationContext
  ) -> Requirement {
    guard let bounds else { return .impossible }
    return .constraint(Constraint(names: field.names(in: context), condition: .lies(in: bounds)))
  }
}

extension Comparison {
  fileprivate func requirement(in context: EvaluationContext) -> Requirement {
    let names = field.names(in: context)
    switch (value, relation) {
    case (_, .notEqual): return .nothing
    case (.anything, .equal): return .constraint(Constraint(names: names, condition: .present))
    case (.scalar(let value), .equal):
      return .lies(ScalarBounds(from: value, to: value, context), field, context)
    case (.scalar(let value), .less), (.scalar(let value), .lessOrEqual):
      return .lies(ScalarBounds(from: nil, to: value, context), field, context)
    case (.scalar(let value), .greater), (.scalar(let value), .greaterOrEqual):
      return .lies(ScalarBounds(from: value, to: nil, context), field, context)
    case (.text(let pattern), .equal):
      return .every(
        pattern.tokenized.map { token in
          .every(
            token.conditions(inWords: names.contains(AttributeCatalogue.bodyText)).map {
              .constraint(Constraint(names: names, condition: $0))
            })
        })
    case (.anything, _), (.text, _): return .impossible
    }
  }
}

extension TextPattern {
  fileprivate func conditions(inWords: Bool) -> [Constraint.Condition] {
    let folded = options.intersection([.ignoresCase, .ignoresDiacritics])
    var conditions: [Constraint.Condition] = []
    if !inWords, !options.contains(.words) {
      switch elements.first {
      case nil: conditions.append(.equals("", folded))
      case .literal(let text):
        conditions.append(elements.count == 1 ? .equals(text, folded) : .hasPrefix(text, folded))
      case .anyRun, .anyCharacter: break
      }
    }
    for (index, element) in elements.enumerated() {
      guard case .literal(let text) = element else { continue }
      conditions.append(
        .contains(
          RequiredText(text: text, startsOpen: index > 0, endsOpen: index < elements.count - 1)))
    }
    return conditions
  }
}

extension ScalarBounds {
  /// Bounds from one literal to another, open where there is none; nil when nothing lies between.
  fileprivate init?(from lower: ScalarValue?, to upper: ScalarValue?, _ context: EvaluationContext)
  {
    let first = lower.map { $0.interval(in: context).start } ?? Instant(seconds: .min)
    let last =
      upper.map { $0.interval(in: context).end } ?? Instant(seconds: .max, nanoseconds: 999_999_999)
    let least = lower.map { $0.numberBounds?.lowerBound } ?? -.infinity
    let greatest = upper.map { $0.numberBounds?.upperBound } ?? .infinity
    if let least, let greatest, least <= greatest { numbers = least...greatest }
    guard first <= last else { return nil }
    dates = first...last
  }
}

extension ScalarValue {
  /// The number and, where a `Double` cannot hold it, its neighbours.
  fileprivate var numberBounds: ClosedRange<Double>? {
    switch self {
    case .integer(let integer):
      Int64(exactly: Double(integer)) == integer
        ? Double(integer)...Double(integer) : Double(integer).nextDown...Double(integer).nextUp
    case .number(let number): number...number
    case .time: nil
    }
  }
}
