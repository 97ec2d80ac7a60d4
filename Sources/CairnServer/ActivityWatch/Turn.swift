import LMDB

/// Lets one thread in at a time, for work that goes to the disk.
final class Turn: Sendable {
  private let isTaken = Monitor(false)

  func enter() {
    _ = isTaken.wait { isTaken -> Bool? in
      guard !isTaken else { return nil }
      isTaken = true
      return true
    }
  }

  func leave() { isTaken.withLock { $0 = false } }
}
