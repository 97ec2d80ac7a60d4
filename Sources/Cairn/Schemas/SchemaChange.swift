import Projections

/// What a change of schema did, or would do.
public struct SchemaChange: Sendable {
  /// A projection that was made anew.
  public struct Projection: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Events folded, without that of the change.
    public var eventCount: Int
    /// Seconds, all projections together; estimated where nothing was done.
    public var seconds: Double
    /// Bytes on disk while old and new stand side by side.
    public var byteCount: Int
  }

  /// Whether the definition differs from the one that was in force.
  public var isChanged: Bool
  /// The version in force afterwards.
  public var version: Int
  /// The sequence of its event; nil where nothing was recorded.
  public var sequence: UInt64?
  /// The version it was set on.
  public var parent: Int
  /// Items whose shown attributes break the schema.
  public var violationCount: Int
  /// What is made anew.
  public var projections: [Projection]
  /// Events folded.
  public var eventCount: Int { projections.first?.eventCount ?? 0 }
  /// Seconds it took, or is estimated to take.
  public var seconds: Double
  /// Bytes on disk needed meanwhile.
  public var byteCount: Int { projections.reduce(0) { $0 + $1.byteCount } }

  /// What setting a schema does to a store that is not there yet.
  package static func first(_ definition: SchemaDefinition) -> SchemaChange {
    let isChanged = definition != .none
    let isShaping = SchemaDifference.between(.none, definition).effect == .rebuild
    return SchemaChange(
      isChanged: isChanged, version: isChanged ? 1 : 0, sequence: nil, parent: 0, violationCount: 0,
      projections: (isShaping ? Generation.names : []).map {
        Projection(name: $0.text, eventCount: 0, seconds: 0, byteCount: 0)
      }, seconds: 0)
  }
}

/// An item whose shown attributes break a rule of a schema.
public struct SchemaViolation: Sendable, Hashable {
  /// The item.
  public var item: String
  /// Its domain.
  public var domain: String?
  /// The attribute.
  public var key: String
  /// The rule.
  public var rule: AttributeRule
  /// The sequence of the event that made the item what it is.
  public var sequence: UInt64
}
