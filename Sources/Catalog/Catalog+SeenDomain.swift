package import EventLog
import Events
package import LMDB
import Projections
package import Schema

extension Catalog {
  /// The domain of an item in the state it had as of a sequence, as it was seen under a version;
  /// empty for none.
  /// - Complexity: O(1); where a schema moves the domain, O(updates since an event gave it).
  package func seenDomain(
    of item: UInt32, _ state: ItemState, asOf sequence: UInt64, under node: Int,
    _ lens: SchemaLens, _ log: EventLog, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> String {
    guard state.isPresent || state.isPart, let name = try domainText(state.domain, in: txn) else {
      return ""
    }
    guard lens.isMoved(name),
      let given = try givenDomain(of: item, state, asOf: sequence, log, in: txn)
    else { return name }
    return lens.domain(given.domain, from: lens.node(at: given.sequence), to: node)
  }

  /// The domain of an item as the event has it that gave it, and that event's sequence.
  private func givenDomain(
    of item: UInt32, _ state: ItemState, asOf sequence: UInt64, _ log: EventLog,
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> (domain: String, sequence: UInt64)? {
    if state.ownDomain == ResolvedEvent.none {
      let page = state.content.page
      guard let event = try log.event(at: page) else { return nil }
      return Self.domain(event, try event.layout()).map { ($0, page) }
    }
    let name = try name(of: item, in: txn)
    var given: (domain: String, sequence: UInt64)?
    try txn.scan(versions, from: Self.versionKey(item: item, sequence: sequence)) {
      (key, row) throws(CairnError) in
      guard key.loadBigEndian32(at: 0) == item else { return false }
      let made = ~key.loadBigEndian64(at: 4)
      // Other items' events make versions, too, and so do pages and later activities.
      guard let event = try log.event(at: made) else { return true }
      let layout = try event.layout()
      let base = try ItemState(decoding: row).content.base
      guard event.kind == .update || base == made, let own = layout.item,
        event.payload[own].elementsEqual(name),
        let domain = Self.domain(event, layout)
      else { return true }
      given = (domain, made)
      return false
    }
    return given
  }

  private static func domain(_ event: StoredEvent, _ layout: EventLayout) -> String? {
    guard case .value(let range) = layout.domain else { return nil }
    return String(decoding: event.payload[range], as: UTF8.self)
  }
}
