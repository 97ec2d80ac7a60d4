import Events

/// The way of an event from the version it was recorded under to another one.
package struct ShapePath: Sendable {
  private enum Part: Sendable {
    case step(UpcasterStep, name: String)
    case aliases(SchemaDefinition, Set<String>)
  }

  private var parts: [Part] = []
  /// The way back, where texts that were cut on it are joined again; else empty.
  private var back: [Part] = []
  /// Whether domains change on the way.
  package private(set) var hasMoves = false
  /// Whether texts are joined on the way, which may need what the item had.
  package private(set) var hasJoins = false

  package var isEmpty: Bool { parts.isEmpty }

  /// The way between two nodes of a history: up to where they meet, with the inverses of the steps
  /// in reverse order, and down, with the steps; the aliases of every version on it apply.
  package init(_ history: SchemaHistory, from start: Int, to end: Int) {
    let returns = walk(history, from: start, to: end)
    guard returns else { return }
    var other = ShapePath()
    _ = other.walk(history, from: end, to: start)
    back = other.parts
  }

  private init() {}

  /// Adds all parts of a way; returns whether texts are joined on its way up.
  private mutating func walk(_ history: SchemaHistory, from start: Int, to end: Int) -> Bool {
    addAliases(history, start)
    var down: [Int] = []
    var ancestors = [end]
    while let last = ancestors.last, last != 0 { ancestors.append(history.parent(ofNode: last)) }
    var node = start
    while !ancestors.contains(node) {
      for (index, step) in Self.steps(history, node).reversed() {
        if let inverse = step.inverse { add(inverse, "\(node).\(index).up") }
      }
      node = history.parent(ofNode: node)
      addAliases(history, node)
    }
    let returns = hasJoins
    for ancestor in ancestors {
      if ancestor == node { break }
      down.append(ancestor)
    }
    for node in down.reversed() {
      for (index, step) in Self.steps(history, node) { add(step, "\(node).\(index)") }
      addAliases(history, node)
    }
    return returns
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

  private mutating func addAliases(_ history: SchemaHistory, _ node: Int) {
    let definition = history.definition(ofNode: node)
    var names: Set<String> = []
    for domain in definition.domains {
      for attribute in domain.value.attributes { names.formUnion(attribute.value.aliases) }
    }
    if !names.isEmpty { parts.append(.aliases(definition, names)) }
  }

  /// Brings an event along the way.
  /// - Complexity: O(steps · attributes).
  package func apply(to event: inout EventShape) {
    defer { event.removeGone() }
    guard event.isUpdate, !back.isEmpty else {
      for part in parts { Self.apply(part, &event) }
      return
    }
    // An update of one part of a text that is whole here is joined with the others that the item
    // had where the update was recorded, whatever it was recorded under itself.
    var item = EventShape(
      role: .index, domain: event.hadDomain.isEmpty ? .cleared : .value(event.hadDomain),
      attributes: event.had)
    for part in back { Self.apply(part, &item) }
    for part in parts {
      event.seen = item.attributes
      Self.apply(part, &event)
      Self.apply(part, &item)
    }
    event.seen = [:]
  }

  private static func apply(_ part: Part, _ event: inout EventShape) {
    switch part {
    case .step(let step, let name): step.apply(to: &event, named: name)
    case .aliases(let definition, let names):
      // What a domain declares takes longer to gather than most events to fold.
      guard event.attributes.contains(where: { names.contains($0.key) }) else { return }
      event.attributes = definition.effective(event.place).withoutAliases(event.attributes)
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
