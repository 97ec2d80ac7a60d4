import LMDB
import Synchronization

/// Reads the next page of events on a thread of its own while the caller works on the one before.
///
/// Two pages go back and forth; each has one owner at a time, so that its memory is used again.
final class PageAhead: Sendable {
  private struct State {
    /// The page the caller gave back; then the one that was read, until the caller takes it.
    var page = EventPage()
    var result: Result<UInt64?, CairnError> = .success(nil)
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
  /// - Returns: Whether there are more to come.
  func next(_ page: inout EventPage) throws(CairnError) -> Bool {
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
    state.withLock { $0.isReading = true }
    helper.submit { self.fill(from: first) }
  }

  private func fill(from first: UInt64) {
    var page = EventPage()
    state.withLock { swap(&page, &$0.page) }
    let result: Result<UInt64?, CairnError>
    do throws(CairnError) {
      result = .success(
        try log.fill(&page, from: first, through: last, LogLimits.scannedPageEventCount))
    } catch { result = .failure(error) }
    state.withLock { state in
      swap(&page, &state.page)
      state.result = result
    }
    isRead.signal()
  }
}

extension EventLog {
  /// Fills a page that was used before with live events.
  func fill(_ page: inout EventPage, from first: UInt64, through last: UInt64, _ eventCount: Int)
    throws(CairnError) -> UInt64?
  {
    page.removeAll()
    return try environment.read { (txn) throws(CairnError) in
      try page.fill(from: first, through: last, eventCount: eventCount, self.reader, in: txn)
    }
  }
}
