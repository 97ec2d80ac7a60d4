import EventLog

/// Events that are acknowledged and that the projections have no room for.
extension Store {
  /// Visits those of a range that match a query, in its order, until the body returns false.
  /// - Complexity: O(events in the range), some microseconds each.
  func forEachUnfolded(
    _ query: EventQuery, in range: ClosedRange<UInt64>,
    _ body: (StoredEvent) throws(CairnError) -> Bool
  ) throws(CairnError) {
    let first = max(range.lowerBound, query.from)
    let last = min(range.upperBound, query.through ?? .max)
    guard first <= last else { return }
    var domains = UnfoldedDomains(self, before: range.lowerBound)
    var found: [UInt64] = []
    // From the beginning, since an event belongs where those before it put its item.
    for sequence in range.lowerBound...last {
      guard let stored = try log.event(at: sequence) else { continue }
      let event = try LogRecord(stored).event
      let domain = try query.domain == nil ? nil : domains.domain(of: event)
      guard sequence >= first, Self.matches(event, stored.time, in: domain, query) else { continue }
      if query.isReversed {
        found.append(sequence)
      } else if try !body(stored) {
        return
      }
    }
    for sequence in found.reversed() {
      guard let stored = try log.event(at: sequence) else { continue }
      guard try body(stored) else { return }
    }
  }

  /// Whether an event matches, as its record in the timeline would.
  private static func matches(
    _ event: Event, _ time: Timestamp, in domain: String?, _ query: EventQuery
  ) -> Bool {
    if let item = query.item, !event.item.hasBytes(of: item) { return false }
    if let kind = query.kind, event.kind != kind { return false }
    if let actor = query.actor, !event.actor.hasBytes(of: actor) { return false }
    if let source = query.source, !event.source.hasBytes(of: source) { return false }
    if let wanted = query.domain {
      guard let domain, DomainPath.covers(wanted, domain) else { return false }
    }
    return query.spans(time)
  }
}

/// The domains of items as events after the projections' last one have them.
private struct UnfoldedDomains {
  private let store: Store
  private let sequence: UInt64
  private var known: [[UInt8]: String?] = [:]

  init(_ store: Store, before first: UInt64) {
    self.store = store
    sequence = first - 1
  }

  /// The domain that an event belongs to: its own, or that of its item.
  mutating func domain(of event: Event) throws(CairnError) -> String? {
    var own: String?
    if case .value(let name) = event.domain { own = name }
    guard let item = event.item else { return own }
    let key = Array(item.utf8)
    if let own {
      known[key] = .some(own)
      return own
    }
    if let domain = known[key] { return domain }
    let clock = Timestamp(seconds: 0)
    let domain = try store.at(sequence: sequence, clock: clock, now: nil).knownItem(item)?.domain
    known[key] = .some(domain)
    return domain
  }
}
