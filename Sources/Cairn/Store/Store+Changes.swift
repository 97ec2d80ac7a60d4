import EventLog
public import Events
import LMDB

extension Store {
  /// Events as they are appended, by any process, from a sequence on; never ends by itself.
  ///
  /// Each event comes once, in order, as soon as it is on disk (within about 25 ms when another
  /// process appended it). Cancel the task to stop.
  /// `sequence` is the last event that is already known; 0 asks for the whole history.
  public func events(after sequence: UInt64) -> AsyncThrowingStream<RecordedEvent, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        var last = sequence
        for await head in log.changes(after: sequence) {
          var query = EventQuery()
          query.from = last + 1
          query.through = head.sequence
          do throws(CairnError) {
            try forEachEvent(query) { event in
              if case .terminated = continuation.yield(event) { return false }
              return true
            }
          } catch {
            continuation.finish(throwing: error)
            return
          }
          last = head.sequence
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Blocks until the log goes beyond a sequence or the time is over.
  ///
  /// - Returns: The last sequence now.
  public func wait(after sequence: UInt64, atMost timeout: Duration) throws(CairnError) -> UInt64 {
    try publicly { () throws(StorageError) in
      try log.waitForHead(after: sequence, timeout: timeout)?.sequence ?? sequence
    }
  }
}
