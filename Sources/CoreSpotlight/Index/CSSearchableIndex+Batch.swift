import Cairn

extension CSSearchableIndex {
  /// Begins a batch: nothing asked for from now on happens until it ends.
  ///
  /// The default index has no batches, and a batch has no batch inside: there the end fails.
  public func beginBatch() {
    withBatch { batch in
      let isMisused = batch != nil || name == nil
      batch = IndexBatch(isMisused: isMisused)
    }
  }

  /// The same as `beginBatch()`.
  @available(*, deprecated, renamed: "beginBatch()") public func beginIndexBatch() { beginBatch() }

  /// Ends the batch: all of its changes and the state are on disk together, or nothing is.
  /// - Parameters:
  ///   - clientState: Up to 250 bytes, which say how far the application is.
  ///   - completionHandler: Gets nil once everything is on disk, or why nothing is:
  ///     `invalidClientStateError` for a longer state, `quotaExceeded` for more than 65,535
  ///     changes, `indexingUnsupported` where there can be no batch.
  @preconcurrency public func endBatch(
    withClientState clientState: Data, completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) { end(clientState, expecting: nil, completionHandler) }

  /// Ends the batch if the stored state is the expected one.
  /// - Parameters:
  ///   - expectedClientState: What `fetchLastClientState` gave; nil for nothing yet, and so is an
  ///     empty one, which the form of that call gives that a task waits for.
  ///   - newClientState: The state to store.
  ///   - completionHandler: As for the form without expectation; `mismatchedClientState` when the
  ///     stored state is another, and then nothing was changed.
  @preconcurrency public func endIndexBatch(
    expectedClientState: Data?, newClientState: Data,
    completionHandler: (@Sendable ((any Error)?) -> Void)?
  ) { end(newClientState, expecting: .some(expectedClientState), completionHandler) }

  /// Gives the state of the last batch that ended under this index's name, nil when none did, as
  /// always for the default index.
  @preconcurrency public func fetchLastClientState(
    completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    store.read { [store, name] result in
      let answer = Result { () throws -> Data? in
        let moment = try result.get()
        return try name.flatMap { try Self.state(of: $0, moment) }
      }
      store.call {
        switch answer {
        case .success(let state): completionHandler(state, nil)
        case .failure(let error): completionHandler(nil, CSIndexError.of(error))
        }
      }
    }
  }

  private static func state(of name: String, _ moment: Moment) throws -> Data? {
    try moment.item(Reserved.stateItem(name))?.attributes[Reserved.value]?.bytes
  }

  private func end(
    _ state: Data, expecting expected: Data??, _ completion: (@Sendable ((any Error)?) -> Void)?
  ) {
    let ended = withBatch { batch in
      let ended = batch
      batch = nil
      return ended
    }
    let finish = store.answering(completion)
    guard let ended, !ended.isMisused, let name else {
      return finish(
        CSIndexError(
          name == nil ? .indexingUnsupported : .unknownError,
          reason: "batches are begun once before they end, and on named indexes only"))
    }
    guard state.count <= IndexBatch.stateByteCountMax else {
      return finish(
        CSIndexError(.invalidClientStateError, reason: "a client state has at most 250 bytes"))
    }
    var write = Self.write(of: ended, state, name, expected)
    write.completion = finish
    store.enqueue(write)
  }

  private static func write(of batch: IndexBatch, _ state: Data, _ name: String, _ expected: Data??)
    -> PendingWrite
  {
    PendingWrite(
      itemCount: batch.writes.reduce(1) { $0 + $1.itemCount }, isConditional: expected != nil
    ) { writer in
      if let expected {
        let stored = try Self.state(of: name, try writer.settled())
        guard stored == expected || (stored == nil && expected == Data()) else {
          throw CSIndexError(
            .mismatchedClientState, reason: "the stored client state is not the expected one")
        }
      }
      var events: [Event] = []
      defer { writer.forgetUnseen() }
      for write in batch.writes {
        let made = try write.events(&writer)
        writer.noteUnseen(made)
        events += made
      }
      events.append(
        Event(
          kind: .index, item: Reserved.stateItem(name), source: name,
          attributes: [Reserved.value: .data(Array(state))]))
      guard events.count <= IndexWriter.eventCountMax else {
        throw CSIndexError(.quotaExceeded, reason: "a batch holds at most 65,535 changes")
      }
      return events
    }
  }
}
