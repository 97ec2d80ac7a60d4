import EventLog

/// Schemas that come in a stream of events: a set, or an undo, at that place of it.
extension Store {
  /// The schema that a part of a stream is.
  static func schema(in part: [EncodedEvent]) -> EncodedEvent? {
    part.count == 1 && part[0].kind == .schema ? part[0] : nil
  }

  /// Puts a schema of a stream into force.
  /// - Throws: As ``setSchema(_:keeping:progress:)``; `.conflict` when the log is elsewhere.
  func recordSchema(_ event: EncodedEvent, _ expected: ExpectedSequence) throws(CairnError)
    -> AppendReceipt
  {
    // A known id is a repetition, or a clash: nothing is recorded either way.
    if let id = event.id, let sequence = try log.sequence(of: id) {
      let whole = try Self.completed(event, like: try self.event(at: sequence)?.event)
      return Self.receipt(try log.recordSchema(whole, wait: patience))
    }
    if case .exactly(let sequence) = expected, try log.head().sequence != sequence {
      throw CairnError(
        .conflict, "the log is not at sequence \(sequence); read the events since and try again")
    }
    let history = try schemas.history(of: log)
    let proposal: SchemaProposal
    switch try Self.proposal(event, history) {
    case .success(let found): proposal = found
    case .failure(let refusal): return Self.receipt(.rejected(.invalid(refusal.reason)))
    }
    let done = try recorded(proposal, false) { _ in true }
    if let sequence = done?.change.sequence { return Self.receipt(.appended(sequence)) }
    return Self.receipt(.duplicate(history.versions.last?.sequence ?? 0))
  }

  /// The form for tasks.
  func recordingSchema(_ event: EncodedEvent, _ expected: ExpectedSequence)
    async throws(CairnError) -> AppendReceipt
  {
    do {
      return try await BlockingThreads.shared.run { [self] in try recordSchema(event, expected) }
    } catch let error as CairnError { throw error } catch {
      throw CairnError(.internal, "a schema could not be recorded")
    }
  }

  private static func receipt(_ outcome: AppendReceipt.Outcome) -> AppendReceipt {
    guard case .appended(let sequence) = outcome else { return AppendReceipt(outcomes: [outcome]) }
    return AppendReceipt(outcomes: [outcome], first: sequence, last: sequence)
  }

  /// A schema of a stream with what it leaves to the store as one that is recorded has it, to
  /// compare the two.
  private static func completed(_ encoded: EncodedEvent, like known: Event?) throws(CairnError)
    -> EncodedEvent
  {
    guard let known, known.kind == .schema else { return encoded }
    var event = try decoded(encoded)
    for key in ["version", "parent"] where event.extras[key] == nil {
      event.extras[key] = known.extras[key]
    }
    if !isUndo(event) { event.extras["reverts"] = nil }
    // An undo has no definition of its own.
    if isUndo(event) || definition(of: event) == definition(of: known) {
      event.extras["definition"] = known.extras["definition"]
    }
    return try event.encoded(byEngine: true)
  }

  private static func decoded(_ encoded: EncodedEvent) throws(CairnError) -> Event {
    try Event.decoded(
      encoded.payload, try EventLayout(encoded.payload), kind: .schema, id: encoded.id,
      recorded: encoded.recorded)
  }

  private static func isUndo(_ event: Event) -> Bool {
    event.extras["reverts"].map { $0 != .null } ?? false
  }

  /// What an event defines; nil for what is no schema.
  private static func definition(of event: Event) -> SchemaDefinition? {
    event.extras["definition"].flatMap { try? SchemaDefinition(recorded: $0) }
  }

  private struct Refusal: Error { var reason: String }

  private static func proposal(_ encoded: EncodedEvent, _ history: SchemaHistory)
    throws(CairnError) -> Result<SchemaProposal, Refusal>
  {
    func refuse(_ reason: String) -> Result<SchemaProposal, Refusal> {
      .failure(Refusal(reason: reason))
    }
    let event = try decoded(encoded)
    let isUndo = Self.isUndo(event)
    let parent = isUndo ? history.undone.map { history.parent(ofNode: $0) } : history.inForce
    for (key, expected) in [("version", history.current + 1), ("parent", parent ?? 0)]
    where event.extras[key] != nil && event.schemaNumber(key) != expected {
      return refuse("/\(key): conflict: the store is at version \(history.current)")
    }
    if isUndo {
      guard history.undone != nil, event.schemaNumber("reverts") == history.current else {
        return refuse("/reverts: conflict: the store is at version \(history.current)")
      }
      return .success(SchemaProposal(.undo, asked: event))
    }
    do throws(SchemaFault) {
      let definition = try SchemaDefinition(
        event.extras["definition"] ?? .null, after: history.definition)
      return .success(SchemaProposal(.set(definition), asked: event))
    } catch { return refuse(error.line) }
  }
}
