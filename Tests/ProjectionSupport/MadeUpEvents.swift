import Events
package import Projections
package import TestSupport

/// Events of all kinds with gaps between their sequences.
package enum MadeUpEvents {
  package static let itemCount: UInt32 = 50

  package static func make(
    _ count: Int, after sequence: UInt64 = 0, _ random: inout SeededGenerator
  ) -> [ResolvedEvent] {
    var sequence = sequence
    return (0..<count).map { _ in
      sequence += UInt64.random(in: 1...3, using: &random)
      let kinds: [EventKind] = [.view, .index, .update, .delete, .select, .impression]
      let time = Int64.random(in: -5_000...5_000_000_000, using: &random)
      var event = ResolvedEvent(
        sequence: sequence, kind: kinds.randomElement(using: &random) ?? .view,
        timeMicroseconds: time, recordedMicroseconds: time + 7,
        actorHash: UInt32.random(in: 0...3, using: &random))
      if Int.random(in: 0..<9, using: &random) > 0 {
        event.item = UInt32.random(in: 0..<itemCount, using: &random)
      }
      if Bool.random(using: &random) {
        event.domain = UInt32.random(in: 0..<itemCount, using: &random)
      }
      event.itemKey = MadeUpNames().itemKey(event.item)
      event.domainKey = MadeUpNames().domainKey(event.domain)
      event.isView = event.kind == .view
      event.weight = event.isView ? Float.random(in: 0...4, using: &random) : 0
      event.startsAfresh = Int.random(in: 0..<20, using: &random) == 0
      return event
    }
  }
}

/// Names for the items and domains of these events.
package struct MadeUpNames: NameKeys {
  package init() {}

  package func itemKey(_ item: UInt32) -> NameKey {
    item == ResolvedEvent.none ? .none : NameKey(low: UInt64(item), high: 7)
  }
  package func domainKey(_ domain: UInt32) -> NameKey {
    domain == ResolvedEvent.none ? .none : NameKey(low: UInt64(domain), high: 8)
  }
}
