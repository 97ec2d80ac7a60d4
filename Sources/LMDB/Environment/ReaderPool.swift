import CLMDB
import Glibc

/// A read transaction at rest or in use by one thread.
@safe struct ReaderHandle: @unchecked Sendable {
  // Sendable by hand: opened without thread-local slots, so it may change threads between uses.
  let raw: OpaquePointer
}

/// Idle read transactions of one environment, and the gate that keeps all out while the map moves.
///
/// A reset reader keeps its slot in the lock file, and to renew it costs a few nanoseconds.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [ReaderHandle] = []
    var liveCount = 0
    var isGated = false
    var isClosed = false
  }

  private let state = Monitor(State())

  /// Counts the caller in, and hands it an idle reader when it wants one and there is one.
  func enter(takingReader: Bool) throws(CairnError) -> ReaderHandle? {
    // A thread inside a transaction must get through, or the gate would wait for it for ever.
    let isNested = ThreadDepth.current > 0
    let (isClosed, handle) =
      state.wait { state -> (Bool, ReaderHandle?)? in
        if state.isClosed { return (true, nil) }
        if state.isGated && !(isNested && state.liveCount > 0) { return nil }
        state.liveCount += 1
        return (false, takingReader ? state.idle.popLast() : nil)
      } ?? (true, nil)
    if isClosed { throw Self.closed }
    ThreadDepth.current += 1
    return handle
  }

  /// Counts the caller out and keeps its reset reader; returns it when there are enough.
  func leave(_ handle: ReaderHandle?) -> ReaderHandle? {
    ThreadDepth.current -= 1
    return state.withLock { state in
      state.liveCount -= 1
      guard let handle else { return nil }
      if state.idle.count >= Limits.idleReaderCountMax { return handle }
      state.idle.append(handle)
      return nil
    }
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

  /// Hands out the idle readers, whose handle is about to be closed.
  func takeIdle() -> [ReaderHandle] {
    state.withLock { state in
      defer { state.idle.removeAll() }
      return state.idle
    }
  }

  /// Closes the gate for good.
  func retire() { state.withLock { $0.isClosed = true } }

  /// Waits until no transaction of this process is live, and nobody is alone.
  func waitUntilUnused() { _ = state.wait { $0.liveCount == 0 && !$0.isGated ? () : nil } }
}

/// How many transactions the current thread is inside of, over all environments.
enum ThreadDepth {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    unsafe pthread_key_create(&key, nil)
    return key
  }()

  static var current: Int {
    get { unsafe Int(bitPattern: pthread_getspecific(key)) }
    set { unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
  }
}
