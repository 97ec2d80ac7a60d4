package import LMDB
package import Projections

extension Ranking {
  /// Folds what events say about how search serves, in order of sequences; `since` tells from which
  /// sequence on an item's counters count, as of another.
  /// - Complexity: O(events · shown), two rows each.
  package func learn(
    _ events: [LearningEvent], _ checkpoint: inout Checkpoint, in txn: inout WriteTransaction,
    since: (_ item: UInt32, _ sequence: UInt64, _ txn: borrowing ReadTransaction)
      throws(CairnError) -> UInt64
  ) throws(CairnError) {
    var digest = checkpoint[Ranking.name]
    for event in events {
      var changes = Changes()
      for (rank, subject) in event.shown { changes.change(subject) { $0.show(rank: rank) } }
      if let subject = event.subject {
        let isShown = event.shown.contains { $0.subject.item == subject.item }
        changes.change(subject) { change in
          if event.isChoice {
            change.clicks += 1
            if !isShown { change.show(rank: max(1, event.position ?? 1)) }
          }
          if let latency = event.latency { change.latency = latency }
          if event.isDislike { change.dislike += FoldConstants.current.saidDislike }
        }
        if event.isChoice, !event.query.isEmpty {
          let query = Choices.stored(event.query)
          let bounced = try bounced(event, subject, query, in: txn.reader)
          if let bounced, try since(bounced.item, event.sequence, txn.reader) == bounced.since {
            changes.change(bounced) { $0.dislike += FoldConstants.current.bounceDislike }
          }
          try choose(subject, query, event, &digest, in: &txn)
        }
      }
      try write(changes, event, &digest, in: &txn)
    }
    checkpoint[Ranking.name] = digest
  }

  /// What one event changes; each item and domain once.
  private struct Changes {
    var subjects: [UInt32: LearningEvent.Subject] = [:]
    var items: [UInt32: EngagementState.Change] = [:]

    mutating func change(
      _ subject: LearningEvent.Subject, _ body: (inout EngagementState.Change) -> Void
    ) {
      if subjects[subject.item] == nil { subjects[subject.item] = subject }
      body(&items[subject.item, default: EngagementState.Change()])
    }
  }

  /// The item chosen before for the same query and left at once; where the event comes late and was
  /// before what is known, its own item.
  private func bounced(
    _ event: LearningEvent, _ subject: LearningEvent.Subject, _ query: [UInt8],
    in txn: borrowing ReadTransaction
  ) throws(CairnError) -> LearningEvent.Subject? {
    guard let before = try choices.latest(for: query, in: txn), before.item != subject.item else {
      return nil
    }
    let constants = FoldConstants.current
    let gap = Double(event.timeMicroseconds &- before.time) / 1_000_000
    guard abs(gap) <= constants.bounceWindowSeconds else { return nil }
    let dwell = gap >= 0 ? before.dwell : event.dwell
    let isShort =
      if let dwell { dwell < constants.bounceAttentionSeconds } else {
        abs(gap) <= constants.bounceGapSeconds
      }
    guard isShort else { return nil }
    guard gap >= 0 else { return subject }
    return LearningEvent.Subject(
      item: before.item, itemKey: before.itemKey, domain: ResolvedEvent.none, domainKey: .none,
      since: before.since)
  }

  private func choose(
    _ subject: LearningEvent.Subject, _ query: [UInt8], _ event: LearningEvent,
    _ digest: inout RowDigest, in txn: inout WriteTransaction
  ) throws(CairnError) {
    let before = try choices.state(
      of: subject.item, query: query, asOf: event.sequence, in: txn.reader)
    var state = ChoiceState()
    if let before, before.sequence >= subject.since { state = before.state }
    state.add(atMicroseconds: event.timeMicroseconds)
    digest.add(state.digestRow(query: query, item: subject.itemKey))
    try choices.put(state, of: subject.item, query: query, at: event.sequence, in: &txn)
    if let known = try choices.latest(for: query, in: txn.reader),
      known.time > event.timeMicroseconds
    {
      return
    }
    let latest = Choices.Latest(
      item: subject.item, itemKey: subject.itemKey, since: subject.since,
      time: event.timeMicroseconds, dwell: event.dwell)
    try choices.put(latest, for: query, in: &txn)
  }

  private func write(
    _ changes: Changes, _ event: LearningEvent, _ digest: inout RowDigest,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    var domains: [UInt32: (key: NameKey, change: EngagementState.Change)] = [:]
    for item in changes.items.keys.sorted() {
      guard let subject = changes.subjects[item], let change = changes.items[item] else { continue }
      try add(change, .item, item, subject.itemKey, subject.since, event, &digest, in: &txn)
      guard subject.domain != ResolvedEvent.none else { continue }
      var entry = domains[subject.domain] ?? (subject.domainKey, EngagementState.Change())
      entry.change.clicks += change.clicks
      entry.change.impressions += change.impressions
      entry.change.latency = change.latency ?? entry.change.latency
      domains[subject.domain] = entry
    }
    for domain in domains.keys.sorted() {
      guard let (key, change) = domains[domain] else { continue }
      try add(change, .domain, domain, key, 0, event, &digest, in: &txn)
    }
  }

  private func add(
    _ change: EngagementState.Change, _ kind: Engagement.Kind, _ ordinal: UInt32, _ name: NameKey,
    _ since: UInt64, _ event: LearningEvent, _ digest: inout RowDigest,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    var state =
      try engagement.state(kind, ordinal, since: since, asOf: event.sequence, in: txn.reader)
      ?? EngagementState()
    state.add(change, atMicroseconds: event.timeMicroseconds)
    digest.add(state.digestRow(kind: kind.rawValue, name: name))
    try engagement.put(state, kind, ordinal, at: event.sequence, in: &txn)
  }
}
