package import Events
import LMDB
import Synchronization

extension EventLog {
  /// Appends events; durable when it returns.
  ///
  /// Appends that wait at the same time share one transaction and one fsync. The events of one
  /// append get consecutive sequences, except that duplicates and rejected ones get none, and are
  /// committed together or not at all. Within ``afterCommit`` and ``withWriterLock(wait:_:)`` the
  /// append runs at once, in a transaction of its own. A whole one appends nothing where an event
  /// is refused other than by a purge.
  /// - Throws: `.conflict` when `expected` differs, `.busy`, `.badArgument` for too many events,
  ///   `.badEvent` where it is to be whole and is not, `.diskFull`, `.readOnly`. Nothing of this
  ///   append is in the log then.
  /// - Complexity: O(n log n) in the given ids, O(bytes) else.
  package func append(
    _ events: [EncodedEvent], expected: ExpectedSequence = .any, wait: Duration = .seconds(10),
    isWhole: Bool = false
  ) throws(CairnError) -> AppendReceipt {
    let request = AppendRequest(events: events, expected: expected, wait: wait, isWhole: isWhole)
    try checkAppend(request)
    try hand(request)
    return try request.waitForAnswer()
  }

  /// Hands events to the writer and returns at once, so that the caller can prepare the next ones
  /// meanwhile; see ``append(_:expected:wait:isWhole:)``.
  ///
  /// When its predecessor fails, this one does, so that what is appended is a beginning of what was
  /// given.
  /// - Throws: `.badArgument` for too many events, `.busy` when the queue is full, `.readOnly`.
  package func submit(
    _ events: [EncodedEvent], expected: ExpectedSequence = .any, wait: Duration = .seconds(10),
    knownIDs: KnownIDs = .compared, after predecessor: PendingAppend? = nil
  ) throws(CairnError) -> PendingAppend {
    let request = AppendRequest(
      events: events, expected: expected, wait: wait, knownIDs: knownIDs,
      predecessor: predecessor?.request)
    try checkAppend(request)
    try hand(request)
    return PendingAppend(request: request)
  }

  private func hand(_ request: AppendRequest) throws(CairnError) {
    if holdsWriterLock {
      for answer in write([request]) { request.complete(answer) }
    } else if try queue.enqueueForDrain(request) {
      writer.submit { self.drain() }
    }
  }

  /// Appends events; durable when it returns.
  ///
  /// See the synchronous form.
  package func append(
    _ events: [EncodedEvent], expected: ExpectedSequence = .any, wait: Duration = .seconds(10)
  ) async throws(CairnError) -> AppendReceipt {
    let answer = await withCheckedContinuation { continuation in
      let request = AppendRequest(
        events: events, expected: expected, wait: wait, continuation: continuation)
      do throws(CairnError) {
        try checkAppend(request)
        if try queue.enqueueForDrain(request) { writer.submit { self.drain() } }
      } catch { request.complete(.failure(error)) }
    }
    return try answer.get()
  }

  /// Runs on the writer thread after each commit that appended, under the writer lock, before the
  /// appends are answered.
  ///
  /// Gets the sequences it appended and the events as ``read(from:through:_:)`` gives
  /// them, or none where they have to be read. The events are durable: what it returns becomes part
  /// of the answers, as ``AppendReceipt/projectionFailure``.
  ///
  /// Set once, by the engine, before the first append.
  package var afterCommit: CommitHook? {
    get { commitHook.withLock { $0.call } }
    set { commitHook.withLock { $0.call = newValue } }
  }

  /// Runs on the writer thread before each transaction that appends, under the writer lock.
  ///
  /// Set once, by the engine, before the first append.
  package var beforeCommit: AdmissionHook? {
    get { commitHook.withLock { $0.admission } }
    set { commitHook.withLock { $0.admission = newValue } }
  }

  /// Tells where blocked domains are whether the item of an event without a domain is there.
  ///
  /// Set once, by the engine, before the first append.
  package var presence: PresenceHook? {
    get { commitHook.withLock { $0.presence } }
    set { commitHook.withLock { $0.presence = newValue } }
  }

  private func checkAppend(_ request: AppendRequest) throws(CairnError) {
    guard access == .readWrite else {
      throw CairnError(.readOnly, "the store is open for reading only", place: "log.mdb")
    }
    guard request.events.count <= LogLimits.requestEventCount,
      request.byteCount <= LogLimits.requestByteCount
    else {
      throw CairnError(
        .badArgument,
        "an append takes at most \(LogLimits.requestEventCount) events of "
          + "\(LogLimits.requestByteCount) bytes together; split it")
    }
  }
}
