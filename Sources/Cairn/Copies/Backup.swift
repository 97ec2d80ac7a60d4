import EventLog
import Files
import HashTree
import LMDB

/// What a backup holds, or a restore gave.
public struct BackupReport: Sendable, Hashable {
  /// The last event's sequence.
  public var sequence: UInt64
  /// Root of the hash tree, 32 bytes.
  public var rootHash: Hash32
  /// Bytes on disk.
  public var byteCount: Int
  /// Events of the backup that a later purge of the store erased, and the restore erased again.
  public var purgedCount = 0
  /// Whether the restore knew what was purged since: from the store itself, or from a list of
  /// purges that was made later than the backup.
  public var knowsPurges = false
  /// Whether the store could note where the copy is: plans of later purges name what still holds
  /// what they erase.
  public var isNoted = true
}

extension Store {
  /// Writes a backup: the log as it is now, consistent, while reads and appends go on.
  ///
  /// Only live rows are written: what was purged is in no byte of the backup. Events keep their
  /// sequences and salts, so the backup has the store's root. Projections are not in it, they are
  /// folded anew; nor are the private key that signs checkpoints and the tokens of a server. How
  /// long open runs of watchers have become is in it, and what a server was told: consumers,
  /// buckets, rules and settings.
  /// - Parameter directory: Absent or empty.
  /// - Returns: What the backup holds.
  /// - Throws: `badArgument` when the directory holds something; `diskFull`, `io`. Nothing that
  ///   could be taken for a backup is left then.
  /// - Complexity: O(bytes of the log).
  /// - Note: Blocks the calling thread.
  public func backUp(into directory: String) throws(CairnError) -> BackupReport {
    let (head, isNoted) = try StagedStore.make(in: directory) {
      (staging) throws(CairnError) -> (EventLog.Head, Bool) in
      let runs = "\(staging)/\(RunLines.name)"
      try ServerFiles.copy(from: self.directory, to: staging)
      try RunLines.write(try log.knownRuns(runsPath), to: runs)
      let head = try LogFile.write(log, into: staging)
      // A purge may have come in between.
      try log.forgetErasedRuns(runs)
      return (head, try noteCopy(in: directory, through: head.sequence))
    }
    return BackupReport(
      sequence: head.sequence, rootHash: head.root,
      byteCount: try StoreDirectory.byteCount(directory), isNoted: isNoted)
  }

  /// Makes a store of a backup, after checking every byte of it.
  ///
  /// What the original store purged since the backup is erased again, as a purge of the new store,
  /// and what it blocks is blocked. The new store goes on under the old one's origin once it is
  /// given the private key, or a new one.
  /// - Parameters:
  ///   - backup: The backup's directory.
  ///   - directory: Absent or empty.
  ///   - original: The store that the backup is of, as far as it is still there.
  ///   - purges: What the original had purged when the list was made, after the backup.
  ///   - checkpoint: The text of a checkpoint that others have seen.
  ///   - acceptsLoss: Restore even when events that were signed for are missing from the backup.
  /// - Returns: What was restored: the backup's head.
  /// - Throws: `notVerified` when the backup is damaged, or ends before a checkpoint that was
  ///   signed; `badArgument`, `missing`, `notAStore`; what the disk says.
  /// - Complexity: O(bytes of the log).
  /// - Note: Blocks the calling thread.
  public static func restore(
    _ backup: String, into directory: String, original: Store? = nil, purges: PurgeList? = nil,
    checkpoint: String? = nil, acceptsLoss: Bool = false
  ) throws(CairnError) -> BackupReport {
    do throws(CairnError) { try StoreDirectory.check(backup, mayCreate: false) } catch {
      guard error.code == .missing || error.code == .notAStore else { throw error }
      throw CairnError(
        error.code, "holds no backup; name a directory that one was written into", place: backup)
    }
    guard !isInside(directory, backup) else {
      throw CairnError(
        .badArgument, "is in the backup itself; name a directory elsewhere", place: directory)
    }
    let source = try EventLog.open(
      directory: backup, access: .readOnly, create: false,
      writer: WriterThread(name: "cairn-backup"))
    defer { source.close() }
    let head = try verified(source)
    if !acceptsLoss { try checkWitnessed(source, original, checkpoint) }
    var isOriginal = false
    if let original { isOriginal = try source.isPrefix(of: original.log) }
    let purged = try StagedStore.make(in: directory) { (staging) throws(CairnError) -> Int in
      _ = try LogFile.write(source, into: staging)
      let purged = try repeatPurges(of: original, purges, in: staging)
      if purged > 0 { try finishPurge(in: staging) }
      let copy = try LogFile.open(in: staging)
      defer { copy.close() }
      let runs = try copy.knownRuns("\(backup)/\(RunLines.name)")
      try RunLines.write(runs, to: "\(staging)/\(RunLines.name)")
      try ServerFiles.copy(from: backup, to: staging)
      return purged
    }
    try Store.foldCopy(at: directory, given: original?.log.givenUpcasters)
    var isNoted = true
    if isOriginal, let original {
      isNoted = try original.noteCopy(in: directory, through: head.sequence)
    }
    return BackupReport(
      sequence: head.sequence, rootHash: head.root,
      byteCount: try StoreDirectory.byteCount(directory), purgedCount: purged,
      // A purge is an event: a list as long as the backup was made before any that came since.
      knowsPurges: isOriginal || purges.map { $0.size > head.sequence } ?? false,
      isNoted: isNoted)
  }

