/// Where two logs part.
public struct LogDifference: Sendable, Hashable {
  /// The first sequence at which they differ; the last one they share where they do not.
  public var sequence: UInt64
  /// This log's event there; nil where it ended, or where the event was erased.
  public var ours: RecordedEvent?
  /// The other log's event.
  public var theirs: RecordedEvent?
  /// Whether they do not differ.
  public var isEqual: Bool { ours == nil && theirs == nil }
}

extension Store {
  /// Looks for the first event at which another store's log differs.
  ///
  /// Events are compared as given: without `recorded` and without their leaves' hashes.
  /// - Parameter other: The other store.
  /// - Returns: Where they part, or how far both go.
  /// - Complexity: O(events up to there).
  /// - Throws: `corrupt`, `io`.
  /// - Note: Blocks the calling thread.
  public func firstDifference(from other: Store) throws(CairnError) -> LogDifference {
    var ours = LogPages(self)
    var theirs = LogPages(other)
    var last: UInt64 = 0
    while true {
      let one = try ours.next()
      let another = try theirs.next()
      guard let one, let another else {
        let sequence = one?.sequence ?? another?.sequence ?? last
        return LogDifference(sequence: sequence, ours: one, theirs: another)
      }
      guard one.sequence == another.sequence else {
        let sequence = min(one.sequence, another.sequence)
        return LogDifference(
          sequence: sequence, ours: one.sequence == sequence ? one : nil,
          theirs: another.sequence == sequence ? another : nil)
      }
      guard Self.comparable(one.event) == Self.comparable(another.event) else {
        return LogDifference(sequence: one.sequence, ours: one, theirs: another)
      }
      last = one.sequence
    }
  }

  private static func comparable(_ event: Event) -> Event {
    var event = event
    event.recorded = nil
    return event
  }
}

/// A log's events one by one, read in pages.
private struct LogPages {
  private let store: Store
  private var page: ArraySlice<RecordedEvent> = []
  private var first: UInt64 = 1

  private static let pageCount = 1_024

  init(_ store: Store) { self.store = store }

  mutating func next() throws(CairnError) -> RecordedEvent? {
    if page.isEmpty {
      var query = EventQuery()
      query.from = first
      query.limit = Self.pageCount
      page = try store.events(query)[...]
      guard let last = page.last else { return nil }
      first = last.sequence + 1
    }
    return page.popFirst()
  }
}
