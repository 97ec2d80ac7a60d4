import EventLog
import Files
import LMDB
import Projections

extension Store {
  /// What a purge would erase now.
  /// - Parameter scope: What to erase.
  /// - Returns: The plan; nothing is changed.
  /// - Throws: `corrupt` when an event concerned cannot be read; `badArgument` for what can be no
  ///   domain, and no retention rule.
  /// - Complexity: O(events).
  /// - Note: Blocks the calling thread.
  public func planPurge(_ scope: PurgeScope) throws(CairnError) -> PurgePlan {
    try scope.check()
    try requireFolded()
    let selection = try selection(scope)
    return try addingCopies(to: selection.plan, from: selection.sequences.first)
  }

  private func addingCopies(to plan: PurgePlan, from first: UInt64?) throws(CairnError) -> PurgePlan
  {
    guard let first else { return plan }
    var plan = plan
    plan.copies = try knownCopies().filter { $0.sequence >= first }
    plan.lostCopies = try lostCopies().filter { $0.sequence >= first }
    return plan
  }

  /// Erases events for good: content, names, times and salts, from the log, the projections and
  /// every file of the store.
  ///
  /// The events' headers stay: their sequences and salted commitments, from which nothing can be
  /// confirmed, so that the hash tree, its old roots and all proofs still hold; ``erasedIDCount()``
  /// tells of older ones. The projections become those of a history in
  /// which the events never happened. A purge event records how many events went, never which
  /// names. Everything becomes unreadable with one commit, in every process; reads and appends go
  /// on until then. A purge that is killed before that commit never happened; after it, the next
  /// process that opens the store completes it.
  /// - Parameters:
  ///   - scope: What to erase.
  ///   - blocking: Whether later events in that domain or of that item are refused, until
  ///     ``unblock(_:)``; with other scopes, the erased events themselves, by their ids.
  ///   - progress: Called while the projections are built; returning false stops before anything
  ///     is erased.
  /// - Returns: The receipt, or nil when it was stopped.
  /// - Throws: `busy` when another process rebuilds, purges, or writes for too long; `badArgument`;
  ///   `diskFull`; `readOnly`.
  /// - Complexity: O(events): the projections are copied without what goes, some 3 µs an event, or
  ///   folded anew when an item keeps part of what made it.
  public func purge(
    _ scope: PurgeScope, blocking: Bool = false, progress: (RebuildProgress) -> Bool = { _ in true }
  ) throws(CairnError) -> PurgeReceipt? {
    try purge(scope, as: nil, blocking: blocking, progress: progress)
  }

