import EventLog
import Files
import LMDB
import Projections

extension Store {
  /// Puts a schema into force.
  ///
  /// Projections by the new one are built first where they differ, beside the old, while everything
  /// goes on as before; then one step records the event and switches every process over. Killed,
  /// both happened or neither; the same call goes on with what was built. Equal to the one in
  /// force, it does nothing.
  /// - Parameters:
  ///   - definition: What ``readSchema(_:)`` read.
  ///   - keeping: Whether the projections of before are kept, so that undoing is a matter of
  ///     milliseconds.
  ///   - progress: Called while projections are built; returning false stops before anything is
  ///     recorded.
  /// - Returns: What was done; nil when it was stopped.
  /// - Throws: `busy` when another process rebuilds, purges or changes the schema for longer than
  ///   ``patience``; `badSchema` when one was set since this one was read and this does not follow
  ///   on it; `aborted` when ``cancelRebuild()`` ended it; `diskFull`; `readOnly`.
  /// - Complexity: O(events) where projections differ, else O(items).
  /// - Note: Blocks the calling thread.
  @discardableResult public func setSchema(
    _ definition: SchemaDefinition, keeping: Bool = false,
    progress: (RebuildProgress) -> Bool = { _ in true }
  ) throws(CairnError) -> SchemaChange? {
    try record(SchemaProposal(.set(definition)), keeping, progress)
  }

  /// Returns to the schema that the one in force was set on; events between stay.
  /// - Returns: What was done; nil when it was stopped.
  /// - Throws: `noSuchPoint` where there is nothing to undo; otherwise as
  ///   ``setSchema(_:keeping:progress:)``.
  /// - Note: Blocks the calling thread.
  @discardableResult public func undoSchema(
    keeping: Bool = false, progress: (RebuildProgress) -> Bool = { _ in true }
  ) throws(CairnError) -> SchemaChange? {
    try record(SchemaProposal(.undo), keeping, progress)
  }

  /// What ``setSchema(_:keeping:progress:)`` would do.
  /// - Complexity: O(events) where items would look otherwise, else O(items).
  /// - Throws: `badSchema` where it does not follow on the schema in force; `corrupt`, `io`.
  /// - Note: Blocks the calling thread.
  public func planSchema(_ definition: SchemaDefinition) throws(CairnError) -> SchemaChange {
    try plan(.set(definition))
  }

  /// What ``undoSchema(keeping:progress:)`` would do.
  /// - Throws: `noSuchPoint` where there is nothing to undo; `corrupt`, `io`.
  /// - Complexity: As ``planSchema(_:)``.
  /// - Note: Blocks the calling thread.
  public func planSchemaUndo() throws(CairnError) -> SchemaChange { try plan(.undo) }

  // MARK: Plans

  private func plan(_ action: SchemaProposal.Action) throws(CairnError) -> SchemaChange {
    let history = try schemas.history(of: log)
    guard let next = try SchemaProposal(action).applied(to: history) else {
      var change = Self.unchanged(history)
      change.violationCount = try at().violatingItemCount(of: history.definition)
      return change
    }
    let head = try visibleHead()
    var change = SchemaChange(
      isChanged: true, version: next.current, sequence: nil,
      parent: next.versions.last?.parent ?? 0, violationCount: 0, projections: [], seconds: 0)
    guard SchemaLens.isOther(history, next) else {
      change.violationCount = try at().violatingItemCount(of: next.definition)
      return change
    }
    let isKept = try keptNumber(by: SchemaLens(next, try log.eventUpcasters())) != nil
    let start = ContinuousClock.now
    try withTrial(of: next, through: head) { (trial) throws(CairnError) in
      if !isKept {
        change.seconds = (ContinuousClock.now - start) / .seconds(1)
        change.projections = Self.projections(head, change.seconds, of: trial)
      }
      let moment = try at(sequence: head, clock: .now(), now: nil).asked(of: trial)
      change.violationCount = try moment.violatingItemCount(of: next.definition)
    }
    return change
  }

