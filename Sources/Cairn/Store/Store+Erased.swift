import EventLog

/// What is left of an event after a purge.
public struct ErasedEvent: Sendable, Hashable {
  /// Its position in the log.
  public var sequence: UInt64
  /// The sequence of the purge event that erased it.
  public var purge: UInt64
  /// Its leaf hash in the hash tree.
  public var leafHash: Hash32
}

/// A place in the log: an event, or what is left of one.
public enum LogEntry: Sendable {
  /// A live event.
  case event(RecordedEvent)
  /// An erased one.
  case erased(ErasedEvent)
}

extension Store {
  /// Visits events, and stubs of erased ones, in order (or backwards) until the body returns false.
  ///
  /// A stub has neither item, domain, kind, actor nor time: a query for one of these finds none.
  /// - Complexity: O(events in the range), some microseconds each.
  /// - Throws: `corrupt`, `io`, and what the body throws.
  /// - Note: Blocks the calling thread.
  public func forEachEntry(_ query: EventQuery, _ body: (LogEntry) throws(CairnError) -> Bool)
    throws(CairnError)
  {
    var forwards = query
    forwards.isReversed = false
    guard forwards.isPlain else {
      return try forEachEvent(query) { (event) throws(CairnError) in try body(.event(event)) }
    }
    let head = try log.head().sequence
    let range = max(1, query.from)...max(1, query.from, min(head, query.through ?? head))
    guard head >= range.lowerBound, query.through ?? head >= range.lowerBound else { return }
    var left = query.limit ?? .max
    var sequence = query.isReversed ? range.upperBound : range.lowerBound
    while left > 0 {
      guard let entry = try entry(at: sequence), try body(entry) else { return }
      left -= 1
      guard sequence != (query.isReversed ? range.lowerBound : range.upperBound) else { return }
      sequence = query.isReversed ? sequence - 1 : sequence + 1
    }
  }

  private func entry(at sequence: UInt64) throws(CairnError) -> LogEntry? {
    if let event = try event(at: sequence) { return .event(event) }
    let stub = try log.stub(at: sequence)
    return stub.map {
      .erased(ErasedEvent(sequence: sequence, purge: $0.purge, leafHash: $0.leafHash))
    }
  }

  /// How many erased events still have their id, hour, kind and size class in their headers: those
  /// that a program recorded which knew only log format 1.
  /// - Complexity: O(events of format 1); none where the store was made with format 2.
  /// - Throws: `corrupt` for damaged rows, `io`.
  /// - Note: Blocks the calling thread.
  public func erasedIDCount() throws(CairnError) -> UInt64 { try log.erasedIDCount() }

  /// 32 bytes of this store's own, under which importers make the ids of what they import.
  ///
  /// A repeated import makes the same ids again. In logs of format 1 an id outlives a purge of its
  /// event; keyed, only who has the store can guess it back to what it was made of.
  /// Where there are none yet, they become the proposed ones, or random ones.
  /// - Throws: `readOnly` when they have to be made in a store open for reading; `busy`.
  package func importKey(proposing proposed: [UInt8]? = nil) throws(CairnError) -> [UInt8] {
    try log.secret(Self.importKeyName, proposing: proposed, wait: patience)
  }

  /// The same bytes, where something was imported before; nil else.
  package func existingImportKey() throws(CairnError) -> [UInt8]? {
    try log.metadata(Self.importKeyName)
  }

  private static let importKeyName = "import-key"

  package func hasEvent(_ id: EventID) throws(CairnError) -> Bool {
    try log.sequence(of: id) != nil
  }

  /// Whether an event would be refused because a purge blocks it.
  package func refuses(_ event: EncodedEvent) throws(CairnError) -> Bool { try log.refuses(event) }

  /// How many events the log holds, whether projections know them yet or not.
  package func loggedEventCount() throws(CairnError) -> UInt64 { try log.head().sequence }
}
