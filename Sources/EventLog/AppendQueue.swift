import LMDB
import Synchronization

/// Appends that wait for the writer, first come first served.
final class AppendQueue: Sendable {
  private let waiting = Mutex<[AppendRequest]>([])

  /// Adds a request at the end.
  ///
  /// - Throws: `.busy` when the queue is full.
  func enqueue(_ request: AppendRequest) throws(StorageError) {
    let hasRoom = waiting.withLock { waiting in
      guard waiting.count < LogLimits.queuedRequestCount else { return false }
      waiting.append(request)
      return true
    }
    guard hasRoom else {
      throw StorageError(
        .busy,
        "\(LogLimits.queuedRequestCount) appends wait already; append larger batches, or later"
      )
    }
  }

  /// Takes the requests that the next transaction is to hold: at least one when any waits, further
  /// ones while they stay within the limits of a group.
  func takeGroup() -> [AppendRequest] {
    waiting.withLock { waiting in
      var count = 0
      var events = 0
      var bytes = 0
      while count < waiting.count {
        events += waiting[count].events.count
        bytes += waiting[count].byteCount
        if count > 0, events > LogLimits.groupEventCount || bytes > LogLimits.groupByteCount {
          break
        }
        count += 1
      }
      let group = Array(waiting.prefix(count))
      waiting.removeFirst(count)
      return group
    }
  }
}
