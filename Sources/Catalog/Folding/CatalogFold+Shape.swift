package import EventLog
package import Events
package import LMDB
import Schema

extension CatalogFold {
  /// An event that is no `index` as the schema in force makes it; nil where it stays as it is.
  /// - Throws: `.corrupt` for a row or an event that cannot be read.
  package mutating func shaped(
    _ event: StoredEvent, _ layout: EventLayout, in txn: inout WriteTransaction
  ) throws(CairnError) -> [UInt8]? {
    guard let lens, let item = layout.item, !event.kind.isPermanent, event.kind != .index else {
      return nil
    }
    guard layout.attributes != nil || layout.domain != .absent else { return nil }
    let place = try entry(event.payload, item, in: &txn)
    let state = entries[place].state
    var context = EventShaping.Context(role: role(event, state))
    if context.role == .update || context.role == .laterView, layout.domain == .absent {
      context.itemDomain = try seenDomain(
        place, under: lens.node(at: event.sequence), lens, in: &txn)
    }
    let isThere = state.isPresent || state.isPart
    if context.role == .update, isThere, lens.path(at: event.sequence).hasJoins {
      context.had = try attributes(place, at: event.recorded, in: txn.reader)
      let domain = try catalog.domainText(state.domain, in: txn.reader)
      context.hadDomain = domain ?? ""
    }
    return try EventShaping.shaped(event, layout, lens, context)
  }

  private func role(_ event: StoredEvent, _ state: ItemState) -> EventShape.Role {
    let isThere = state.isPresent || state.isPart
    return switch event.kind {
    case .update: .update
    case .view: isThere && !state.hasExpired(by: event.recorded) ? .laterView : .firstView
    default: .other
    }
  }

  private func attributes(
    _ place: Int, at clock: Timestamp, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> Attributes {
    let encoded = try catalog.encodedAttributes(
      of: entries[place].ordinal, entries[place].state.content,
      domain: entries[place].state.domain, at: clock, by: lens, log: log, in: txn)
    return try Attributes(encoded: encoded, encoded.indices)
  }

  /// The domain of an item as it was seen under a version; empty for none.
  private mutating func seenDomain(
    _ place: Int, under node: Int, _ lens: SchemaLens, in txn: inout WriteTransaction
  ) throws(CairnError) -> String {
    let state = entries[place].state
    if lens.hasMoves, let name = try catalog.domainText(state.domain, in: txn.reader),
      lens.isMoved(name)
    {
      // Versions are looked at that this batch may have made.
      try flush(in: &txn)
    }
    return try catalog.seenDomain(
      of: entries[place].ordinal, state, asOf: entries[place].made, under: node, lens, log,
      in: txn.reader)
  }

  /// The ordinal of the domain in which a recursive delete shows; what it covers is another matter.
  mutating func shapedDomain(
    _ event: StoredEvent, _ range: Range<Int>, in txn: inout WriteTransaction
  ) throws(CairnError) -> UInt32 {
    guard let lens, event.kind == .delete else { return try domain(event.payload, range, in: &txn) }
    let own = String(decoding: event.payload[range], as: UTF8.self)
    let name = Array(lens.path(at: event.sequence).domain(own).utf8)
    return try domain(name, name.indices, in: &txn)
  }

  /// Whether a recursive delete covered an item when it was recorded.
  mutating func covered(
    _ place: Int, by event: StoredEvent, _ layout: EventLayout, _ lens: SchemaLens,
    in txn: inout WriteTransaction
  ) throws(CairnError) -> Bool {
    guard case .value(let range) = layout.domain else { return true }
    let seen = try seenDomain(place, under: lens.node(at: event.sequence), lens, in: &txn)
    return DomainPath.covers(event.payload[range], seen.utf8)
  }

  /// Stores the attributes of a version whose events the log has in another shape.
  mutating func store(
    _ attributes: [UInt8], _ place: Int, at sequence: UInt64, in txn: inout WriteTransaction
  ) throws(CairnError) {
    var key = Catalog.ordinalKey(entries[place].ordinal)
    key.appendBigEndian(sequence)
    try Parted.put(&txn, catalog.contents, key: key, value: attributes.rawSpan, append: false)
  }
}
