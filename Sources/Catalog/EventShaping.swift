package import EventLog
package import Events
package import Schema

/// Events as the schema in force makes them.
package enum EventShaping {
  /// What has to be known of an event's item.
  struct Context {
    var role: EventShape.Role
    /// The item's domain before the event, as seen when it was recorded.
    var itemDomain = ""
    /// Its parts of joined texts.
    var had: Attributes = [:]
  }

  /// An `index` as the schema in force makes it; nil where it stays as it is.
  ///
  /// - Complexity: O(bytes); O(1) where nothing lies between its version and the one in force.
  /// - Throws: `.corrupt` for an event that does not decode.
  package static func shapedIndex(
    _ event: StoredEvent, _ layout: borrowing EventLayout, _ lens: SchemaLens
  ) throws(CairnError) -> [UInt8]? {
    try shaped(event, layout, lens, Context(role: .index))
  }

  static func shaped(
    _ event: StoredEvent, _ layout: borrowing EventLayout, _ lens: SchemaLens, _ context: Context
  ) throws(CairnError) -> [UInt8]? {
    let path = lens.path(at: event.sequence)
    let mayMove = lens.hasMoves && context.role == .update
    guard !path.isEmpty || mayMove else { return nil }
    do throws(CairnError) {
      var decoded = try Event.decoded(
        event.payload, layout, kind: event.kind, schema: event.schema)
      var shape = EventShape(
        role: context.role, domain: decoded.domain, itemDomain: context.itemDomain,
        attributes: decoded.attributes, had: context.had)
      path.apply(to: &shape)
      if context.role != .laterView, context.role != .other {
        note(decoded.domain, of: &shape, lens.node(at: event.sequence), mayMove)
      }
      guard shape.attributes != decoded.attributes || shape.domain != decoded.domain else {
        return nil
      }
      decoded.attributes = shape.attributes
      decoded.domain = shape.domain
      return try decoded.encoded(byEngine: true).payload
    } catch {
      throw CairnError(
        .corrupt, "event \(event.sequence) cannot be read", place: "log.mdb", remedy: .verify)
    }
  }

  /// Notes the domain that an item had before it was moved, for what looks at it as it was.
  private static func note(
    _ domain: Change<String>, of shape: inout EventShape, _ node: Int, _ mayMove: Bool
  ) {
    if shape.isMoved, case .value(let own) = domain {
      shape.attributes[HiddenAttribute.origin] = .array([.string(own), .integer(Int64(node))])
    } else if mayMove, domain != .absent {
      shape.attributes[HiddenAttribute.origin] = .null
    }
  }
}
