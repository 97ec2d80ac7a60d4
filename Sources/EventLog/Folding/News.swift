import LMDB
import Synchronization

/// Wakes one thread that waits until something happened, whatever it was.
final class News: Sendable {
  private let isAwaited = Atomic(false)
  private let arrival = Semaphore()

  /// Something happened: wakes who waits, if anybody does.
  func tell() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isAwaited.exchange(false, ordering: .relaxed) { arrival.signal() }
  }

  /// Waits until the condition holds, looking at it anew whenever something happened.
  func wait(until condition: () -> Bool) {
    while !condition() {
      isAwaited.store(true, ordering: .relaxed)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      // What happened before the line above told nobody.
      if condition() {
        if !isAwaited.exchange(false, ordering: .relaxed) { arrival.wait() }
        return
      }
      arrival.wait()
    }
  }
}
