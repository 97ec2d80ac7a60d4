import EventLog
import Files
import Glibc
import HashTree
import LMDB
import Projections

/// What the completion of a purge looked through and found.
struct PurgeOutcome {
  var scannedFileCount = 0
  var residueByteCount = 0
  var unknownFiles: [String] = []

  mutating func note(_ residueByteCount: Int) {
    scannedFileCount += 1
    self.residueByteCount += residueByteCount
  }
}

extension Store {
  /// Completes a purge that was committed, or takes back one that was only prepared, and removes
  /// what a purge or a compaction was at when it was killed: as large as all projections.
  ///
  /// Each step can be run again; the note that a purge is pending goes last. Leaves everything as
  /// it is, to be tried again at the next opening, when others hold on for longer than `patience`.
  /// - Returns: What was looked through; nil when there was nothing to do or it has to wait.
  @discardableResult func finishPurge(patience: Duration, holdsRebuildLock: Bool = false)
    throws(CairnError) -> PurgeOutcome?
  {
    if try !needsToFinishPurge(), try abandoned().isEmpty { return nil }
    let lock = try rebuildLock()
    // Who holds the lock is purging and will finish.
    if !holdsRebuildLock, try !lock.tryLock() { return nil }
    defer { if !holdsRebuildLock { lock.unlock() } }
    do throws(CairnError) {
      return try log.withWriterLock(wait: patience) { () throws(CairnError) in
        try self.finishSchema()
        guard let purge = try self.pendingPurge() else {
          try self.cancelPrepared()
          for number in try self.abandoned() { try self.files.remove(number) }
          return nil
        }
        return try self.finish(purge, patience: patience)
      }
    } catch  where error.code == .busy && !holdsRebuildLock { return nil }
  }

  /// Candidates that nobody will go on with, where nobody builds; none where no generation serves,
  /// since the fold that makes one sees to them.
  private func abandoned() throws(CairnError) -> [UInt64] {
    guard let serving = try files.current() else { return [] }
    var found: [UInt64] = []
    for number in try files.all() where number > serving {
      if try files.isCandidate(number) { found.append(number) }
    }
    return found
  }

  private func cancelPrepared() throws(CairnError) {
    guard let serving = try files.serving(), let candidate = serving.candidate else { return }
    try files.setCurrent(serving.current)
    try files.remove(candidate)
  }

  private func finish(_ purge: PendingPurge, patience: Duration) throws(CairnError) -> PurgeOutcome
  {
    if try files.all().contains(purge.generation) {
      try files.setCurrent(purge.generation)
      try files.unmarkCandidate(purge.generation)
    }
    let old = try files.all().filter { $0 != purge.generation }
    for number in old { try files.remove(number) }
    try recountSnapshots()
    try SmallFile.remove(directory + "/" + Self.pageJournalName)
    try ServerFiles.clearLeftScratch(of: directory)
    var outcome = PurgeOutcome()
    var isDone = true
    let unread = try forEachCopyInside { (path, copy) throws(CairnError) in
      isDone = try self.erase(in: copy, at: path, purge, patience, &outcome) && isDone
    }
    if try log.forgetErasedRuns(runsPath) { outcome.scannedFileCount += 1 }
    if let residue = try log.scrub(wait: patience) {
      outcome.note(residue)
    } else {
      isDone = false
    }
    // Built without what is erased, so there is nothing to wait for.
    if let cleared = try generation()?.environment.scrub(wait: patience) {
      outcome.note(cleared.residueByteCount)
    }
    outcome.unknownFiles = (try StoreDirectory.unknownFiles(in: directory) + unread).sorted()
    if isDone, outcome.residueByteCount == 0 {
      try log.setMetadata(nil, for: PendingPurge.metadataKey)
    }
    return outcome
  }

