/// A file, whatever path leads to it (`stat(2)`: device and inode).
struct FileIdentity: Hashable, Sendable {
  let device: UInt
  let inode: UInt
}

/// The open environments of this process, one per file.
final class EnvironmentRegistry: Sendable {
  static let shared = EnvironmentRegistry()

  private struct Entry {
    /// Another one for each change.
    let serial: UInt64
    /// Nil while the file is being opened or closed.
    weak var environment: Environment?
  }

  private struct Entries {
    var files: [FileIdentity: Entry] = [:]
    var lastSerial: UInt64 = 0

    mutating func set(_ environment: Environment?, for identity: FileIdentity) {
      lastSerial += 1
      files[identity] = Entry(serial: lastSerial, environment: environment)
    }
  }

  private let entries = Monitor(Entries())

  /// The environment of a file, made by `open` when there is none.
  ///
  /// Waits while another thread opens or closes the same file.
  func environment(of identity: FileIdentity, open: () throws(CairnError) -> Environment)
    throws(CairnError) -> Environment
  {
    while true {
      // Let go outside of the lock: closing it takes the same one.
      var existing: Environment?
      let serial = entries.withLock { entries -> UInt64? in
        if let entry = entries.files[identity] {
          existing = entry.environment
          return entry.serial
        }
        entries.set(nil, for: identity)
        return nil
      }
      guard let serial else { break }
      if let existing, existing.retainOpen() { return existing }
      _ = entries.wait { $0.files[identity]?.serial == serial ? nil : () }
    }
    do throws(CairnError) {
      let environment = try open()
      entries.withLock { $0.set(environment, for: identity) }
      return environment
    } catch {
      remove(identity)
      throw error
    }
  }

  /// Forgets a file that has been closed.
  func remove(_ identity: FileIdentity) {
    _ = entries.withLock { $0.files.removeValue(forKey: identity) }
  }
}
