import EventLog
import Glibc
import LMDB
import Projections

extension Store {
  /// Throws an unfinished rebuild away, also one that a process is working on, which then ends with
  /// `aborted`.
  /// - Returns: Whether there was one; a rebuild that ended meanwhile is none.
  /// - Throws: `busy` when a process purges for longer than ``patience``; `readOnly`.
  /// - Complexity: Waits for one batch of events at most, or for the end of a build's last step.
  /// - Note: Blocks the calling thread.
  public func cancelRebuild() throws(CairnError) -> Bool {
    let lock = try rebuildLock()
    let request = CancelRequest(directory)
    let before = try servingNumber()
    let deadline = ContinuousClock.now + min(patience, .seconds(1_000_000))
    var isAsked = false
    while try !lock.tryLock() {
      if isAsked {
        // Taken away by who waited for the lock: the one that was asked has ended.
        guard request.isMade else { return try servingNumber() == before }
      } else if try isBuilding() {
        isAsked = true
        try request.make()
      } else if ContinuousClock.now >= deadline {
        throw CairnError(.busy, "a process purges; try again when it is done")
      }
      usleep(10_000)
    }
    defer { lock.unlock() }
    try request.withdraw()
    try finishPurge(patience: patience, holdsRebuildLock: true)
    let isLeft = try removeUnfinished()
    // Whoever answered the request took it away; with another one serving it had ended.
    let isSame = try servingNumber() == before
    return isLeft || isAsked && isSame
  }

  private func isBuilding() throws(CairnError) -> Bool {
    let serving = try files.current() ?? 0
    for number in try files.all() where number > serving {
      if try !files.isCandidate(number) { return true }
    }
    return false
  }

  /// Lets the generation serve again that a rebuild kept, brought up to the head first.
  ///
  /// The one that served until then goes, and so does an unfinished rebuild.
  /// - Parameter progress: Called after each batch; returning false stops, and changes nothing.
  /// - Returns: As of a rebuild; nil when none is kept, or when it was stopped.
  /// - Throws: `conflict` when another schema or version made it; `busy`, `diskFull`, `readOnly`.
  /// - Complexity: O(events that it does not know).
  /// - Note: Blocks the calling thread.
  public func rollBack(progress: (RebuildProgress) -> Bool = { _ in true }) throws(CairnError)
    -> [RebuildResult]?
  {
    let lock = try heldRebuildLock(wait: patience)
    defer { lock.unlock() }
    try finishPurge(patience: patience, holdsRebuildLock: true)
    let start = ContinuousClock.now
    guard let serving = try files.current(), let number = try keptNumber() else { return nil }
    let kept = try Generation(
      number, files: files, writer: WriterThread(name: "cairn-rollback"), create: false)
    do throws(CairnError) {
      guard try bringUp(kept, progress) else {
        kept.environment.close()
        return nil
      }
    } catch {
      kept.environment.close()
      throw error
    }
    // Also the second name that a rollback gave which was killed.
    try removeUnfinished()
    let after = try switchOver(to: kept, as: serving + 1, keepingOld: false)
    return Self.results(after.current ?? Checkpoint(), after.replacement, since: start)
  }

  /// The generation that is kept for going back; nil for none that can be relied on.
  private func keptNumber() throws(CairnError) -> UInt64? {
    guard let serving = try files.current(),
      let number = try files.all().last(where: { $0 < serving }),
      try files.trust(in: number) != .lost
    else { return nil }
    return number
  }

  /// The generation that is kept for going back, where its rows are those that a schema makes.
  /// - Complexity: O(log events).
  func keptNumber(by lens: SchemaLens?) throws(CairnError) -> UInt64? {
    guard let number = try keptNumber() else { return nil }
    do throws(CairnError) {
      let kept = try Generation(number, files: files, writer: nil, create: false)
      defer { kept.environment.close() }
      let checkpoint = try kept.checkpoint()
      guard checkpoint.applied > 0, !checkpoint.isOutdated(by: lens) else { return nil }
      return try kept.isMade(of: log, at: checkpoint) ? number : nil
    } catch { return nil }
  }

  /// Brings the kept generation up to the head, in the place of a build and under the number that
  /// serves next; with the rebuild lock held.
  ///
  /// It was compared with the log when it was built. What is left of it when this is killed or
  /// stopped is an unfinished build, which a build by the same schema goes on with.
  /// - Parameters:
  ///   - lens: What makes events those of the schema that is to be recorded.
  ///   - progress: Called after each batch; returning false stops.
  /// - Returns: nil where another schema or version made it, where none is kept, or when stopped.
  /// - Throws: `diskFull` and the like; `corrupt`.
  /// - Complexity: O(events that it does not know).
  func takeKept(by lens: SchemaLens?, _ progress: (RebuildProgress) -> Bool) throws(CairnError)
    -> Generation?
  {
    guard let serving = try files.current(), let number = try keptNumber(by: lens) else {
      return nil
    }
    try removeUnfinished()
    try files.link(number, as: serving + 1)
    try files.remove(number)
    let kept = try Generation(
      serving + 1, files: files, writer: WriterThread(name: "cairn-undo"), create: false)
    kept.propose(lens)
    do throws(CairnError) {
      if try bringUp(kept, progress) { return kept }
    } catch {
      kept.environment.close()
      throw error
    }
    kept.environment.close()
    return nil
  }

  /// Folds what a kept generation does not know; false when it was made of another log or stopped.
  private func bringUp(_ kept: Generation, _ progress: (RebuildProgress) -> Bool)
    throws(CairnError) -> Bool
  {
    let checkpoint = try kept.checkpoint()
    guard try !checkpoint.isOutdated(by: kept.lens(of: log)) else {
      throw CairnError(
        .conflict,
        "the kept projections are of another schema or version", remedy: .undoSchema)
    }
    guard try kept.isMade(of: log, at: checkpoint) else { return false }
    try files.markDirty(kept.number)
    var isWanted = true
    let head = try log.head().sequence
    if checkpoint.applied < head {
      try kept.advance(log, through: head) { sequence in
        isWanted = progress(RebuildProgress(sequence: sequence, head: head))
        return isWanted
      }
    }
    try kept.cut(as: log)
    try kept.environment.sync()
    return isWanted
  }
}
