import CLMDB
import Glibc
import Synchronization

/// Sees whether other processes have a file open.
///
/// Keeps one descriptor of LMDB's lock file as long as the file is open: closing it earlier would drop
/// the locks that this process holds there (`fcntl(2)`).
final class Company: Sendable {
  private let path: String
  private let descriptor = Mutex<CInt>(-1)

  init(besides dataPath: String) { path = dataPath + "-lock" }

  /// Whether another process has the file open, or that cannot be told.
  ///
  /// Every process with an open environment holds a shared lock on the first byte.
  var isThere: Bool {
    let descriptor = descriptor.withLock { descriptor in
      if descriptor < 0 { descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC) }
      return descriptor
    }
    guard descriptor >= 0 else { return true }
    return LockFile.isLockedElsewhere(descriptor) ?? true
  }

  /// Call when the environment is closed.
  func leave() {
    descriptor.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }
}

extension Environment {
  /// Whether anybody else has the file open: another process, or another part of this one.
  ///
  /// Who opens it later sees every commit that was made before this was asked.
  /// - Complexity: one look at a lock, under a microsecond.
  package var isShared: Bool { isOpenTwice || company.isThere }
}
