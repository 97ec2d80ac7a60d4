package import Events

extension ImportedEvent {
  /// The event as the store takes it: the only place where importers meet its fields.
  /// - Parameters:
  ///   - source: The name of the format or of its program.
  ///   - id: Made of ``identity`` under the store's key.
  ///   - untimed: The time for what has none, in microseconds.
  /// - Returns: The event, not checked yet.
  package func event(source: String, id: EventID, untimed: Int64) -> Event {
    let moment = Timestamp(microseconds: time ?? untimed)
    var event = Event(
      kind: kind, item: item, domain: domain.map { .value($0) } ?? .absent, time: moment,
      recorded: order.map { Timestamp(microseconds: $0) } ?? moment, id: id, actor: actor,
      source: source, session: session)
    if kind != .delete { event.attributes = attributes }
    // Nobody looks at a thing for thirty years: what programs write then is no time.
    if let dwell, dwell > 0, dwell < 1e9 { event.dwell = dwell }
    event.transition = transition?.rawValue
    if visits != 1 { event.visits = Int(visits) }
    if let device, !device.isEmpty { event.device = device }
    if let user, !user.isEmpty { event.extras["user"] = .string(user) }
    if time == nil { event.extras["untimed"] = .bool(true) }
    return event
  }
}
