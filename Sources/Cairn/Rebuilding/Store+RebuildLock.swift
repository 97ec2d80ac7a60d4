import LMDB
import Values

extension Store {
  /// The lock of who builds, replaces or erases in generations: one at a time, in all processes.
  func rebuildLock() throws(CairnError) -> FileLock {
    try FileLock(path: "\(directory)/rebuild.lock")
  }

  /// The same lock, held, at once or after as long a wait.
  /// - Throws: `busy` when another process holds it for longer.
  func heldRebuildLock(wait: Duration) throws(CairnError) -> FileLock {
    let lock = try rebuildLock()
    do throws(CairnError) { try lock.lock(wait: wait) } catch  where error.code == .busy {
      throw CairnError(
        .busy, "another process rebuilds, purges or changes the schema", remedy: .rebuildStatus)
    }
    return lock
  }
}
