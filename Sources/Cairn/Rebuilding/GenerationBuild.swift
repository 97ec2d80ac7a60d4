import EventLog
import LMDB
import Projections

/// The making of the generation that is to serve next.
struct GenerationBuild {
  private let store: Store
  private let plan: RebuildPlan
  private let request: CancelRequest
  private let leftOut: Set<ProjectionName>
  /// The schema that is to be recorded; nil for the one in force.
  private let proposed: SchemaLens?
  private var files: GenerationFiles { store.files }
  private var log: EventLog { store.log }

  init(
    _ store: Store, _ plan: RebuildPlan, _ request: CancelRequest,
    proposing proposed: SchemaLens? = nil
  ) throws(CairnError) {
    var canCopy = false
    if !plan.copied.isEmpty, let current = try store.generation() {
      canCopy = try current.canBeCopied(store.log)
    }
    self.init(store, plan, request, proposed, leavingOut: canCopy ? plan.copied : [])
  }

  private init(
    _ store: Store, _ plan: RebuildPlan, _ request: CancelRequest, _ proposed: SchemaLens?,
    leavingOut leftOut: Set<ProjectionName>
  ) {
    self.store = store
    self.plan = plan
    self.request = request
    self.proposed = proposed
    self.leftOut = leftOut
  }

  /// Events that may be left to fold while appends are held up.
  private static let lastBatchCount: UInt64 = 256
  /// Folds of what came meanwhile, each shorter than the one before unless events come faster than
  /// they can be folded.
  private static let roundCount = 64

  /// Builds up to the last few events, going on with what was begun; nil when it was stopped.
  /// - Throws: `.aborted` when another process asked for it; `.internal` when what was built is not
  ///   what the log says. What could not be gone on with is removed then.
  func run(
    comparing: (Generation) throws(CairnError) -> Void = { _ in },
    _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> Generation? {
    let builder = WriterThread(name: "cairn-build")
    do throws(CairnError) {
      return try builder.run { () throws(CairnError) in
        // Who searches or appends meanwhile waits for an answer.
        stepBackThread()
        return try attempt(comparing, progress)
      }
    } catch
      where [.diskFull, .aborted, .corrupt, .internal].contains(error.code)
    {
      // Why it ended is what the caller has to hear of.
      _ = try? store.removeUnfinished()
      throw error
    }
  }

  private func attempt(
    _ comparing: (Generation) throws(CairnError) -> Void, _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> Generation? {
    let (number, isBegun) = try number()
    try files.markDirty(number)
    var pace = try RebuildPace(plan, path: files.planPath(of: number))
    var replacement = try open(number, leavingOut: leftOut)
    do throws(CairnError) {
      pace.begin(at: try replacement.checkpoint().applied)
      guard try build(replacement, &pace, progress) else {
        replacement.environment.close()
        return nil
      }
      if !leftOut.isEmpty {
        let isComplete = try store.generation().map { (current) throws(CairnError) in
          try replacement.complete(from: current, log)
        }
        replacement.environment.close()
        guard isComplete == true else { return try startOver(number, comparing, progress) }
        replacement = try open(number, leavingOut: [])
      }
      try comparing(replacement)
      try replacement.compare(with: log)
      for _ in 0..<Self.roundCount {
        try request.check()
        try replacement.environment.sync()
        let head = try log.head().sequence
        guard try head - replacement.checkpoint().applied >= Self.lastBatchCount else { break }
        guard try build(replacement, &pace, progress) else {
          replacement.environment.close()
          return nil
        }
      }
      return replacement
    } catch  where error.code == .corrupt && isBegun {
      // What was begun may be what is damaged: the log knows all that it held.
      replacement.environment.close()
    } catch {
      replacement.environment.close()
      throw error
    }
    return try startOver(number, comparing, progress)
  }

  private func startOver(
    _ number: UInt64, _ comparing: (Generation) throws(CairnError) -> Void,
    _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> Generation? {
    try files.remove(number)
    return try GenerationBuild(store, plan, request, proposed, leavingOut: [])
      .attempt(comparing, progress)
  }

  private func open(_ number: UInt64, leavingOut: Set<ProjectionName>) throws(CairnError)
    -> Generation
  {
    let replacement = try Generation(
      number, files: files, writer: WriterThread(name: "cairn-rebuild"), create: true,
      leavingOut: leavingOut)
    replacement.propose(proposed)
    return replacement
  }

  /// Folds what there is now; false when it was stopped.
  private func build(
    _ replacement: Generation, _ pace: inout RebuildPace, _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> Bool {
    try replacement.build(
      log, through: try log.head().sequence, files: files, memory: plan.memory, pace: &pace,
      request: request, progress: progress)
  }

  /// The number of the generation under construction, and whether it was begun before: what a
  /// killed build left and can be gone on with, the newest one; the others are removed.
  private func number() throws(CairnError) -> (number: UInt64, isBegun: Bool) {
    let serving = try files.current() ?? 0
    for number in try files.all().reversed() where number > serving {
      if try canGoOn(number) { return (number, true) }
      try files.remove(number)
    }
    return (serving + 1, false)
  }

  private func canGoOn(_ number: UInt64) throws(CairnError) -> Bool {
    guard try files.trust(in: number) != .lost, try !files.isCandidate(number) else { return false }
    do throws(CairnError) {
      let replacement = try Generation(
        number, files: files, writer: WriterThread(name: "cairn-check"), create: false,
        leavingOut: leftOut)
      defer { replacement.environment.close() }
      guard try replacement.canGoOn(files) else { return false }
      let checkpoint = try replacement.checkpoint()
      // One without events may have begun a text index, which a build of other projections lacks.
      guard checkpoint.applied > 0 else { return leftOut.isEmpty }
      replacement.propose(proposed)
      let definition = replacement.foldedDefinition(by: try replacement.lens(of: log))
      guard checkpoint.definition == definition, checkpoint.log != nil else { return false }
      return try replacement.isMade(of: log, at: checkpoint)
    } catch { return false }
  }
}
