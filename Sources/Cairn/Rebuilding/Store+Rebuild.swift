import EventLog
import Files
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
  /// Whether what was built serves: only what comes after it is still to be done.
  public var isServing = false
}

extension Store {
  /// Builds projections anew from the log and lets them serve.
  ///
  /// The old generation serves until the new one is complete and was compared with a second reading
  /// of the log; then one atomic step switches every process over. Appends go on meanwhile and wait
  /// only while the last events are folded. A rebuild that was killed goes on where it was when it
  /// is started again; one that found the disk full leaves nothing behind, so that there is room
  /// for what is appended.
  /// - Parameters:
  ///   - only: Names of the projections to make anew; nil for all. Catalog and timeline resolve
  ///     events for the others and are always folded; the others are copied from the old generation
  ///     where they are not named and nothing was ever purged.
  ///   - keepingOld: Whether the old generation stays until the next rebuild or purge, for
  ///     ``rollBack(progress:)``.
  ///   - memory: Bytes of memory that the process may come to while it rebuilds, about; less than
  ///     ``rebuildMemoryMin`` counts as that. The less, the smaller the pieces and the longer it
  ///     takes. A text of many megabytes by itself takes what it needs.
  ///   - progress: Called after each batch; returning false stops the rebuild, which keeps
  ///     what it has for the next one.
  /// - Returns: One result for each projection, or nil when it was stopped.
  /// - Throws: `busy` when another process rebuilds for longer than ``patience``; `aborted` when
  ///   ``cancelRebuild()`` ended it; `internal` when what was built differs from a second reading
  ///   of the log, and then the old one goes on serving; `badArgument` for an unknown name;
  ///   `diskFull`; `readOnly`.
  /// - Complexity: O(events).
  @discardableResult public func rebuild(
    only: [String]? = nil, keepingOld: Bool = false, memory: Int = Store.rebuildMemory,
    progress: (RebuildProgress) -> Bool = { _ in true }
  ) throws(CairnError) -> [RebuildResult]? {
    var plan = RebuildPlan()
    if let only {
      let names = only.map(ProjectionName.init)
      guard names.allSatisfy(Generation.names.contains) else {
        let known = Generation.names.map(\.text).joined(separator: ", ")
        throw CairnError(.badArgument, "the projections are \(known)", place: "projection")
      }
      plan.chosen = Set(names)
    }
    plan.keepsOld = keepingOld
    plan.memory = Generation.BuildMemory(memory)
    return try rebuild(plan, wait: patience, progress)
  }

  /// Bytes of memory that a rebuild may take when nobody says: 512 MiB.
  public static let rebuildMemory = 512 << 20
  /// The fewest bytes of memory that a rebuild can be given: 64 MiB.
  public static let rebuildMemoryMin = 64 << 20

  func rebuild(
    _ plan: RebuildPlan, wait: Duration = .zero,
    comparing: (Generation) throws(CairnError) -> Void = { _ in },
    _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> [RebuildResult]? {
    let lock = try heldRebuildLock(wait: wait)
    defer { lock.unlock() }
    let request = CancelRequest(directory)
    // One that nobody was left to answer.
    try request.withdraw()
    try finishPurge(patience: patience, holdsRebuildLock: true)
    let start = ContinuousClock.now
    let serving = try generation()
    let before = try serving?.checkpoint() ?? Checkpoint()
    // Who held the lock until now may have made them anew.
    if plan.reason == .version, serving != nil,
      try !before.isOutdated(by: schemas.lens(of: log))
    {
      return nil
    }
    let build = try GenerationBuild(self, plan, request)
    guard let replacement = try build.run(comparing: comparing, progress) else { return nil }
    let after = try switchOver(to: replacement, keepingOld: plan.keepsOld)
    upgradeFailure.withLock { $0 = nil }
    let head = after.replacement.applied
    try compactRebuilt(by: plan) {
      progress(RebuildProgress(sequence: head, head: head, isServing: true))
    }
    return Self.results(after.current ?? before, after.replacement, since: start, plan.chosen)
  }

  static func results(
    _ before: Checkpoint, _ after: Checkpoint, since start: ContinuousClock.Instant,
    _ chosen: Set<ProjectionName>? = nil
  ) -> [RebuildResult] {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    return Generation.names.filter { chosen?.contains($0) ?? true }.map { name in
      RebuildResult(
        projection: name.text, eventCount: Int(clamping: after.applied), seconds: seconds,
        digestBefore: before[name].hexadecimal, digestAfter: after[name].hexadecimal)
    }
  }

  /// Folds the last events while nobody appends, and makes a generation the serving one, under
  /// another number where one is given.
  func switchOver(to replacement: Generation, as number: UInt64? = nil, keepingOld: Bool)
    throws(CairnError) -> (current: Checkpoint?, replacement: Checkpoint)
  {
    let number = number ?? replacement.number
    var current: Generation?
    let checkpoints = try log.withWriterLock(wait: patience) { () throws(CairnError) in
      let head = try log.head().sequence
      try replacement.advance(log, through: head)
      current = try generation()
      // Who appended last may have been killed before that was folded.
      do throws(CairnError) {
        if let current, try current.checkpoint().applied < head { try catchUp(through: head) }
      } catch  where error.code == .diskFull || Self.isDamageOfProjections(error) {
        // It is what this replaces.
      }
      let checkpoints = (
        current: try current?.checkpoint(), replacement: try replacement.checkpoint()
      )
      replacement.environment.close()
      if number != replacement.number { try files.link(replacement.number, as: number) }
      try files.setCurrent(number)
      return checkpoints
    }
    // Flushing and deleting large files takes its time; nobody waits for it here.
    let kept = keepingOld ? current?.number : nil
    if let current, kept != nil {
      try current.environment.sync()
      try files.markClean(current.number)
    }
    for old in try files.all() where old < number && old != kept { try files.remove(old) }
    // What is left of the note tells nothing of a generation that serves.
    try? SmallFile.remove(files.planPath(of: number))
    return checkpoints
  }

  /// Removes generations that do not serve yet; tells whether there were any.
  @discardableResult func removeUnfinished() throws(CairnError) -> Bool {
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
    let plan = RebuildPlan(reason: .version)
    if checkpoint.applied <= Self.inlineRebuildCount {
      do throws(CairnError) { _ = try rebuild(plan) { _ in true } } catch
        where [.busy, .aborted].contains(error.code)
      {
        // Another process is at it, or cancelled it; the old generation serves until it is done.
      }
      return
    }
    let thread = WriterThread(name: "cairn-upgrade")
    upgrade.withLock { $0 = thread }
    thread.submit { [self] in
      do throws(CairnError) {
        _ = try rebuild(plan) { _ in !isClosing.load(ordering: .relaxed) }
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
