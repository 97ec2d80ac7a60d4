import Cairn

/// What is said around a purge, besides its plan and its receipt.
struct PurgeAdvice {
  let scope: PurgeScope
  let json: Bool

  /// What a block of this scope refuses; nil where it is the erased events alone.
  private var blocked: String? {
    switch scope {
    case .domain(let name): "events in the domain \(DisplayText.harmless(name))"
    case .item(let name): "events of the item \(DisplayText.harmless(name))"
    default: nil
    }
  }

  /// Names of a filter that nothing has; where nothing fits, other names as well, and the ones that
  /// may be meant.
  func tellOfSlips(_ conditions: PurgeConditions, _ store: Store, isEmpty: Bool) throws(Failure) {
    let moment = try answering(store.at())
    try Listing.tellOfUnusedNames(conditions.filter, moment)
    // A schema shows a domain by another name, which takes its events as well.
    guard isEmpty else { return }
    try Listing.tellOfActor(conditions.actor, moment)
    if let item = conditions.item {
      _ = try Listing.isReportedUnknown(item, store, "to find its id: cairn search TEXT")
    }
    try Listing.tellOfDomain(conditions.domain, moment, toPrograms: true)
  }

  /// After a purge: what comes back, or what is refused from now on.
  func tellOfLater(_ receipt: PurgeReceipt, blocks: Bool) throws(Failure) {
    let isErased = receipt.sequence != nil
    guard blocks else {
      if isErased { try write("\(Self.source) brings it back; --block keeps it away") }
      return
    }
    if let blocked { return try write("refused from now on: \(blocked); --unblock lifts that") }
    guard isErased else {
      return try write(
        "nothing more is refused: with these conditions --block keeps ids of what it erases")
    }
    let count = Readable.count(receipt.plan.eventCount, "id")
    try write(
      "refused from now on: \(count) of the erased events and nothing else; --unblock lifts that")
    try write("\(Self.source) brings it back where its events get new ids")
  }

  private static let source = "an import or a watcher of the same sources"

  func tellOfUnblocking() throws(Failure) {
    try write("accepted again: \(blocked ?? "the events that were erased with these conditions")")
  }

  /// How to be rid of what an import brought so that it can come again, which going back on it does
  /// not allow: its events stay known.
  static func importingAnew(_ first: UInt64, _ last: UInt64) -> String {
    let events = first == last ? "\(first)" : "\(first)-\(last)"
    return "to import it anew, with other options: cairn purge --events \(events), then import"
  }

  /// Whether an item of known events, or one of others, is gone because somebody deleted it, not
  /// because its source told so.
  static func areDeleted(
    _ known: [UInt64], _ others: [String], _ store: Store
  ) throws(Failure) -> Bool {
    let now = try answering(store.at())
    guard !(known.isEmpty && others.isEmpty),
      try answering(now.statistics()).kinds["delete"] != nil
    else { return false }
    // With the domain that it came into; of what is counted nil.
    var gone: [String: String?] = [:]
    for item in others where try answering(now.item(item)) == nil { gone[item] = .some(nil) }
    for sequence in known {
      guard let event = try answering(store.event(at: sequence))?.event, let item = event.item,
        try answering(now.item(item)) == nil
      else { continue }
      gone[item] = event.domain.value ?? ""
    }
    guard !gone.isEmpty else { return false }
    var query = EventQuery(kind: .delete)
    (query.isReversed, query.includesLeafHashes) = (true, false)
    var isDeleted = false
    try answering(
      store.forEachEvent(query) { recorded in
        let event = recorded.event
        let domain = event.domain.value ?? ""
        let isMeant =
          event.item.map { gone.removeValue(forKey: $0) != nil }
          ?? gone.values.contains { $0.map { DomainPath.covers(domain, $0) } ?? true }
        isDeleted = isMeant && event.source == nil
        return !isDeleted && !gone.isEmpty
      })
    return isDeleted
  }

  private func write(_ line: String) throws(Failure) {
    guard !json else { return }
    var output = Output()
    try output.line(line)
    try output.flush()
  }
}
