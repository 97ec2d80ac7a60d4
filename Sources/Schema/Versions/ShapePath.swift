import Events

/// The way of an event from the version it was recorded under to another one.
package struct ShapePath: Sendable {
  private enum Part: Sendable {
    case step(UpcasterStep, name: String)
    case aliases(SchemaDefinition)
  }

  private var parts: [Part] = []
  /// Whether domains change on the way.
  package private(set) var hasMoves = false
  /// Whether texts are joined on the way, which may need what the item had.
  package private(set) var hasJoins = false

  /// Whether events stay as they are.
  package var isEmpty: Bool { parts.isEmpty }

  /// The way between two nodes of a history: up to where they meet, with the inverses of the steps
  /// in reverse order, and down, with the steps; the aliases of every version on it apply.
  package init(_ history: SchemaHistory, from start: Int, to end: Int) {
    arrive(history, start)
    var down: [Int] = []
    var ancestors = [end]
    while let last = ancestors.last, last != 0 { ancestors.append(history.parent(ofNode: last)) }
    var node = start
    while !ancestors.contains(node) {
      for (index, step) in Self.steps(history, node).reversed() {
        if let inverse = step.inverse { add(inverse, "\(node).\(index).up") }
      }
      node = history.parent(ofNode: node)
      arrive(history, node)
    }
    for ancestor in ancestors {
      if ancestor == node { break }
      down.append(ancestor)
    }
    for node in down.reversed() {
      for (index, step) in Self.steps(history, node) { add(step, "\(node).\(index)") }
      arrive(history, node)
    }
  }

  private static func steps(_ history: SchemaHistory, _ node: Int) -> [(Int, UpcasterStep)] {
    let definition = history.definition(ofNode: node)
    let parent = history.definition(ofNode: history.parent(ofNode: node))
    return definition.steps(after: parent).enumerated().map { ($0, $1) }
  }

  private mutating func add(_ step: UpcasterStep, _ name: String) {
    switch step.operation {
    case .move: hasMoves = true
    case .join: hasJoins = true
    default: break
    }
    parts.append(.step(step, name: name))
  }

  private mutating func arrive(_ history: SchemaHistory, _ node: Int) {
    let definition = history.definition(ofNode: node)
    let hasAliases = definition.domains.contains { domain in
      domain.value.attributes.contains { !$0.value.aliases.isEmpty }
    }
    if hasAliases { parts.append(.aliases(definition)) }
  }

  /// Brings an event along the way.
  /// - Complexity: O(steps · attributes).
  package func apply(to event: inout EventShape) {
    for part in parts {
      switch part {
      case .step(let step, let name): step.apply(to: &event, named: name)
      case .aliases(let definition):
        guard !event.attributes.isEmpty else { continue }
        event.attributes = definition.effective(event.place).withoutAliases(event.attributes)
      }
    }
  }

  /// Where a domain is at the end of the way.
  package func domain(_ domain: String) -> String {
    guard hasMoves else { return domain }
    var domain = domain
    for case .step(let step, _) in parts {
      if case .move(let to) = step.operation {
        domain = DomainPath.moved(domain, from: step.domain, to: to) ?? domain
      }
    }
    return domain
  }
}
