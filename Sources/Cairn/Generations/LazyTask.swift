import LMDB

/// Work that is done once, by whichever thread comes first; the others wait for what came of it.
final class LazyTask<Found: Sendable>: Sendable {
  private let work: @Sendable () throws(CairnError) -> Found
  private let state = Monitor(State.waiting)

  private enum State: Sendable {
    case waiting
    case taken
    case done(Result<Found, CairnError>)
  }

  /// Nothing begins before somebody asks.
  init(_ work: @escaping @Sendable () throws(CairnError) -> Found) { self.work = work }

  var isDone: Bool { state.withLock { if case .done = $0 { true } else { false } } }

  /// Does it, unless somebody else does or did.
  func runIfFirst() {
    let isFirst = state.withLock { state in
      guard case .waiting = state else { return false }
      state = .taken
      return true
    }
    guard isFirst else { return }
    let found = Result { () throws(CairnError) in try work() }
    state.withLock { $0 = .done(found) }
  }

  /// What came of it: does it, or waits for whoever does.
  func value() throws(CairnError) -> Found {
    runIfFirst()
    let result = state.wait { state -> Result<Found, CairnError>? in
      if case .done(let result) = state { result } else { nil }
    }
    guard let result else { throw CairnError(.internal, "a task was waited for and did not end") }
    return try result.get()
  }
}
