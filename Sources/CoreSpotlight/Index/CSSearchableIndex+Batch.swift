import Cairn

// What the calls of a batch do. The calls themselves stand in the class, where subclasses can
// override them.

extension CSSearchableIndex {
  /// The same as `beginBatch()`.
  @available(*, deprecated, renamed: "beginBatch()") public func beginIndexBatch() { beginBatch() }

  static func state(of name: String, _ moment: Moment) throws -> Data? {
    try moment.item(Reserved.stateItem(name))?.attributes[Reserved.value]?.bytes
  }

  func end(
    _ state: Data, expecting expected: Data??, _ completion: (@Sendable ((any Error)?) -> Void)?
  ) {
    let ended = withBatch { batch in
      let ended = batch
      batch = nil
      return ended
    }
    let finish = store.answering(completion)
    guard let ended, !ended.isMisused, let name else {
      return store.refuse(
        CSIndexError(
          name == nil ? .indexingUnsupported : .unknownError,
          reason: "batches are begun once before they end, and on named indexes only"), finish)
    }
    guard state.count <= IndexBatch.stateByteCountMax else {
      return store.refuse(
        CSIndexError(.invalidClientStateError, reason: "a client state has at most 250 bytes"),
        finish)
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