  /// Erases exactly what a plan said, where there is one; see ``purge(_:blocking:progress:)``.
  /// - Returns: The receipt, or nil when it was stopped.
  /// - Throws: `conflict`, and nothing was erased, when it would be other events.
  package func purge(
    _ scope: PurgeScope, as planned: PurgePlan?, blocking: Bool,
    progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> PurgeReceipt? {
    try scope.check()
    if blocking {
      switch scope {
      case .domain, .item, .before, .matching: break
      case .retention:
        throw CairnError(.badArgument, "what rules do not keep cannot be blocked")
      }
    }
    let lock = try heldRebuildLock(wait: patience)
    defer { lock.unlock() }
    try finishPurge(patience: patience, holdsRebuildLock: true)
    let order = PurgeOrder(
      scope: scope, planned: planned?.digest, blocks: blocking ? try blockedNames(scope) : [],
      conditions: blocking ? scope.blockedConditions : nil)
    return try withBoundedMemory { () throws(CairnError) in try purgeAlone(order, progress) }
  }

  /// Accepts events in a domain or of an item again that a purge refused.
  /// - Parameter scope: The domain, the item or the conditions that the purge had.
  /// - Returns: Whether it was blocked.
  /// - Throws: `busy`, `readOnly`.
  /// - Note: Blocks the calling thread.
  @discardableResult public func unblock(_ scope: PurgeScope) throws(CairnError) -> Bool {
    if let conditions = scope.blockedConditions {
      return try log.unblockEvents(of: conditions, wait: patience)
    }
    var found = false
    for name in try blockedNames(scope) where try log.unblock(name, wait: patience) { found = true }
    return found
  }

  /// Whether purges left anything that is refused from then on.
  /// - Throws: `corrupt`.
  /// - Complexity: O(log n).
  /// - Note: Blocks the calling thread.
  public func hasBlocks() throws(CairnError) -> Bool { try log.hasBlocks() }

  /// How many names, of domains and items, and how many events purges refuse from then on.
  /// - Complexity: O(blocks).
  package func blockCounts() throws(CairnError) -> (names: Int, events: Int) {
    let counts = try log.blockCounts()
    return (counts.names, counts.events)
  }

  /// The purge event that erased last, if one did here.
  package func lastPurge() throws(CairnError) -> UInt64? {
    let sequence = try log.lastErasure()
    guard sequence > 0, try log.event(at: sequence)?.kind == .purge else { return nil }
    return sequence
  }

  private func blockedNames(_ scope: PurgeScope) throws(CairnError) -> [BlockedName] {
    switch scope {
    case .domain(let name): [try log.blockedDomain(Array(name.utf8), wait: patience)]
    case .item(let name): [try log.blockedItem(Array(name.utf8), wait: patience)]
    case .before, .matching, .retention: []
    }
  }

  func selection(_ scope: PurgeScope) throws(CairnError) -> PurgeSelection {
    let items = try filteredItems(scope)
    guard let generation = try generation() else { return PurgeSelection() }
    var selection = try withBoundedMemory { () throws(CairnError) in
      try selected(scope, items, generation)
    }
    try noteNames(of: scope, in: &selection.plan)
    return selection
  }

  /// Notes what people named after what goes: a purge leaves it, so somebody has to be told.
  private func noteNames(of scope: PurgeScope, in plan: inout PurgePlan) throws(CairnError) {
    let isNamed: (String) -> Bool
    let isDeclared: (SchemaDefinition) -> Bool
    var isTold: (String) -> Bool = { _ in false }
    switch scope {
    case .domain(let domain):
      isNamed = { DomainPath.covers(domain, $0) }
      isDeclared = { definition in definition.domains.contains { isNamed($0.key) } }
      plan.consumerNames = try ServerFiles.consumers(of: directory) { key, name in
        key == "domain" && DomainPath.covers(domain, name)
      }
    case .item(let item):
      plan.consumerNames = try ServerFiles.consumers(of: directory) { key, name in
        key == "item" && name.hasBytes(of: item)
      }
      return
    case .matching(let criteria):
      let mention = criteria.mention.map(MentionedText.init)
      plan.serverFileNames = try ServerFiles.naming(in: directory) { key, given in
        let isSource =
          key == "id" && criteria.source.hasBytes(of: WatchedView.sourcePrefix + given)
        return isSource || mention?.occurs(in: given) ?? false
      }
      guard let text = mention else { return }
      isNamed = text.occurs(in:)
      isTold = isNamed
      isDeclared = { $0.document.mentions(text) }
      plan.snapshotNames = try log.namedPoints().map(\.name).filter(isNamed)
      plan.consumerNames = try ServerFiles.consumers(of: directory) { text.occurs(in: $1) }
    case .before, .retention: return
    }
    plan.ruleNumbers = try retentionRules().filter { (_, rule) in
      rule.domain.map(isNamed) ?? false || rule.source.map(isTold) ?? false
    }.map { $0.number }
    plan.schemaVersions = try schemaHistory().filter { isDeclared($0.definition) }.map(\.version)
  }

  private func selected(
    _ scope: PurgeScope, _ items: [String]?, _ generation: Generation
  ) throws(CairnError) -> PurgeSelection {
    let asksDomain =
      switch scope {
      case .domain: true
      case .matching(let criteria):
        criteria.domain != nil && [nil, .select, .impression].contains(criteria.kind)
      case .item, .before, .retention: false
      }
    if asksDomain, try !log.horizon().keepsAll {
      // Where items were when an event showed them may be among the versions that are gone.
      return try withPast(through: try generation.checkpoint().applied) {
        (past) throws(CairnError) in
        try past.environment.read { (txn) throws(CairnError) in
          try PurgeSelection(scope, items: items, past, self.log, in: txn)
        }
      }
    }
    return try generation.environment.read { (txn) throws(CairnError) in
      try PurgeSelection(scope, items: items, generation, self.log, in: txn)
    }
  }

  /// The items that the filter of a scope lets through now; nil without a filter.
  private func filteredItems(_ scope: PurgeScope) throws(CairnError) -> [String]? {
    guard case .matching(let criteria) = scope, let filter = criteria.filter else { return nil }
    return try at().items(filter: filter).map(\.id)
  }

  /// The events that a purge would erase now, oldest first.
  /// - Throws: As ``planPurge(_:)``.
  /// - Complexity: O(events).
  /// - Note: Blocks the calling thread.
  public func eventsToPurge(_ scope: PurgeScope) throws(CairnError) -> [RecordedEvent] {
    try scope.check()
    try requireFolded()
    let sequences = try selection(scope).sequences
    var events: [RecordedEvent] = []
    for sequence in sequences {
      guard let event = try event(at: sequence) else { continue }
      events.append(event)
    }
    return events
  }

  private enum Attempt {
    case nothing(PurgePlan)
    case stopped
    /// Events came meanwhile that change which earlier ones are concerned.
    case overtaken
    case erased(sequence: UInt64, PurgePlan)
  }

  /// Attempts while others append; after these they wait for as long as one takes.
  private static let freeAttemptCount = 3

  /// Builds projections without the events, then erases these; again when meanwhile events came
  /// that change which earlier ones are concerned, and at last while none can come.
  private func purgeAlone(
    _ order: PurgeOrder, _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> PurgeReceipt? {
    var attempt = Attempt.overtaken
    var count = 0
    while case .overtaken = attempt {
      count += 1
      if count <= Self.freeAttemptCount {
        attempt = try tryPurge(order, progress)
      } else {
        attempt = try log.withWriterLock(wait: patience) { () throws(CairnError) in
          try self.tryPurge(order, progress)
        }
      }
    }
    switch attempt {
    case .stopped, .overtaken: return nil
    case .nothing(let plan):
      try log.block(order.blocks, wait: patience)
      for (key, value) in scopeNotes(order.scope) where try log.metadata(key) != value {
        try log.setMetadata(value, for: key)
      }
      // Pages that never became events are remembered there all the same.
      try SmallFile.remove(directory + "/" + Self.pageJournalName)
      return PurgeReceipt(plan: plan, scannedFileCount: 0, residueByteCount: 0, isComplete: true)
    case .erased(let sequence, let plan):
      let outcome = try overwriteErased(by: sequence)
      return PurgeReceipt(
        id: try log.event(at: sequence)?.id, sequence: sequence, plan: plan,
        scannedFileCount: outcome?.scannedFileCount ?? 0,
        residueByteCount: outcome?.residueByteCount ?? 0,
        unknownFiles: outcome?.unknownFiles ?? [], isComplete: try pendingPurge() == nil)
    }
  }

  /// Completes what was just committed; an error says that it was.
  private func overwriteErased(by sequence: UInt64) throws(CairnError) -> PurgeOutcome? {
    do throws(CairnError) {
      return try finishPurge(patience: patience, holdsRebuildLock: true)
    } catch {
      var told = error
      told.message =
        "event \(sequence) records the purge, and nobody can read what it erased; the next process "
        + "that writes overwrites what still lies in the files: \(error.message)"
      throw told
    }
  }

  private func tryPurge(
    _ order: PurgeOrder, _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> Attempt {
    let scope = order.scope
    var chosen = try selection(scope)
    try order.check(chosen.plan)
    guard !chosen.sequences.isEmpty else {
      return try cutRuns(scope, after: chosen) ? .nothing(chosen.plan) : .overtaken
    }
    let begun = try begin(without: chosen)
    if try log.head().sequence > chosen.through {
      // What came since is left out as well, as long as what was copied is what it should be.
      let latest = try selection(scope)
      let copied = try begun.checkpoint().applied
      guard latest.isEqual(to: chosen, through: copied) else {
        begun.environment.close()
        try files.remove(begun.number)
        return .overtaken
      }
      chosen = latest
    }
    guard let replacement = try advance(begun, without: chosen, progress) else { return .stopped }
    guard let erased = try erase(order, chosen, replacement) else {
      try files.remove(replacement.number)
      return .overtaken
    }
    return .erased(sequence: erased.sequence, erased.plan)
  }

  /// Cuts runs short where no event goes.
  /// - Returns: False where one came meanwhile that does.
  private func cutRuns(_ scope: PurgeScope, after chosen: PurgeSelection) throws(CairnError) -> Bool
  {
    guard scope.spanStart != nil else { return true }
    return try withWriterLock { () throws(CairnError) -> Bool in
      let head = try self.log.head().sequence
      try self.catchUp(through: head)
      if head > chosen.through, try !self.selection(scope).sequences.isEmpty { return false }
      try self.cutRuns(scope)
      return true
    }
  }

  /// A new generation, made while the old one serves and grows: a copy of it without the chosen
  /// events where that gives what a fold would, else empty.
  func begin(without chosen: PurgeSelection) throws(CairnError) -> Generation {
    // Half a rebuild would hold what is purged.
    try removeUnfinished()
    let number = (try files.current() ?? 0) + 1
    do throws(CairnError) {
      guard let old = try generation() else { return try emptyCandidate(number) }
      do throws(CairnError) {
        let copy = try candidate(number, copying: old, without: chosen.sequences)
        if let copy { return copy }
      } catch  where error.code == .corrupt {
        // The log knows what the damaged generation does not.
      }
      return try emptyCandidate(number)
    } catch {
      try files.remove(number)
      throw error
    }
  }

  /// A generation that nobody asks yet, and that no rebuild goes on with.
  func emptyCandidate(_ number: UInt64) throws(CairnError) -> Generation {
    try files.markCandidate(number)
    try files.markDirty(number)
    return try Generation(
      number, files: files, writer: WriterThread(name: "cairn-copy"), create: true)
  }

  /// A copy of the old generation without some events; nil when only a fold will do.
  func candidate(
    _ number: UInt64, copying old: Generation, without sequences: [UInt64] = []
  ) throws(CairnError) -> Generation? {
    let copy = try emptyCandidate(number)
    do throws(CairnError) {
      let isFilled = try withBoundedMemory { () throws(CairnError) in
        try copy.fill(from: old, without: sequences, log)
      }
      if isFilled { return copy }
    } catch {
      copy.environment.close()
      try files.remove(number)
      throw error
    }
    copy.environment.close()
    try files.remove(number)
    return nil
  }

  /// Bytes of a fold of a purge, which has gathered what goes by then.
  private static let purgeMemory = 256 << 20

  /// Folds what the log has beyond a generation, as far as events were chosen; nil when it was
  /// stopped, and then nothing is left of it.
  func advance(
    _ replacement: Generation, without chosen: PurgeSelection, _ progress: (RebuildProgress) -> Bool
  ) throws(CairnError) -> Generation? {
    let head = chosen.through
    var isWanted = false
    do throws(CairnError) {
      isWanted = try replacement.build(
        log, through: head, excluding: Set(chosen.sequences), files: files,
        memory: Generation.BuildMemory(Self.purgeMemory)
      ) { sequence in progress(RebuildProgress(sequence: sequence, head: head)) }
    } catch {
      replacement.environment.close()
      try files.remove(replacement.number)
      throw error
    }
    if isWanted { return replacement }
    replacement.environment.close()
    try files.remove(replacement.number)
    return nil
  }

  /// Erases, in one commit that also makes the new generation the serving one.
  ///
  /// Nil when the new generation was built without the right events.
  func erase(
    _ order: PurgeOrder, _ chosen: PurgeSelection, _ replacement: Generation
  ) throws(CairnError) -> (sequence: UInt64, plan: PurgePlan)? {
    defer { replacement.environment.close() }
    return try log.withWriterLock(wait: patience) { () throws(CairnError) in
      try self.eraseAlone(order, chosen, replacement)
    }
  }

  private func eraseAlone(
    _ order: PurgeOrder, _ chosen: PurgeSelection, _ replacement: Generation
  ) throws(CairnError) -> (sequence: UInt64, plan: PurgePlan)? {
    let head = try log.head().sequence
    try catchUp(through: head)
    // What was chosen in the whole log stands while nothing came after it.
    let final = chosen.through == head ? chosen : try selection(order.scope)
    let folded = try replacement.checkpoint().applied
    guard final.isEqual(to: chosen, through: folded) else { return nil }
    do throws(CairnError) { try order.check(final.plan) } catch {
      try files.remove(replacement.number)
      throw error
    }
    try replacement.advance(log, through: head, excluding: Set(final.sequences))
    try replacement.noteErasure(head + 1)
    try replacement.environment.sync()
    // What was changed here stays in memory until the file is closed, and erasing changes a page of
    // the log for nearly every event, in one transaction.
    try replacement.environment.reopen()
    Environment.releaseFreedMemory()
    try files.markClean(replacement.number)
    try files.prepare(replacement.number, after: try files.current() ?? 0)
    var blocks = order.blocks
    if let conditions = order.conditions {
      var ids: [EventID] = []
      for sequence in final.sequences {
        if let event = try log.event(at: sequence) { ids.append(event.id) }
      }
      blocks += try log.blockedEvents(ids, of: conditions)
    }
    try cutRuns(order.scope)
    let pending = PendingPurge(generation: replacement.number, sequence: head + 1)
    var notes = scopeNotes(order.scope)
    notes[PendingPurge.metadataKey] = pending.encoded
    let sequence = try log.erase(
      final.sequences, recording: try PurgeRecord.event(final.plan, final.sequences),
      restating: try leftBefore(order.scope, final.sequences), noting: notes, blocking: blocks,
      wait: patience)
    return (sequence, try addingCopies(to: final.plan, from: final.sequences.first))
  }
}
