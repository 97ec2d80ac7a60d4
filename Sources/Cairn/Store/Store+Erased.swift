import EventLog
public import Events
import HashTree
import LMDB

/// What is left of an event after a purge.
public struct ErasedEvent: Sendable, Hashable {
  /// Its position in the log.
  public var sequence: UInt64
  /// The sequence of the purge event that erased it.
  public var purge: UInt64
  /// Its leaf hash in the hash tree, 32 bytes.
  public var leafHash: [UInt8]
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
  public func forEachEntry(_ query: EventQuery, _ body: (LogEntry) throws(CairnError) -> Bool)
    throws(CairnError)
  {
    var forwards = query
    forwards.isReversed = false
    guard forwards.isPlain else {
      return try forEachEvent(query) { (event) throws(CairnError) in try body(.event(event)) }
    }
    let head = try publicly { () throws(StorageError) in try log.head().sequence }
    let range = max(1, query.from)...max(1, query.from, min(head, query.through ?? head))
    guard head >= range.lowerBound, query.through ?? head >= range.lowerBound else { return }
    var left = query.limit == 0 ? Int.max : query.limit
    var sequence = query.isReversed ? range.upperBound : range.lowerBound
    while left > 0 {
      let stored = try publicly { () throws(StorageError) in try log.event(at: sequence) }
      guard let stored, try body(Self.entry(stored)) else { return }
      left -= 1
      guard sequence != (query.isReversed ? range.lowerBound : range.upperBound) else { return }
      sequence = query.isReversed ? sequence - 1 : sequence + 1
    }
  }

  private static func entry(_ stored: StoredEvent) throws(CairnError) -> LogEntry {
    guard let purge = stored.purge else { return .event(try recordedEvent(stored)) }
    return .erased(
      ErasedEvent(sequence: stored.sequence, purge: purge, leafHash: stored.leafHash.bytes))
  }

  /// 32 bytes of this store's own, under which importers make the ids of what they import.
  ///
  /// An id stays in an event's header when the event is purged; keyed, it cannot be guessed back
  /// to what it was made of.
  package func importKey() throws(CairnError) -> [UInt8] {
    try publicly { () throws(StorageError) in try log.secret("import-key") }
  }
}
