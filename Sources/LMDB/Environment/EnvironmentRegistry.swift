import Glibc
import Synchronization

/// A file, whatever path leads to it (`stat(2)`: device and inode).
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
}

/// The open environments of this process, one per file.
final class EnvironmentRegistry: Sendable {
  static let shared = EnvironmentRegistry()

  private struct Entry {
    /// Nil while the file is being opened or closed.
    weak var environment: Environment?
  }

  private let entries = Mutex([FileIdentity: Entry]())

  /// The environment of a file, made by `open` when there is none.
  ///
  /// Waits while another thread opens or closes the same file.
  func environment(of identity: FileIdentity, open: () throws(StorageError) -> Environment)
    throws(StorageError) -> Environment
  {
    while true {
      var existing: Environment?
      let isMine = entries.withLock { entries in
        if let entry = entries[identity] {
          existing = entry.environment
          return false
        }
        entries[identity] = Entry()
        return true
      }
      if let existing, existing.retainOpen() { return existing }
      if isMine { break }
      usleep(200)
    }
    do throws(StorageError) {
      let environment = try open()
      entries.withLock { $0[identity] = Entry(environment: environment) }
      return environment
    } catch {
      remove(identity)
      throw error
    }
  }

  /// Forgets a file that has been closed.
  func remove(_ identity: FileIdentity) {
    _ = entries.withLock { $0.removeValue(forKey: identity) }
  }
}
