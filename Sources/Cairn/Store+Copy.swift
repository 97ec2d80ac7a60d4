import EventLog
import Glibc
import LMDB
import Projections

extension Store {
  /// Makes a new store that stands where this one stood at a moment.
  ///
  /// Events keep their sequences, ids and salts, so that the copy's hash tree has the root that
  /// this one had at that size; projections are folded anew. The copy is a log of its own: it
  /// signs under another name and key.
  /// - Parameters:
  ///   - moment: What the copy's head is to be.
  ///   - directory: Absent or empty.
  /// - Throws: `badArgument` when the directory holds something; `diskFull`, `io`.
  /// - Complexity: O(events).
  public func copy(at moment: Moment, into directory: String) throws(CairnError) {
    try publicly { () throws(StorageError) in
      try Self.makeEmpty(directory)
      _ = try log.copy(toFile: "\(directory)/log.mdb", through: moment.sequence)
    }
    let copy = try Store.open(at: directory)
    defer { copy.close() }
    try publicly { () throws(StorageError) in
      try copy.log.withWriterLock { () throws(StorageError) in
        try SigningIdentity(log: copy.log).forget()
      }
    }
  }

  private static func makeEmpty(_ directory: String) throws(StorageError) {
    if unsafe mkdir(directory, 0o755) == 0 { return }
    guard errno == EEXIST else {
      throw StorageError.system(errno, "cannot be created", path: directory)
    }
    var status = stat()
    guard unsafe stat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      try SmallFile.names(in: directory).isEmpty
    else {
      throw StorageError(
        .badArgument,
        "is not an empty directory; name one that is absent or empty",
        place: directory
      )
    }
  }
}
