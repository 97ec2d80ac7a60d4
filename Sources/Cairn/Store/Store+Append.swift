import EventLog

/// What became of appended events.
public struct AppendResult: Sendable, Equatable {
  /// What became of one event.
  public enum Outcome: Sendable, Equatable {
    /// It is in the log, on disk, under this sequence.
    case appended(UInt64)
    /// The same event, by id and content, was there already, under this sequence.
    case duplicate(UInt64)
    /// It was not taken; the text says why.
    case rejected(String)
  }

  /// One outcome for each event, in order.
  public var outcomes: [Outcome] = []
  /// Sequence of the first event that was appended.
  public var firstSequence: UInt64?
  /// Sequence of the last event that was appended.
  public var lastSequence: UInt64?
  /// Why queries do not see the appended events yet, or nil when they do.
  ///
  /// The events are in the log, on disk: they must not be appended again. The projections take them
  /// in with the next append, or when the store is next opened for writing.
  public var projectionFailure: CairnError?
  /// What was appended, where it is one event.
  var stored: StoredEvent?

  /// How many events were appended.
  public var acceptedCount: Int {
    outcomes.count { if case .appended = $0 { true } else { false } }
  }
  /// How many events were there already.
  public var duplicateCount: Int {
    outcomes.count { if case .duplicate = $0 { true } else { false } }
  }
  /// How many events were not taken.
  public var rejectedCount: Int {
    outcomes.count { if case .rejected = $0 { true } else { false } }
  }

  /// Why an event that a purge refuses was not taken.
  package static let blockedReason = AppendReceipt.Rejection.blocked.reason

  /// The result of appending nothing.
  public init() {}

  mutating func add(_ receipt: AppendReceipt) {
    firstSequence = firstSequence ?? receipt.first
    lastSequence = receipt.last ?? lastSequence
    projectionFailure = receipt.projectionFailure ?? projectionFailure
    stored = receipt.stored
    outcomes += receipt.outcomes.map { outcome in
      switch outcome {
      case .appended(let sequence): .appended(sequence)
      case .duplicate(let sequence): .duplicate(sequence)
      case .rejected(let rejection): .rejected(rejection.reason)
      }
    }
  }
}

/// Events on their way to the disk.
package struct SubmittedAppend: Sendable {
  /// Events on their way, or a schema, which took its place before what comes after it.
  enum Part: Sendable {
    case pending(PendingAppend)
    case schema(AppendReceipt)

    func wait() throws(CairnError) -> AppendReceipt {
      switch self {
      case .pending(let append): try append.wait()
      case .schema(let receipt): receipt
      }
    }
  }

  let parts: [Part]

  /// What may still be on its way.
  var last: PendingAppend? { if case .pending(let append)? = parts.last { append } else { nil } }

  /// Waits until the events are on disk and visible, or refused; see ``AppendResult``.
  package func wait() throws(CairnError) -> AppendResult {
    var result = AppendResult()
    for part in parts { result.add(try part.wait()) }
    return result
  }
}

extension Store {
  /// Appends events; on disk and visible to every query, in every process, when it returns.
  ///
  /// Where the disk has room for the events but not for the projections, the result says so.
  /// Events get consecutive sequences in their order. An event whose id is in the log already is
  /// a duplicate when its content is the same, and is rejected otherwise; neither takes a
  /// neighbour along. Appends that wait at the same time share one flush of the disk.
  /// - Parameters:
  ///   - events: Up to 100,000 are committed together or not at all; more are committed in parts,
  ///     and so is what stands before and behind a schema, and before what
  ///     ``planRevert(to:domain:item:)`` gave.
  ///   - expecting: When given, the log must end at this sequence, else nothing is appended; events
  ///     that are all there already are told as duplicates wherever it ends.
  /// - Returns: What became of each event.
  /// - Throws: `badEvent` before anything is appended; `badArgument` for a part of more than
  ///   256 MiB; `conflict`, `busy`, `diskFull`, `readOnly`.
  @discardableResult public func append(_ events: [Event], expecting: UInt64? = nil)
    async throws(CairnError) -> AppendResult
  {
    let encoded = try Self.encode(events)
    var result = AppendResult()
    var expected = expecting.map { ExpectedSequence.exactly($0) } ?? .any
    for (part, _) in try parts(encoded) {
      if let schema = Self.schema(in: part) {
        result.add(try await recordingSchema(schema, expected))
      } else {
        result.add(try await log.append(part, expected: expected, wait: patience))
      }
      if result.firstSequence != nil { expected = .any }
    }
    return result
  }

  /// Appends one event; see the form for several.
  ///
  /// Whether queries see it tells ``projectionFailure``.
  /// - Returns: The event as stored, with its sequence, time and id.
  /// - Throws: as the form for several.
  @discardableResult public func append(_ event: Event) async throws(CairnError) -> RecordedEvent {
    if let recorded = try recorded(try await append([event])) { return recorded }
    return try await append(event)
  }

  /// Appends events and blocks the calling thread until they are on disk; not for tasks.
  /// - Throws: as ``append(_:expecting:)``.
  @discardableResult public func appendBlocking(_ events: [Event], expecting: UInt64? = nil)
    throws(CairnError) -> AppendResult
  { try appendBlocking(encoded: try Self.encode(events), expecting: expecting) }

