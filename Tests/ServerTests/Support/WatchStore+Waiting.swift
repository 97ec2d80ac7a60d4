import ActivityWatch
import Cairn
import Foundation
import Synchronization

@testable import CairnServer

extension WatchStore {
  /// Every event of a bucket, the newest first.
  func allEvents(of bucket: String) throws(CairnError) -> [WatchedEvent] {
    var events: [WatchedEvent] = []
    for entry in try entries(of: bucket) {
      if let event = try event(entry) { events.append(event) }
    }
    return events
  }

  /// The same for who waits until a heartbeat is on disk.
  func heartbeat(_ seen: WatchedEvent, pulsetime: Int64, in bucket: Bucket) throws(CairnError)
    -> Taken
  {
    let told = Told()
    heartbeat(seen, pulsetime: pulsetime, in: bucket) { result in
      told.result.withLock { $0 = result }
      told.isThere.signal()
    }
    told.isThere.wait()
    guard let result = told.result.withLock({ $0 }) else {
      throw CairnError(.internal, "nothing was told")
    }
    return try result.get()
  }

  private final class Told: Sendable {
    let result = Mutex<Result<Taken, CairnError>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }
}
