import Catalog
import EventLog
import LMDB
import Projections
import Ranking

/// What events say about how search serves, with the names they mention resolved.
extension Generation {
  /// Results on screen that are looked at in one event.
  private static let shownCountMax = 100
  /// Seconds: whoever waits longer has gone.
  private static let latencyMax = 3_600.0

  /// The learning events of a batch whose catalog rows are written.
  ///
  /// Whatever an event mentions is taken as it stood at its own sequence, so that it does not
  /// matter what else the batch holds.
  /// - Complexity: O(selections and impressions · results shown).
  func learningEvents(
    _ resolved: [ResolvedEvent], _ events: [StoredEvent], _ layouts: [EventLayout],
    _ notes: [UseAnnotations], in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [LearningEvent] {
    var found: [LearningEvent] = []
    var domains: [UInt32: NameKey] = [:]
    for (index, event) in resolved.enumerated() {
      let layout = layouts[index]
      switch event.kind {
      case .select, .impression: break
      case .view where layout.latency != nil || notes[index].isDislike: break
      default: continue
      }
      var learning = LearningEvent(
        sequence: event.sequence, timeMicroseconds: Use(event).heldMicroseconds)
      learning.isDislike = notes[index].isDislike
      if event.item != ResolvedEvent.none, event.counts {
        learning.subject = try subject(event.item, event.sequence, event.itemKey, &domains, in: txn)
      }
      learning.isChoice = event.kind == .select
      learning.position = layout.position.map { Int(clamping: $0) }
      learning.dwell = layout.dwell
      learning.latency = layout.latency.map { min(max($0, 0), Self.latencyMax) }
      let payload = events[index].payload
      if let query = layout.query { learning.query = QueryText.normalised(Array(payload[query])) }
      try addShown(payload, layout, event, &learning, &domains, in: txn)
      found.append(learning)
    }
    return found
  }

  private func addShown(
    _ payload: [UInt8], _ layout: EventLayout, _ event: ResolvedEvent,
    _ learning: inout LearningEvent, _ domains: inout [UInt32: NameKey],
    in txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard let shown = layout.shown else {
      // One result alone, told by its name.
      if event.kind == .impression, let subject = learning.subject, !learning.isDislike {
        learning.shown = [(learning.position ?? 1, subject)]
      }
      return
    }
    var cursor = ElementCursor(payload, shown)
    var rank = 0
    var seen: Set<UInt32> = []
    while rank < Self.shownCountMax, let element = cursor.next() {
      rank += 1
      guard case .string(let range) = element,
        let item = try catalog.ordinal(of: Array(payload[range]), in: txn),
        seen.insert(item).inserted,
        try catalog.state(of: item, asOf: event.sequence, in: txn)?.state.isPresent == true
      else { continue }
      let key = NameKey(payload, range)
      learning.shown.append((rank, try subject(item, event.sequence, key, &domains, in: txn)))
    }
  }

  private func subject(
    _ item: UInt32, _ sequence: UInt64, _ itemKey: NameKey, _ domains: inout [UInt32: NameKey],
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> LearningEvent.Subject {
    let state = try catalog.state(of: item, asOf: sequence, in: txn)?.state ?? ItemState()
    let known = domains[state.domain]
    let key = if let known { known } else { try catalog.domainKey(state.domain, in: txn) }
    domains[state.domain] = key
    return LearningEvent.Subject(
      item: item, itemKey: itemKey, domain: state.domain, domainKey: key, since: state.since)
  }
}
