import Glibc
import Synchronization

/// An advisory lock on a file of its own, held by one holder among all processes.
///
/// The kernel drops it when the process dies (`flock(2)`), so a crash never leaves a store
/// locked. Not re-entrant: a second `lock` by the holder waits like anybody else.
package final class FileLock: Sendable {
  private let descriptor: CInt
  private let name: String
  private let isHeld = Mutex(false)

  /// Opens the lock file at `path`, making it when it is not there.
  package init(path: String) throws(CairnError) {
    name = FileName(path).text
    descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CairnError(status: errno, doing: "open the lock file", place: name)
    }
  }

  deinit {
    // Closing alone would leave the lock with a process that is just being started and still
    // holds a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Takes the lock when it is free.
  package func tryLock() throws(CairnError) -> Bool {
    try isHeld.withLock { (isHeld) throws(CairnError) -> Bool in
      if isHeld { return false }
      while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        if errno == EWOULDBLOCK { return false }
        guard errno == EINTR else { throw CairnError(status: errno, doing: "lock", place: name) }
      }
      isHeld = true
      return true
    }
  }

  /// Takes the lock, trying again with a growing pause until `wait` has passed.
  /// - Throws: `.busy` when it is still held then.
  package func lock(wait: Duration) throws(CairnError) {
    // Longer than anybody waits, and short enough to add to a point in time.
    let deadline = ContinuousClock.now + min(wait, .seconds(1_000_000_000))
    var pause: UInt32 = 100
    while try !tryLock() {
      guard ContinuousClock.now < deadline else {
        throw CairnError(
          .busy, "another writer holds the store; wait for it or allow a longer wait", place: name)
      }
      usleep(pause)
      pause = min(pause * 2, 10_000)
    }
  }

  /// Gives the lock back; the caller must hold it.
  package func unlock() {
    isHeld.withLock { isHeld in
      precondition(isHeld, "only a held lock can be given back")
      flock(descriptor, LOCK_UN)
      isHeld = false
    }
  }
}

/// The last part of a path: what error messages show of it.
struct FileName {
  let text: String

  init(_ path: String) { text = path.split(separator: "/").last.map(String.init) ?? path }
}
