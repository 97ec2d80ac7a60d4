import Events
import LMDB

/// What is to become of the events of one request, decided before any of them is written.
struct IDPlan {
  enum Decision {
    /// Appended, with the id that was given or else with a new one.
    case append(EventID?)
    case duplicateOf(index: Int)
    case answered(AppendReceipt.Outcome)
  }

  private(set) var decisions: [Decision] = []

  /// Decides for every event of a request.
  ///
  /// Given ids are looked up in id order, so that a large batch walks the table once.
  init(
    _ events: [EncodedEvent], knownIDs: KnownIDs, reader: EventReader, upcasters: UpcasterChain,
    txn: borrowing ReadTransaction
  ) throws(CairnError) {
    decisions.reserveCapacity(events.count)
    var given: [(id: EventID, index: Int)] = []
    for (index, event) in events.enumerated() {
      if event.payload.count > LogLimits.payloadByteCount {
        decisions.append(.answered(.rejected(.tooLarge)))
      } else if let id = event.id {
        given.append((id, index))
        decisions.append(.append(id))
      } else {
        decisions.append(.append(nil))
      }
    }
    guard !given.isEmpty else { return }
    given.sort { ($0.id.high, $0.id.low, $0.index) < ($1.id.high, $1.id.low, $1.index) }
    var start = 0
    while start < given.count {
      var end = start + 1
      while end < given.count, given[end].id == given[start].id { end += 1 }
      try decide(given[start..<end], events, knownIDs, reader, upcasters, txn)
      start = end
    }
  }

  /// Decides for the events that share one id, in the order they were given.
  private mutating func decide(
    _ group: ArraySlice<(id: EventID, index: Int)>, _ events: [EncodedEvent], _ knownIDs: KnownIDs,
    _ reader: EventReader, _ upcasters: UpcasterChain, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    guard let first = group.first else { return }
    if let sequence = try reader.sequence(of: first.id, in: txn) {
      if knownIDs == .firstWins {
        for entry in group { decisions[entry.index] = .answered(.duplicate(sequence)) }
        return
      }
      let stored = try reader.event(ofID: sequence, in: txn)
      for entry in group {
        let isSame = try events[entry.index].isSame(as: stored, upcasters)
        decisions[entry.index] = .answered(
          isSame ? .duplicate(sequence) : .rejected(.otherContent(sequence)))
      }
      return
    }
    for entry in group.dropFirst() { decisions[entry.index] = .duplicateOf(index: first.index) }
  }
}
