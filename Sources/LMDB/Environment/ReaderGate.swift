/// Counts the transactions of one environment, and keeps all out while the map moves.
final class ReaderGate: Sendable {
  private struct State {
    var liveCount = 0
    var isGated = false
    var isClosed = false
  }

  private let state = Monitor(State())
  /// How many transactions the current thread is inside of, over all environments.
  private static let depth = ThreadNumber()

  /// Counts the caller in.
  func enter() throws(CairnError) {
    // A thread inside a transaction must get through, or the gate would wait for it for ever.
    let isNested = Self.depth.current > 0
    let isClosed =
      state.wait { state -> Bool? in
        if state.isClosed { return true }
        if state.isGated && !(isNested && state.liveCount > 0) { return nil }
        state.liveCount += 1
        return false
      } ?? true
    if isClosed { throw Self.closed }
    Self.depth.current += 1
  }

  /// Counts the caller out.
  func leave() {
    Self.depth.current -= 1
    state.withLock { $0.liveCount -= 1 }
  }

  private static var closed: CairnError {
    CairnError(.badArgument, "the store has been closed; open it again")
  }

  /// Runs `body` while no transaction of this process is live.
  /// - Throws: `.busy` when readers do not finish in time; `.badArgument` once it is closed.
  func alone(place: String, _ body: () throws(CairnError) -> Void) throws(CairnError) {
    let deadline = ContinuousClock.now + Limits.gateWait
    let isClosed =
      state.wait { state -> Bool? in
        if state.isClosed { return true }
        guard !state.isGated else { return nil }
        state.isGated = true
        return false
      } ?? true
    if isClosed { throw Self.closed }
    defer { state.withLock { $0.isGated = false } }
    let isAlone: Void? = state.wait(until: deadline) { $0.liveCount == 0 ? () : nil }
    guard isAlone != nil else {
      throw CairnError(
        .busy, "a read has been held open for too long; end it and try again", place: place)
    }
    try body()
  }

  /// Closes the gate for good.
  func retire() { state.withLock { $0.isClosed = true } }

  /// Waits until no transaction of this process is live, and nobody is alone.
  func waitUntilUnused() { _ = state.wait { $0.liveCount == 0 && !$0.isGated ? () : nil } }
}
