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
  package convenience init(path: String) throws(CairnError) {
    try self.init(path, O_RDWR | O_CREAT)
  }

  /// Takes a directory for the lock, so that nothing is left in it.
  package convenience init(directory: String) throws(CairnError) {
    try self.init(directory, O_RDONLY | O_DIRECTORY)
  }

  private init(_ path: String, _ flags: CInt) throws(CairnError) {
    name = FileName(path).text
    descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
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

  /// Takes the lock, trying again until `wait` has passed.
  ///
  /// Each pause is a sixteenth of the time waited so far, so that a lock that is held for the time
  /// of one flush of the disk is not left idle for as long again.
  /// - Throws: `.busy` when it is still held then.
  package func lock(wait: Duration) throws(CairnError) {
    // Longer than anybody waits, and short enough to add to a point in time.
    let start = ContinuousClock.now
    let deadline = start + min(wait, .seconds(1_000_000_000))
    while try !tryLock() {
      let now = ContinuousClock.now
      guard now < deadline else {
        throw CairnError(
          .busy, "another writer holds the store; wait for it or allow a longer wait", place: name)
      }
      let micros = (now - start) / .microseconds(16)
      usleep(UInt32(min(max(micros, 50), 10_000)))
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