  /// Leaves nothing of what was erased in a copy, its snapshots included.
  private static func finishPurge(in directory: String) throws(CairnError) {
    let store = try Store.open(at: directory)
    defer { store.close() }
    try store.log.withWriterLock { () throws(CairnError) in try store.recountSnapshots() }
    guard try store.log.scrub() == 0 else {
      throw CairnError(
        .busy, "what was purged since cannot be taken out of it while somebody reads it; try again",
        place: directory)
    }
  }

  private static func verified(_ source: EventLog) throws(CairnError) -> EventLog.Head {
    let report = try VerificationThreads.look(at: source, nil) { _ in true }
    if let problem = report.problems.first {
      throw CairnError(
        .notVerified, "the backup is damaged (\(problem.message)); take another one",
        place: problem.place)
    }
    return report.head
  }

  /// Refuses to end before what was signed for: others would see a log that forgot.
  private static func checkWitnessed(_ source: EventLog, _ original: Store?, _ checkpoint: String?)
    throws(CairnError)
  {
    let size = try source.head().sequence
    var signed = try source.issuedHeads().last?.size ?? 0
    if let original, try source.isPrefix(of: original.log) {
      signed = max(signed, try original.issuedCheckpoints().last?.size ?? 0)
    }
    if let checkpoint {
      let claimed: SignedCheckpoint
      do throws(CairnError) {
        claimed = try SignedCheckpoint(SignedNote(encoded: checkpoint))
      } catch { throw error.placed(givenCheckpoint) }
      signed = max(signed, claimed.size)
      let root: Hash32? = claimed.size <= size ? try source.root(at: claimed.size) : nil
      if let root, root != claimed.rootHash {
        throw CairnError(.notVerified, "the checkpoint is of another history than the backup")
      }
    }
    guard signed <= size else {
      throw CairnError(
        .notVerified,
        "the backup ends at event \(size), a checkpoint was signed for \(signed)",
        remedy: .acceptLoss)
    }
  }

  /// Erases in a copy what the original erased since, and blocks what it blocks.
  private static func repeatPurges(
    of original: Store?, _ purges: PurgeList?, in directory: String
  ) throws(CairnError) -> Int {
    guard original != nil || purges != nil else { return 0 }
    let copy = try LogFile.open(in: directory)
    defer { copy.close() }
    var found: Set<UInt64> = []
    if let purges { found.formUnion(try purges.live(in: copy)) }
    if let original, try copy.isPrefix(of: original.log) {
      try copy.addBlocks(of: original.log)
      let last = try copy.head().sequence
      try original.log.forEachStub(through: last) { (stub) throws(CairnError) in
        if try copy.event(at: stub.sequence) != nil { found.insert(stub.sequence) }
      }
    }
    let erased = found.sorted()
    guard !erased.isEmpty else { return 0 }
    _ = try copy.erase(erased, recording: try PurgeRecord.event(of: erased, in: copy))
    return erased.count
  }
}

extension EventLog {
  /// Whether another log holds the same history and at least as much of it.
  fileprivate func isPrefix(of other: EventLog) throws(CairnError) -> Bool {
    let head = try head()
    guard head.sequence <= (try other.head().sequence) else { return false }
    return try other.root(at: head.sequence) == head.root
  }
}
