import EventLog
import LMDB

/// The events after a sequence, and those to come; see ``Store/events(after:)``.
///
/// Throws `corrupt` for an event that cannot be read, `badArgument` once the store was closed, and
/// what the disk says.
public struct EventFeed: AsyncSequence, Sendable {
  /// What it gives.
  public typealias Element = RecordedEvent
  /// What it throws.
  public typealias Failure = CairnError

  let store: Store
  let sequence: UInt64

  /// Begins with the first event after the sequence.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      reader: EventPageReader(store),
      heads: store.log.changes(after: sequence).makeAsyncIterator(), last: sequence)
  }

  /// Gives one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let reader: EventPageReader
    fileprivate var heads: HeadSequence.Iterator
    fileprivate var page: ArraySlice<RecordedEvent> = []
    fileprivate var last: UInt64
    fileprivate var head: UInt64 = 0

    /// The next event, as soon as there is one; nil once the task is cancelled.
    /// - Throws: `corrupt` for damaged rows, `io`.
    public mutating func next() async throws(CairnError) -> RecordedEvent? {
      try await next(isolation: nil)
    }

    /// The next event, as soon as there is one; nil once the task is cancelled.
    /// - Throws: `corrupt` for damaged rows, `io`.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CairnError)
      -> RecordedEvent?
    {
      while page.isEmpty {
        if last >= head {
          if let newer = await heads.next(isolation: actor) {
            head = newer.sequence
            continue
          }
          if !Task.isCancelled { try reader.checkReadable() }
          return nil
        }
        let through = Swift.min(head, last + EventPageReader.eventCount)
        page = try await reader.page(from: last + 1, through: through)[...]
        last = through
      }
      return Task.isCancelled ? nil : page.popFirst()
    }
  }
}

/// Reads pages of events on a thread of its own: a read may wait for the disk, which the threads
/// that run tasks must not.
private final class EventPageReader: Sendable {
  static let eventCount: UInt64 = 256

  private let store: Store
  private let thread = WriterThread(name: "cairn-events")

  init(_ store: Store) { self.store = store }

  /// - Throws: Why there are no more events, where the store says so.
  func checkReadable() throws(CairnError) { _ = try store.log.head() }

  /// The events of a range that were not erased.
  func page(from first: UInt64, through last: UInt64) async throws(CairnError) -> [RecordedEvent] {
    let answer = await withCheckedContinuation { continuation in
      thread.submit { [store] in
        let page = Result { () throws(CairnError) in
          var events: [RecordedEvent] = []
          try store.log.read(from: first, through: last) { (event) throws(CairnError) in
            events.append(try LogRecord(copy event).recorded)
            return true
          }
          return events
        }
        continuation.resume(returning: page)
      }
    }
    return try answer.get()
  }
}
