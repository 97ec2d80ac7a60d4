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
    /// What it had before the event, where texts are joined on the way, and in which domain.
    var had: Attributes = [:]
    var hadDomain = ""
  }

  /// An `index` as the schema in force makes it; nil where it stays as it is.
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
    let isUpcast = try isUpcast(event, layout, lens, context)
    guard !path.isEmpty || isUpcast else { return nil }
    var upcast: Attributes?
    if isUpcast { upcast = try upcastAttributes(event, layout, lens, context) }
    do throws(CairnError) {
      var decoded = try Event.decoded(event.payload, layout, kind: event.kind, schema: event.schema)
      var shape = EventShape(
        role: context.role, domain: decoded.domain, itemDomain: context.itemDomain,
        attributes: upcast ?? decoded.attributes, had: context.had, hadDomain: context.hadDomain)
      path.apply(to: &shape)
      // A move may be to another spelling of the same letters; none makes or clears a domain.
      guard
        shape.attributes != decoded.attributes
          || !shape.domain.value.hasBytes(of: decoded.domain.value)
      else { return nil }
      decoded.attributes = shape.attributes
      decoded.domain = shape.domain
      return try decoded.encoded(byEngine: true).payload
    } catch { throw CairnError.unreadable(event: event.sequence) }
  }

  /// Whether an application's upcasters get an event; what web pages say is none of theirs.
  private static func isUpcast(
    _ event: StoredEvent, _ layout: borrowing EventLayout, _ lens: SchemaLens, _ context: Context
  ) throws(CairnError) -> Bool {
    guard !lens.upcasters.identity.isEmpty, context.role != .other else { return false }
    if event.kind != .index, layout.attributes == nil { return false }
    return !layout.isOfPage(in: event.payload)
  }

  private static func upcastAttributes(
    _ event: StoredEvent, _ layout: borrowing EventLayout, _ lens: SchemaLens, _ context: Context
  ) throws(CairnError) -> Attributes {
    let decoded: Event
    do throws(CairnError) {
      decoded = try Event.decoded(
        event.payload, layout, kind: event.kind, id: event.id, time: event.time,
        recorded: event.recorded, schema: event.schema)
    } catch { throw CairnError.unreadable(event: event.sequence) }
    let place = EventShape(
      role: context.role, domain: decoded.domain, itemDomain: context.itemDomain
    ).place
    return try lens.upcasters.attributes(of: decoded) { DomainPath.covers($0, place) }
  }
}

extension EventLayout {
  private static let pageSource = Array("web".utf8)

  /// Whether the event says what a web page says of an item.
  package func isOfPage(in payload: [UInt8]) -> Bool {
    source.map { payload[$0].elementsEqual(Self.pageSource) } ?? false
  }
}