  /// Snapshots say how many items there were and when: as if what is purged had never been.
  /// - Parameter copy: A copy of the log, for its snapshots of this history; nil for our own.
  /// - Throws: `corrupt`, `busy`, and what the disk says.
  func recountSnapshots(in copy: EventLog? = nil) throws(CairnError) {
    let target = copy ?? log
    let head = try log.head().sequence
    var points: [NamedPoint] = []
    for point in try target.namedPoints() where point.sequence <= head {
      if try log.root(at: point.sequence) == point.root { points.append(point) }
    }
    let horizon = try log.horizon().latest
    try recount(points.filter { $0.sequence >= horizon }, in: target, by: nil)
    let earlier = points.filter { $0.sequence < horizon }
    guard let last = earlier.map(\.sequence).max() else { return }
    try withPast(through: last) { (past) throws(CairnError) in
      try self.recount(earlier, in: target, by: past)
    }
  }

  private func recount(_ points: [NamedPoint], in target: EventLog, by trial: Generation?)
    throws(CairnError)
  {
    for point in points {
      let then = try at(.sequence(point.sequence)).asked(of: trial)
      var recounted = point
      recounted.items = UInt64(try then.itemCount())
      recounted.recorded = try recorded(at: point.sequence)
      guard recounted != point else { continue }
      try target.replaceNamedPoint(recounted)
    }
  }

  /// Erases what a purge erased in a backup, or another copy of this log, inside the store.
  ///
  /// By the leaves: a copy that went its own way since has the same events before it did.
  /// - Returns: Whether it is done.
  private func erase(
    in copy: EventLog, at path: String, _ purge: PendingPurge, _ patience: Duration,
    _ outcome: inout PurgeOutcome
  ) throws(CairnError) -> Bool {
    var erased: [UInt64] = []
    try log.forEachStub(through: try copy.head().sequence) { (stub) throws(CairnError) in
      guard stub.purge == purge.sequence else { return }
      let leaf = try copy.leaf(at: stub.sequence)
      if leaf.map({ HashTree.leaf($0) }) == stub.leafHash { erased.append(stub.sequence) }
    }
    guard !erased.isEmpty else { return true }
    _ = try copy.erase(erased, purgedElsewhere: purge.sequence, wait: patience)
    try copy.withWriterLock(wait: patience) { () throws(CairnError) in
      try self.recountSnapshots(in: copy)
    }
    let views = GenerationFiles(directory: path)
    try views.forgetCurrent()
    for number in try views.all() { try views.remove(number) }
    if try copy.forgetErasedRuns("\(path)/\(RunLines.name)") { outcome.scannedFileCount += 1 }
    guard let residue = try copy.scrub(wait: patience) else { return false }
    outcome.note(residue)
    return true
  }

  /// Visits the logs in folders below the store's own.
  /// - Returns: Those that cannot be read, or not be changed: they may hold anything, and nothing
  ///   here waits for them.
  func forEachCopyInside(_ body: (_ path: String, _ copy: EventLog) throws(CairnError) -> Void)
    throws(CairnError) -> [String]
  {
    var unread: [String] = []
    for name in try copiesInside(directory) {
      do throws(CairnError) {
        let path = "\(directory)/\(name)"
        let copy = try LogFile.open(in: path)
        defer { copy.close() }
        try body(path, copy)
      } catch {
        switch error.code {
        case .missing, .notAStore, .unsupportedFormat, .corrupt, .io, .readOnly:
          unread.append("\(name)/\(LogFile.name)")
        default: throw error
        }
      }
    }
    return unread
  }

  /// Folders below a folder that hold a log.
  private func copiesInside(_ directory: String, depth: Int = 0) throws(CairnError) -> [String] {
    var found: [String] = []
    for name in try SmallFile.names(in: directory) {
      let path = "\(directory)/\(name)"
      guard StoreDirectory.isOpenFolder(path) else { continue }
      if unsafe Glibc.access(path + "/log.mdb", F_OK) == 0 { found.append(name) }
      guard depth < StoreDirectory.folderDepth else { continue }
      found += try copiesInside(path, depth: depth + 1).map { "\(name)/\($0)" }
    }
    return found
  }
}
