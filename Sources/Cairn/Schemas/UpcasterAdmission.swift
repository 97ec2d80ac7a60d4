import EventLog

/// Refuses events of which an application's upcaster makes now this, now that.
struct UpcasterAdmission: EventAdmission {
  private let upcasters: EventUpcasters
  private var rules: SchemaAdmission?

  init(_ upcasters: EventUpcasters, _ rules: SchemaAdmission?) {
    self.upcasters = upcasters
    self.rules = rules
  }

  mutating func refusal(of event: EncodedEvent, at recorded: Timestamp) throws(CairnError)
    -> String?
  {
    let layout = try EventLayout(event.payload)
    let isShaped = event.kind == .index || event.kind == .update || event.kind == .view
    if isShaped, event.kind == .index || layout.attributes != nil {
      let decoded = try Event.decoded(
        event.payload, layout, kind: event.kind, id: event.id, recorded: event.recorded,
        schema: event.schema)
      // Which domain its item is in matters to what is made of it, not to whether that is sure.
      do throws(CairnError) { _ = try upcasters.attributes(of: decoded) { _ in true } } catch {
        return error.description
      }
    }
    return try rules?.refusal(of: event, at: recorded)
  }
}