  /// What a proposal does that is in force already; what breaks it is yet to be counted.
  private static func unchanged(_ history: SchemaHistory) -> SchemaChange {
    SchemaChange(
      isChanged: false, version: history.current, sequence: nil,
      parent: history.versions.last?.parent ?? 0, violationCount: 0, projections: [], seconds: 0)
  }

  /// The projections that are made anew, the bytes of their file shared out among them.
  private static func projections(
    _ eventCount: UInt64, _ seconds: Double, of generation: Generation?
  ) -> [SchemaChange.Projection] {
    let byteCount = generation?.environment.byteCount ?? 0
    let names = Generation.names
    return names.enumerated().map { index, name in
      SchemaChange.Projection(
        name: name.text, eventCount: Int(clamping: eventCount), seconds: seconds,
        byteCount: byteCount * (index + 1) / names.count - byteCount * index / names.count)
    }
  }

  // MARK: Recording

  private func record(
    _ proposal: SchemaProposal, _ keeping: Bool, _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> SchemaChange? {
    guard let (recorded, history) = try recorded(proposal, keeping, progress) else { return nil }
    var change = recorded
    let head = try visibleHead()
    _ = progress(RebuildProgress(sequence: head, head: head, isServing: true))
    // Looking at every item takes its time; nobody waits for it.
    change.violationCount = try at().violatingItemCount(of: history.definition)
    return change
  }

  /// The change but for its count, and the versions after it; nil when it was stopped.
  func recorded(
    _ proposal: SchemaProposal, _ keeping: Bool, _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> (change: SchemaChange, history: SchemaHistory)? {
    let lock = try heldRebuildLock(wait: patience)
    defer { lock.unlock() }
    let request = CancelRequest(directory)
    // One that nobody was left to answer.
    try request.withdraw()
    try finishPurge(patience: patience, holdsRebuildLock: true)
    let history = try schemas.history(of: log)
    guard let next = try proposal.applied(to: history) else {
      return (Self.unchanged(history), history)
    }
    let start = ContinuousClock.now
    var replacement: Generation?
    var isBuilt = false
    if SchemaLens.isOther(history, next) {
      let lens = SchemaLens(next, try log.eventUpcasters())
      replacement = try takeKept(by: lens, progress)
      if replacement == nil {
        let build = try GenerationBuild(
          self, RebuildPlan(reason: .schema), request, proposing: lens)
        replacement = try build.run(progress)
        guard replacement != nil else { return nil }
        isBuilt = true
      }
    }
    let event = try proposal.event(next)
    let sequence = try switchSchema(to: replacement, event, keeping)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // Those before the change, as its plan counts them.
    let projections =
      try isBuilt ? Self.projections(sequence - 1, seconds, of: generation()) : []
    let change = SchemaChange(
      isChanged: true, version: next.current, sequence: sequence,
      parent: next.versions.last?.parent ?? 0, violationCount: 0, projections: projections,
      seconds: replacement == nil ? 0 : seconds)
    return (change, next)
  }

  /// Records the event in one commit that also makes the new projections serve.
  private func switchSchema(
    to replacement: Generation?, _ event: EncodedEvent, _ keeping: Bool
  ) throws(CairnError) -> UInt64 {
    defer { replacement?.environment.close() }
    return try log.withWriterLock(wait: patience) { () throws(CairnError) in
      let head = try log.head().sequence
      try catchUp(through: head)
      var notes: [String: [UInt8]] = [:]
      if let replacement {
        try replacement.advance(log, through: head)
        try replacement.environment.sync()
        try files.prepare(replacement.number, after: try files.current() ?? 0)
        notes[PendingSchema.metadataKey] =
          PendingSchema(generation: replacement.number, keeps: keeping).encoded
      }
      let outcome = try log.recordSchema(event, noting: notes, wait: patience)
      guard case .appended(let sequence) = outcome else {
        throw CairnError(.conflict, "the schema's event is in the log already, or not allowed")
      }
      if let replacement {
        replacement.propose(nil)
        try replacement.advance(log, through: sequence)
        try finishSchema()
        // What is left of the note tells nothing of a generation that serves.
        try? SmallFile.remove(files.planPath(of: replacement.number))
      } else {
        try catchUp(through: sequence)
      }
      return sequence
    }
  }
}
