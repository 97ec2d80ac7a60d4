/// What a query gives to a sequence.
enum QueryOutput: Sendable {
  case item(CSSearchableItem)
  case suggestions([CSSuggestion])
  case end(CSSearchQueryError?)
}

/// What a query gives, one after the other; the first step starts it.
///
/// A search in the index runs in the task that goes through its results, if that is on no actor: to
/// hand it to another thread and back takes longer than the search. One that would keep an actor
/// from other work, that looks at every item, or has to wait for changes asked for before it, runs
/// beside the task and gives what it finds as it comes.
struct QueryOutputs {
  private enum Phase {
    case waiting
    case found([QueryOutput].Iterator)
    case coming(AsyncThrowingStream<QueryOutput, any Error>.AsyncIterator)
  }

  private let query: CSSearchQuery
  private var phase = Phase.waiting

  init(_ query: CSSearchQuery) { self.query = query }

  /// The next output, nil after the last and when the task is cancelled, which cancels the query.
  /// - Throws: `CSSearchQueryError`.
  mutating func next(isolation actor: isolated (any Actor)?) async throws -> QueryOutput? {
    let given: QueryOutput?
    switch phase {
    case .waiting:
      phase = begin(mayWait: actor == nil)
      return try await next(isolation: actor)
    case .found(var outputs):
      given = outputs.next()
      phase = .found(outputs)
    case .coming(var outputs):
      given = try await outputs.next(isolation: actor)
      phase = .coming(outputs)
    }
    guard let given else { return nil }
    if Task.isCancelled { query.cancel() }
    // What was found before the query was cancelled does not come after it.
    if query.isCancelled { phase = .found([].makeIterator()) }
    if Task.isCancelled { return nil }
    try query.checkCancelled()
    guard case .end(let error) = given else { return given }
    if let error { throw error }
    return nil
  }

  private func begin(mayWait: Bool) -> Phase {
    if Task.isCancelled {
      query.cancel()
      return .found([].makeIterator())
    }
    if mayWait, query.isIndexed, let found = query.found() { return .found(found.makeIterator()) }
    return .coming(query.outputs().makeAsyncIterator())
  }
}

extension CSSearchQuery {
  /// Everything the query gives, found on this thread.
  /// - Returns: nil when it was started before, or has to wait for changes.
  fileprivate func found() -> [QueryOutput]? {
    guard let moment = store.settledMoment(), begin() else { return nil }
    let outputs = Guarded<[QueryOutput]>([])
    queryState { state in
      state.hasSequence = true
      state.sink = { output in outputs { $0.append(output) } }
    }
    complete(moment)
    return outputs { $0 }
  }

  /// Everything the query gives from its start on, also where it was started before.
  ///
  /// A query runs once: a second sequence fails.
  fileprivate func outputs() -> AsyncThrowingStream<QueryOutput, any Error> {
    AsyncThrowingStream { continuation in
      let end = queryState { state -> Result<Void, CSSearchQueryError>? in
        guard !state.hasSequence else {
          let reason = "a query is gone through once; make another one"
          return .failure(CSSearchQueryError(.unknown, reason: reason))
        }
        state.hasSequence = true
        for item in state.early { continuation.yield(.item(item)) }
        state.early = []
        if state.end == nil {
          state.sink = { output in
            if case .end(let error) = output {
              continuation.finish(throwing: error)
            } else {
              continuation.yield(output)
            }
          }
        }
        return state.end
      }
      switch end {
      case .success?: return continuation.finish()
      case .failure(let error)?: return continuation.finish(throwing: error)
      case nil: break
      }
      continuation.onTermination = { reason in if case .cancelled = reason { self.cancel() } }
      start()
    }
  }
}
