import LMDB

/// The lock that one commit of one process holds, handed on in turn.
///
/// A process that commits without pause frees the lock for microseconds only; one that looks for
/// it every few milliseconds would wait for ever. So who wants the lock takes the turn first, and
/// keeps it until the lock is theirs: the last holder then has to wait for the turn.
final class WriterLock: Sendable {
  private let turn: FileLock
  private let lock: FileLock

  init(directory: String) throws(CairnError) {
    turn = try FileLock(path: "\(directory)/writer.turn")
    lock = try FileLock(path: "\(directory)/writer.lock")
  }

  /// Takes the lock.
  /// - Throws: `.busy` when another process holds it longer than `wait`.
  func lock(wait: Duration) throws(CairnError) {
    let deadline = ContinuousClock.now + wait
    try turn.lock(wait: wait)
    defer { turn.unlock() }
    try lock.lock(wait: max(.zero, ContinuousClock.now.duration(to: deadline)))
  }

  func unlock() { lock.unlock() }
}
