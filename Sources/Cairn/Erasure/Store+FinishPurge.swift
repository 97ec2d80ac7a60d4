import EventLog
import Files
import Glibc
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
  /// Completes a purge that was committed, or takes back one that was only prepared.
  ///
  /// Each step can be run again; the note that a purge is pending goes last. Leaves everything as
  /// it is, to be tried again at the next opening, when others hold on for longer than `patience`.
  /// - Returns: What was looked through; nil when there was nothing to do or it has to wait.
  @discardableResult func finishPurge(patience: Duration, holdsRebuildLock: Bool = false)
    throws(CairnError) -> PurgeOutcome?
  {
    guard try needsToFinishPurge() else { return nil }
    let lock = try rebuildLock()
    // Who holds the lock is purging and will finish.
    if !holdsRebuildLock, try !lock.tryLock() { return nil }
    defer { if !holdsRebuildLock { lock.unlock() } }
    do throws(CairnError) {
      return try log.withWriterLock(wait: patience) { () throws(CairnError) in
        try self.finishSchema()
        guard let purge = try self.pendingPurge() else {
          try self.cancelPrepared()
          return nil
        }
        return try self.finish(purge, patience: patience)
      }
    } catch  where error.code == .busy && !holdsRebuildLock { return nil }
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
    for copy in try copiesInside(directory) {
      isDone = try erase(inCopyAt: copy, purge, patience, &outcome) && isDone
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
    outcome.unknownFiles = try StoreDirectory.unknownFiles(in: directory)
    if isDone, outcome.residueByteCount == 0 {
      try log.setMetadata(nil, for: PendingPurge.metadataKey)
    }
    return outcome
  }

  /// Snapshots say how many items there were and when: as if what is purged had never been.
  func recountSnapshots() throws(CairnError) {
    let horizon = try log.horizon().latest
    let points = try log.namedPoints()
    try recount(points.filter { $0.sequence >= horizon }, by: nil)
    let earlier = points.filter { $0.sequence < horizon }
    guard let last = earlier.map(\.sequence).max() else { return }
    try withPast(through: last) { (past) throws(CairnError) in
      try self.recount(earlier, by: past)
    }
  }

  private func recount(_ points: [NamedPoint], by trial: Generation?) throws(CairnError) {
    for point in points {
      let then = try at(.sequence(point.sequence)).asked(of: trial)
      var recounted = point
      recounted.items = UInt64(try then.itemCount())
      recounted.recorded = try recorded(at: point.sequence)
      guard recounted != point else { continue }
      try log.replaceNamedPoint(recounted)
    }
  }

  /// Erases in a backup, or another copy of this log, that lies inside the store.
  /// - Returns: Whether it is done.
  private func erase(
    inCopyAt path: String, _ purge: PendingPurge, _ patience: Duration,
    _ outcome: inout PurgeOutcome
  ) throws(CairnError) -> Bool {
    let copy = try LogFile.open(in: path)
    defer { copy.close() }
    // Another history altogether is none of this purge's business.
    guard try isCopied(to: copy) else { return true }
    let size = min(try copy.head().sequence, try log.head().sequence)
    var erased: [UInt64] = []
    try log.forEachStub(through: size) { stub in
      if stub.purge == purge.sequence { erased.append(stub.sequence) }
    }
    _ = try copy.erase(erased, purgedElsewhere: purge.sequence, wait: patience)
    let views = GenerationFiles(directory: path)
    try views.forgetCurrent()
    for number in try views.all() { try views.remove(number) }
    if try copy.forgetErasedRuns("\(path)/\(RunLines.name)") { outcome.scannedFileCount += 1 }
    guard let residue = try copy.scrub(wait: patience) else { return false }
    outcome.note(residue)
    return true
  }

  /// Whether a log is of this history, as far as it goes.
  func isCopied(to copy: EventLog) throws(CairnError) -> Bool {
    let size = min(try copy.head().sequence, try log.head().sequence)
    return try copy.root(at: size) == log.root(at: size)
  }

  /// Folders below a folder that hold a log.
  func copiesInside(_ directory: String, depth: Int = 0) throws(CairnError) -> [String] {
    var found: [String] = []
    for name in try SmallFile.names(in: directory) {
      let path = "\(directory)/\(name)"
      guard FileStatus(path, followsLinks: false)?.isFolder == true else { continue }
      if unsafe Glibc.access(path + "/log.mdb", F_OK) == 0 { found.append(path) }
      if depth < StoreDirectory.folderDepth { found += try copiesInside(path, depth: depth + 1) }
    }
    return found
  }
}
