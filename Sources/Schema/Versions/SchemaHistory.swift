package import Values

/// All versions of a store's schema: a tree, whose branches undoing makes.
///
/// A *node* is a version that was set, or 0 for none; an undo counts as the node it returned to.
package struct SchemaHistory: Sendable {
  /// Oldest first; the number of each is its place, from 1.
  package private(set) var versions: [SchemaVersion] = []
  /// The node of each version, none's first.
  private var nodes = [0]
  private var parents: [Int: Int] = [:]
  /// Of each node, the node whose projections are the same.
  private var shapes = [0: 0]

  package init() {}

  /// The number of the version in force; 0 for none.
  package var current: Int { versions.count }
  package var inForce: Int { node(current) }
  /// The definition in force.
  package var definition: SchemaDefinition { versions.last?.definition ?? .none }
  package var isEmpty: Bool { versions.isEmpty }

  /// The node that a version counts as.
  package func node(_ version: Int) -> Int { nodes.indices.contains(version) ? nodes[version] : 0 }

  package func definition(ofNode node: Int) -> SchemaDefinition {
    node > 0 && node <= versions.count ? versions[node - 1].definition : .none
  }

  /// The node that the version in force would be undone to; nil where there is none in force.
  package var undone: Int? {
    let node = node(current)
    return node == 0 ? nil : parents[node] ?? 0
  }

  /// The parent of a node; that of none is none.
  package func parent(ofNode node: Int) -> Int { parents[node] ?? 0 }

  /// What a generation of projections is made by: equal where a change of schema leaves all rows as
  /// they are.
  package var shape: Int { shapes[node(current)] ?? 0 }

  /// Whether any version makes other rows than none would.
  package var everShapes: Bool { shapes.values.contains { $0 != 0 } }

  package func cut(to version: Int) -> SchemaHistory {
    var history = SchemaHistory()
    for version in versions.prefix(version) { _ = history.append(version) }
    return history
  }

  /// Adds a version.
  /// - Returns: Whether it follows on what is there.
  package mutating func append(_ version: SchemaVersion) -> Bool {
    guard version.version == current + 1 else { return false }
    let inForce = node(current)
    if version.reverts != nil {
      guard inForce != 0 else { return false }
      nodes.append(parents[inForce] ?? 0)
    } else {
      let change = SchemaDifference.between(definition(ofNode: inForce), version.definition)
      nodes.append(version.version)
      parents[version.version] = inForce
      shapes[version.version] = change.effect == .rebuild ? version.version : shapes[inForce] ?? 0
    }
    versions.append(version)
    return true
  }

  /// The version that an event was recorded under.
  /// - Complexity: O(log versions).
  package func version(at sequence: UInt64) -> Int {
    versions.indices.partitioningIndex { versions[$0].sequence >= sequence }
  }

  /// The history with a change that is not recorded yet.
  package func proposing(_ definition: SchemaDefinition, at sequence: UInt64, _ time: Timestamp)
    -> SchemaHistory
  {
    var history = self
    _ = history.append(
      SchemaVersion(
        version: current + 1, sequence: sequence, recorded: time, parent: node(current),
        reverts: nil, definition: definition))
    return history
  }

  /// The history with an undo that is not recorded yet; nil where there is nothing to undo.
  package func proposingUndo(at sequence: UInt64, _ time: Timestamp) -> SchemaHistory? {
    guard let undone else { return nil }
    var history = self
    _ = history.append(
      SchemaVersion(
        version: current + 1, sequence: sequence, recorded: time, parent: parent(ofNode: undone),
        reverts: current, definition: definition(ofNode: undone)))
    return history
  }
}