  /// Appends events of which none is left out but what a purge refuses, and blocks until they are
  /// on disk.
  /// - Throws: as ``append(_:expecting:)``; `badEvent` also for what is refused otherwise. Nothing
  ///   of a part that is committed together is appended then.
  package func appendBlocking(whole events: [Event], expecting: UInt64?) throws(CairnError)
    -> AppendResult
  { try appendBlocking(encoded: try Self.encode(events), expecting: expecting, isWhole: true) }

  /// Appends events in the log's own form and blocks until they are on disk.
  @discardableResult package func appendBlocking(
    encoded: [EncodedEvent], expecting: UInt64? = nil, isWhole: Bool = false
  ) throws(CairnError) -> AppendResult {
    var result = AppendResult()
    var expected = expecting.map { ExpectedSequence.exactly($0) } ?? .any
    for (part, _) in try parts(encoded) {
      if let schema = Self.schema(in: part) {
        result.add(try recordSchema(schema, expected))
      } else {
        result.add(try log.append(part, expected: expected, wait: patience, isWhole: isWhole))
      }
      if result.firstSequence != nil { expected = .any }
    }
    return result
  }

  /// Hands events in the log's own form to the writer and returns at once.
  ///
  /// Where the first wins, an event whose id is in the log already is a duplicate, whatever else
  /// it says. When the predecessor fails, which was handed over before, this does too.
  /// - Throws: `.badArgument` for too many bytes, `.busy` when too many wait, `.readOnly`.
  package func submit(
    encoded: [EncodedEvent], firstWins: Bool = false, after predecessor: SubmittedAppend? = nil
  ) throws(CairnError) -> SubmittedAppend {
    var parts: [SubmittedAppend.Part] = []
    var last = predecessor?.last
    for (part, bringsBack) in try self.parts(encoded) {
      if bringsBack { _ = try last?.wait() }
      if let schema = Self.schema(in: part) {
        _ = try last?.wait()
        parts.append(.schema(try recordSchema(schema, .any)))
        last = nil
        continue
      }
      let append = try log.submit(
        part, wait: patience, knownIDs: firstWins ? .firstWins : .compared, after: last)
      parts.append(.pending(append))
      last = append
    }
    return SubmittedAppend(parts: parts)
  }

  /// Appends one event, blocking; gives it back as stored.
  /// - Throws: as ``append(_:expecting:)``.
  @discardableResult public func appendBlocking(_ event: Event) throws(CairnError) -> RecordedEvent
  {
    if let recorded = try recorded(try appendBlocking([event])) { return recorded }
    return try appendBlocking(event)
  }

  /// The event as stored; nil where the same one was there already, and was purged since: its id is
  /// free then, so that it can be appended.
  ///
  /// What was just appended is not read back: by now it may be purged, or the store closed, and
  /// an error would say that it is not in the log.
  func recorded(_ result: AppendResult) throws(CairnError) -> RecordedEvent? {
    if let stored = result.stored { return try LogRecord(log.current(stored)).recorded }
    switch result.outcomes.first {
    // Nothing is recorded of it.
    case .duplicate(0)?:
      throw CairnError(.badEvent, "the schema declares nothing, and there is none before it")
    case .appended(let sequence)?, .duplicate(let sequence)?: return try event(at: sequence)
    case .rejected(let reason)?:
      let isBlocked = reason == AppendResult.blockedReason
      throw CairnError(.badEvent, reason, remedy: isBlocked ? .unblock : nil)
    case nil: throw CairnError(.badArgument, "no event was given")
    }
  }

  static func encode(_ events: [Event]) throws(CairnError) -> [EncodedEvent] {
    var encoded: [EncodedEvent] = []
    encoded.reserveCapacity(events.count)
    for (index, event) in events.enumerated() {
      do { encoded.append(try event.encoded()) } catch {
        // Of one alone there is nothing to tell apart.
        let place = events.count > 1 ? "event \(index + 1)" : nil
        throw CairnError(.badEvent, error.message, place: place)
      }
    }
    return encoded
  }

  /// The events in parts that are committed together; a schema stands alone.
  ///
  /// What brings items back under a schema stands apart from what gave them before, which is to be
  /// found by then.
  private func parts(_ events: [EncodedEvent]) throws(CairnError)
    -> [(events: [EncodedEvent], bringsBack: Bool)]
  {
    let history = try schemas.history(of: log)
    let hasRules = !history.isEmpty || events.contains { $0.kind == .schema }
    var parts: [(events: [EncodedEvent], bringsBack: Bool)] = []
    var start = 0
    while start < events.count {
      var end = start
      var (gives, bringsBack) = (false, false)
      while end < events.count, end - start < LogLimits.requestEventCount,
        events[end].kind != .schema
      {
        if hasRules, events[end].kind != .delete {
          let isRestored = try events[end].isRestored()
          if isRestored, gives { break }
          gives = gives || !isRestored
          bringsBack = bringsBack || isRestored
        }
        end += 1
      }
      if end == start { end += 1 }
      let part = start == 0 && end == events.count ? events : Array(events[start..<end])
      parts.append((part, bringsBack))
      start = end
    }
    return parts
  }
}
