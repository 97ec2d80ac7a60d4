import EventLog
import Glibc
import LMDB
import Projections
import Synchronization

/// What a rebuild of one projection gave.
public struct RebuildResult: Sendable, Hashable {
  /// The projection's name.
  public var projection: String
  /// Events folded.
  public var eventCount: Int
  /// Seconds it took, all projections together.
  public var seconds: Double
  /// Digest of the generation that served before, 32 hexadecimal digits.
  public var digestBefore: String
  /// Digest of the generation that serves now.
  public var digestAfter: String
  /// Whether they are equal.
  public var isEqual: Bool { digestBefore == digestAfter }
}

/// How far a rebuild is.
public struct RebuildProgress: Sendable, Hashable {
  /// Last event folded into the new generation.
  public var sequence: UInt64
  /// Last event of the log.
  public var head: UInt64
}

extension Store {
  /// Builds all projections anew from the log and lets them serve.
  ///
  /// The old generation serves until the new one is complete; then one atomic step switches every
  /// process over. Appends go on meanwhile and wait only while the last events are folded. A
  /// rebuild that was killed goes on where it was when it is started again; one that found the disk
  /// full leaves nothing behind, so that there is room for what is appended.
  /// - Parameters:
  ///   - memory: Bytes of memory that the process may come to while it rebuilds, about; less than
  ///     ``rebuildMemoryMin`` counts as that. The less, the smaller the pieces and the longer it
  ///     takes. A text of many megabytes by itself takes what it needs.
  ///   - progress: Called after each batch; returning false stops the rebuild, which keeps
  ///     what it has for the next one.
  /// - Returns: One result for each projection, or nil when it was stopped.
  /// - Throws: `busy` when another process rebuilds; `diskFull`; `readOnly`.
  /// - Complexity: O(events).
  @discardableResult public func rebuild(
    memory: Int = Store.rebuildMemory, progress: (RebuildProgress) -> Bool = { _ in true }
  ) throws(CairnError) -> [RebuildResult]? {
    let lock = try FileLock(path: "\(directory)/rebuild.lock")
    guard try lock.tryLock() else {
      throw CairnError(.busy, "another process is rebuilding", remedy: .rebuildStatus)
    }
    defer { lock.unlock() }
    return try rebuildAlone(Generation.BuildMemory(memory), progress)
  }

  /// Bytes of memory that a rebuild may take when nobody says: 512 MiB.
  public static let rebuildMemory = 512 << 20
  /// The fewest bytes of memory that a rebuild can be given: 64 MiB.
  public static let rebuildMemoryMin = 64 << 20

  private func rebuildAlone(_ memory: Generation.BuildMemory, _ progress: (RebuildProgress) -> Bool)
    throws(CairnError) -> [RebuildResult]?
  {
    try finishPurge(patience: patience, holdsRebuildLock: true)
    let start = ContinuousClock.now
    let before = try generation()?.checkpoint() ?? Checkpoint()
    let green: Generation
    do throws(CairnError) {
      guard let built = try buildGreen(memory, progress) else { return nil }
      green = built
    } catch  where error.code == .diskFull {
      // The full disk is what the caller has to hear of.
      _ = try? removeUnfinished()
      throw error
    }
    let after = try switchOver(to: green)
    upgradeFailure.withLock { $0 = nil }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return Generation.names.map { name in
      RebuildResult(
        projection: name.text, eventCount: Int(clamping: after.green.applied), seconds: seconds,
        digestBefore: (after.blue ?? before)[name].hexadecimal,
        digestAfter: after.green[name].hexadecimal)
    }
  }

  /// Builds the green generation up to the last few events, going on with one that was begun; nil
  /// when it was stopped.
  private func buildGreen(_ memory: Generation.BuildMemory, _ progress: (RebuildProgress) -> Bool)
    throws(CairnError) -> Generation?
  {
    let (number, isBegun) = try greenNumber()
    try files.markDirty(number)
    let builder = WriterThread(name: "cairn-rebuild")
    let green = try Generation(number, files: files, writer: builder, create: true)
    do throws(CairnError) {
      while true {
        let head = try log.head().sequence
        let isWanted = try green.build(log, through: head, files: files, memory: memory) {
          sequence in progress(RebuildProgress(sequence: sequence, head: head))
        }
        guard isWanted else {
          green.environment.close()
          return nil
        }
        if try log.head().sequence - head < Self.lastBatchCount {
          try green.environment.sync()
          return green
        }
      }
    } catch  where error.code == .corrupt && isBegun {
      // What was begun may be what is damaged: the log knows all that it held.
      green.environment.close()
      try files.remove(number)
    } catch {
      green.environment.close()
      throw error
    }
    return try buildGreen(memory, progress)
  }

