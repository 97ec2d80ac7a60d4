import LMDB

/// A lock for work that goes to the disk.
final class ThreadLock: Sendable {
  private let isHeld = Monitor(false)

  /// Waits until nobody holds it, and takes it.
  func lock() {
    _ = isHeld.wait { isHeld -> Bool? in
      guard !isHeld else { return nil }
      isHeld = true
      return true
    }
  }

  /// Takes it; false when somebody holds it.
  func tryLock() -> Bool {
    isHeld.withLock { isHeld in
      defer { isHeld = true }
      return !isHeld
    }
  }

  func unlock() { isHeld.withLock { $0 = false } }
}
