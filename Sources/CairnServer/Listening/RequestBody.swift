import Cairn
import LMDB

/// The body of a request, read by a thread that may wait while a connection fills it.
package final class RequestBody: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var bufferedCount = 0
    var receivedCount = 0
    var hasEnded = false
    var isGone = false
    /// On whose thread the reader runs.
    var pool: BlockingThreads?
  }

  private let monitor = Monitor(State())
  /// Tells the connection that there is room again, and that the body is wanted.
  private let wanted: @Sendable () -> Void

  /// What is buffered at most, beside what one read of the socket gives.
  static let bufferedCountMax = 256 * 1_024
  /// A slower body is not waited for, after the first seconds.
  private static let bytesPerSecond = 1_024
  private static let grace = 10

  package init(wanted: @escaping @Sendable () -> Void) { self.wanted = wanted }

  /// Whether the connection should go on reading.
  var hasRoom: Bool { monitor.withLock { $0.bufferedCount < Self.bufferedCountMax } }

  /// Whether something can be read without waiting.
  var hasPieces: Bool { monitor.withLock { !$0.pieces.isEmpty || $0.hasEnded } }

  /// Lets other work of the pool go on while a reader waits.
  func wait(apartFrom pool: BlockingThreads) { monitor.withLock { $0.pool = pool } }

  package func push(_ bytes: [UInt8]) {
    monitor.withLock { state in
      state.bufferedCount += bytes.count
      state.receivedCount += bytes.count
      state.pieces.append(bytes)
    }
  }

  package func end() { monitor.withLock { $0.hasEnded = true } }

  /// The connection is closed.
  package func abandon() { monitor.withLock { $0.isGone = true } }

  /// The bytes that came since the last call; nil at the end.
  /// - Parameter waited: Time spent here so far, which the caller keeps for the whole body.
  /// - Returns: Bytes, at least one.
  /// - Throws: 408 when the client is too slow, `gone` when it went away.
  package func read(waited: inout Duration) throws(Refusal) -> [UInt8]? {
    let start = ContinuousClock.now
    var step = monitor.withLock { Self.take(&$0) }
    if step == nil {
      wanted()
      let (received, pool) = monitor.withLock { ($0.receivedCount, $0.pool) }
      let allowed = Duration.seconds(Self.grace + received / Self.bytesPerSecond)
      let deadline = start + max(.zero, allowed - waited)
      let wait = { self.monitor.wait(until: deadline) { Self.take(&$0) } }
      step = if let pool { pool.apart(wait) } else { wait() }
    }
    waited += ContinuousClock.now - start
    guard let step else {
      throw Refusal(408, "timeout", "the body came too slowly: 1 KiB a second is the least")
    }
    let (bytes, makesRoom) = try step.get()
    if makesRoom { wanted() }
    return bytes
  }

  /// What can be read without waiting, and whether the connection may have stopped reading before;
  /// nil where nothing can.
  private static func take(_ state: inout State) -> Result<([UInt8]?, makesRoom: Bool), Refusal>? {
    if state.isGone { return .failure(.gone) }
    if !state.pieces.isEmpty {
      let bytes = state.pieces.count == 1 ? state.pieces[0] : Array(state.pieces.joined())
      let wasFull = state.bufferedCount >= bufferedCountMax
      state.pieces.removeAll()
      state.bufferedCount = 0
      return .success((bytes, wasFull))
    }
    return state.hasEnded ? .success((nil, false)) : nil
  }

  /// The whole body.
  /// - Throws: 413 when it is longer than allowed.
  package func whole(limit: Int, declared: Int?) throws(Refusal) -> [UInt8] {
    if let declared, declared > limit { throw Self.tooLarge(limit) }
    var bytes: [UInt8] = []
    var waited = Duration.zero
    while let piece = try read(waited: &waited) {
      guard bytes.count + piece.count <= limit else { throw Self.tooLarge(limit) }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
    }
    return bytes
  }

  static func tooLarge(_ limit: Int) -> Refusal {
    Refusal(413, "tooLarge", "the body is longer than \(limit) bytes; send it in parts")
  }
}
