import Synchronization

/// A place that one request at a time may have; who finds it taken is told so at once.
package final class OneAtATime: Sendable {
  private let isTaken = Mutex(false)

  /// Takes the place; false when somebody has it.
  func enter() -> Bool {
    isTaken.withLock { taken in
      defer { taken = true }
      return !taken
    }
  }

  func leave() { isTaken.withLock { $0 = false } }
}
