import LMDB
import Synchronization

/// Reads the next page of events on a thread of its own while the caller works on the one before.
final class PageAhead: Sendable {
  private struct State {
    var page = EventPage()
    var result: Result<UInt64?, StorageError> = .success(nil)
    var isReading = false
  }

  private let log: EventLog
  private let last: UInt64
  private let state = Mutex(State())
  private let isRead = Semaphore()
  private let helper = WriterThread(name: "cairn-reader")

  /// Begins to read.
  init(_ log: EventLog, from first: UInt64, through last: UInt64) {
    self.log = log
    self.last = last
    read(from: first)
  }

  /// Exchanges the page for the next one, and begins to read the one after that.
  ///
  /// - Returns: Whether there are more to come.
  func next(_ page: inout EventPage) throws(StorageError) -> Bool {
    isRead.wait()
    let result = state.withLock { state in
      state.isReading = false
      swap(&page, &state.page)
      return state.result
    }
    guard let next = try result.get(), next <= last else { return false }
    read(from: next)
    return true
  }

  /// Waits for what is being read.
  func end() { if state.withLock({ $0.isReading }) { isRead.wait() } }

  private func read(from first: UInt64) {
    var page = EventPage()
    state.withLock { state in
      state.isReading = true
      swap(&page, &state.page)
    }
    let used = page
    helper.submit { self.fill(used, from: first) }
  }

  private func fill(_ used: consuming EventPage, from first: UInt64) {
    var page = used
    let result: Result<UInt64?, StorageError>
    do throws(StorageError) {
      result = .success(
        try log.fill(&page, from: first, through: last, LogLimits.scannedPageEventCount)
      )
    } catch {
      result = .failure(error)
    }
    let full = page
    state.withLock { $0 = State(page: full, result: result, isReading: true) }
    isRead.signal()
  }
}

extension EventLog {
  /// Fills a page that was used before with live events.
  func fill(
    _ page: inout EventPage,
    from first: UInt64,
    through last: UInt64,
    _ eventCount: Int
  ) throws(StorageError) -> UInt64? {
    page.removeAll()
    return try environment.read { (txn) throws(StorageError) in
      try page.fill(
        from: first,
        through: last,
        eventCount: eventCount,
        self.reader,
        in: txn
      )
    }
  }
}
