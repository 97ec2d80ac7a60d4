import EventLog
import Files
import LMDB

extension Store {
  /// Makes a new store that stands where this one stood at a moment.
  ///
  /// Events keep their sequences, ids and salts, so that the copy's hash tree has the root that
  /// this one had at that size; projections are folded anew. The copy is a log of its own: it
  /// signs under another name and key.
  /// - Parameters:
  ///   - moment: What the copy's head is to be.
  ///   - directory: Absent or empty.
  /// - Returns: Whether this store could note where the copy is, as of a backup.
  /// - Throws: `badArgument` when the directory holds something; `diskFull`, `io`.
  /// - Complexity: O(events).
  /// - Note: Blocks the calling thread.
  @discardableResult public func copy(at moment: Moment, into directory: String)
    throws(CairnError) -> Bool
  {
    try StagedStore.make(in: directory) { (staging) throws(CairnError) in
      _ = try LogFile.write(log, through: moment.sequence, into: staging)
      let copy = try LogFile.open(in: staging)
      defer { copy.close() }
      try copy.withWriterLock { () throws(CairnError) in
        try SigningIdentity(log: copy).forget()
        // A copy is how to look at what the store let go.
        try copy.setMetadata(nil, for: EventLog.horizonKey)
      }
    }
    try Store.foldCopy(at: directory, given: log.givenUpcasters)
    return try noteCopy(in: directory, through: moment.sequence)
  }

  /// Makes a directory and those above it, or takes an empty one, or one that holds what a killed
  /// copy left.
  /// - Returns: Whether it was made.
  static func makeEmpty(_ directory: String) throws(CairnError) -> Bool {
    // A variable of a script that is not set, most likely.
    guard !directory.isEmpty else {
      throw CairnError(.badArgument, "the directory has no name; give one that is absent or empty")
    }
    let isNew = FileStatus(directory) == nil
    try FileBytes.makeDirectory(directory, isPrivate: true)
    guard FileStatus(directory)?.isFolder == true,
      try SmallFile.names(in: directory).allSatisfy({
        LogFile.unfinishedNames.contains($0) || $0 == StagedStore.name
          || StagedStore.moved.contains($0)
      })
    else {
      throw CairnError(
        .badArgument, "is not an empty directory; name one that is absent or empty",
        place: directory)
    }
    return isNew
  }
}

/// A whole copy of a log as a file, or none.
///
/// The copy is written under another name and gets its own when it is complete and durable, so
/// that a copy that was killed is never taken for a store.
enum LogFile {
  static let name = "log.mdb"
  private static let unfinishedName = "log.mdb.part"
  /// What a killed copy may leave.
  static let unfinishedNames = [unfinishedName, unfinishedName + "-lock"]
  /// Purges that run during a copy make it start again, this often at most.
  private static let attemptCount = 5

  /// Opens a copy, to erase in it or to make it a log of its own.
  static func open(in directory: String) throws(CairnError) -> EventLog {
    try EventLog.open(
      directory: directory, access: .readWrite, create: false,
      writer: WriterThread(name: "cairn-copy"))
  }

  /// Writes a copy of the log, cut at a sequence, into a directory.
  /// - Throws: `.conflict` when purges ran during each attempt; what the disk says. Nothing is left
  ///   in the directory then.
  static func write(_ log: EventLog, through last: UInt64 = .max, into directory: String)
    throws(CairnError) -> EventLog.Head
  {
    var attempt = 1
    while true {
      do throws(CairnError) { return try writeOnce(log, through: last, into: directory) } catch
        where error.code == .conflict && attempt < attemptCount
      { attempt += 1 }
    }
  }

  private static func writeOnce(_ log: EventLog, through last: UInt64, into directory: String)
    throws(CairnError) -> EventLog.Head
  {
    func clean() throws(CairnError) {
      for name in unfinishedNames { try SmallFile.remove("\(directory)/\(name)") }
    }
    try clean()
    do throws(CairnError) {
      let head = try log.copy(
        toFile: "\(directory)/\(unfinishedName)", through: last,
        droppingMetadata: [PendingPurge.metadataKey])
      try SmallFile.rename("\(directory)/\(unfinishedName)", to: "\(directory)/\(name)")
      try clean()
      return head
    } catch {
      try clean()
      throw error
    }
  }
}