  /// Events that may be left to fold while appends are held up.
  private static let lastBatchCount: UInt64 = 256

  /// Folds the last events while nobody appends, and makes the green generation the serving one.
  private func switchOver(to green: Generation) throws(CairnError) -> (
    blue: Checkpoint?, green: Checkpoint
  ) {
    try log.withWriterLock(wait: patience) { () throws(CairnError) in
      try green.advance(log, through: try log.head().sequence)
      let blue = try generation()
      let before = try blue?.checkpoint()
      let after = try green.checkpoint()
      green.environment.close()
      try files.setCurrent(green.number)
      // The generation before the last is kept for going back, older ones are not.
      if let blue { try removeGenerations(before: blue.number) }
      return (before, after)
    }
  }

  /// The number of the generation under construction, and whether it was begun before.
  private func greenNumber() throws(CairnError) -> (number: UInt64, isBegun: Bool) {
    let serving = try files.current() ?? 0
    for number in try files.all().reversed() where number > serving {
      if try isUsable(number) { return (number, true) }
      try files.remove(number)
    }
    return (serving + 1, false)
  }

  /// Whether a generation that a killed rebuild left can be gone on with.
  private func isUsable(_ number: UInt64) throws(CairnError) -> Bool {
    guard try files.isTrusted(number), try !files.isSuccessor(number) else { return false }
    do throws(CairnError) {
      let builder = WriterThread(name: "cairn-check")
      let green = try Generation(number, files: files, writer: builder, create: false)
      defer { green.environment.close() }
      let checkpoint = try green.checkpoint()
      guard try green.canGoOn(files) else { return false }
      guard try !checkpoint.isOutdated(by: schemas.lens(of: log)) else { return false }
      return try green.isMade(of: log, at: checkpoint)
    } catch { return false }
  }

  /// How far an unfinished rebuild is, or nil when there is none.
  package func rebuildStatus() throws(CairnError) -> RebuildProgress? {
    let serving = try files.current() ?? 0
    guard let number = try files.all().last, number > serving, try !files.isSuccessor(number)
    else { return nil }
    let green = try Generation(number, files: files, writer: nil, create: false)
    defer { green.environment.close() }
    return RebuildProgress(
      sequence: try green.checkpoint().applied, head: try log.head().sequence)
  }

  /// Throws away an unfinished rebuild that no process is working on.
  ///
  /// - Returns: Whether there was one.
  package func cancelRebuild() throws(CairnError) -> Bool {
    let lock = try FileLock(path: "\(directory)/rebuild.lock")
    guard try lock.tryLock() else {
      throw CairnError(.busy, "a process is rebuilding; stop it first")
    }
    defer { lock.unlock() }
    try finishPurge(patience: patience, holdsRebuildLock: true)
    return try removeUnfinished()
  }

  /// Removes generations that do not serve yet; tells whether there were any.
  private func removeUnfinished() throws(CairnError) -> Bool {
    let serving = try files.current() ?? 0
    var found = false
    for number in try files.all() where number > serving {
      try files.remove(number)
      found = true
    }
    return found
  }

  /// Rebuilds projections that other definitions built, while the old ones serve.
  ///
  /// A small store is rebuilt before it is opened; a large one in the background, resumed by the
  /// next process when this one is closed first. What it fails with is a ``projectionFailure``.
  func replaceOutdated(_ checkpoint: Checkpoint) throws(CairnError) {
    if checkpoint.applied <= Self.inlineRebuildCount {
      do throws(CairnError) { try rebuild() } catch  where error.code == .busy {
        // Another process is at it; the old generation serves until it is done.
      }
      return
    }
    let thread = WriterThread(name: "cairn-upgrade")
    upgrade.withLock { $0 = thread }
    thread.submit { [self] in
      do throws(CairnError) {
        try rebuild { _ in !isClosing.load(ordering: .relaxed) }
      } catch {
        // Another process that is at it does the same.
        if error.code != .busy { upgradeFailure.withLock { $0 = error } }
      }
    }
  }

  /// Stops the rebuild in the background, which keeps what it has for the next one, and waits for
  /// it.
  func stopUpgrade() {
    isClosing.store(true, ordering: .relaxed)
    guard let thread = upgrade.withLock({ $0.take() }) else { return }
    let isOver = Semaphore()
    thread.submit { isOver.signal() }
    isOver.wait()
  }

  private static let inlineRebuildCount: UInt64 = 50_000
}
