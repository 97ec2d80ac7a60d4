public import Values

/// One version of a store's schema: a change of it, or the undoing of one.
public struct SchemaVersion: Sendable, Hashable {
  /// Its number, from 1 without gaps.
  public let version: Int
  /// The sequence of its event.
  public let sequence: UInt64
  /// When it was recorded.
  public let recorded: Timestamp
  /// The version it was set on, 0 for none; of an undo, that of the version it returned to.
  public let parent: Int
  /// The version that it undid; nil for a change.
  public let reverts: Int?
  /// What it says.
  public let definition: SchemaDefinition

  package init(
    version: Int, sequence: UInt64, recorded: Timestamp, parent: Int, reverts: Int?,
    definition: SchemaDefinition
  ) {
    self.version = version
    self.sequence = sequence
    self.recorded = recorded
    self.parent = parent
    self.reverts = reverts
    self.definition = definition
  }
}
