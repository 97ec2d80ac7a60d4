import Cairn
import LMDB

package struct AnswerHead: Sendable {
  package var status: Int
  package var headers: [Header]

  package init(_ status: Int, _ headers: [Header]) {
    self.status = status
    self.headers = headers
  }
}

/// What a connection is given to send.
package enum AnswerPart: Sendable {
  /// A whole answer; a request with HEAD gets its head alone.
  case whole(AnswerHead, [UInt8])
  case head(AnswerHead)
  case bytes([UInt8])
  case end
  /// The rest cannot be given: the connection is closed, so that nobody takes it for whole.
  case broken
}

/// The answer to a request, written by a thread that waits while the client does not read.
package final class AnswerStream: Sendable {
  private struct State {
    var outstandingCount = 0
    var isClosed = false
    var status = 0
    var hasEnded = false
    var byteCount = 0
    /// On whose thread the writer runs.
    var pool: BlockingThreads?

    /// Takes room for bytes: false when nobody reads them any more, nil when there is none yet.
    mutating func reserve(_ count: Int) -> Bool? {
      if isClosed { return false }
      guard outstandingCount < AnswerStream.outstandingCountMax else { return nil }
      outstandingCount += count
      byteCount += count
      return true
    }
  }

  private let monitor = Monitor(State())
  private let send: @Sendable (AnswerPart, _ sent: @escaping @Sendable () -> Void) -> Void
  /// Ends what is read for it once nobody waits for it.
  private let reading = Cancellation()

  /// What is held at most for a client that does not read.
  package static let outstandingCountMax = 256 * 1_024
  /// How long a client may take nothing.
  private static let patience = Duration.seconds(60)

  package init(
    send: @escaping @Sendable (AnswerPart, _ sent: @escaping @Sendable () -> Void) -> Void
  ) { self.send = send }

  /// The status that was sent; 0 as long as none was.
  package var status: Int { monitor.withLock { $0.status } }
  /// Bytes of the body that were sent.
  package var byteCount: Int { monitor.withLock { $0.byteCount } }
  /// Whether the client went away.
  package var isClosed: Bool { monitor.withLock { $0.isClosed } }

  /// Lets other work of the pool go on while the client does not read.
  func wait(apartFrom pool: BlockingThreads) { monitor.withLock { $0.pool = pool } }

  /// The connection is closed: who waits is told.
  package func close() {
    giveUp()
    monitor.withLock { $0.isClosed = true }
  }

  /// Ends what is read for the answer: it comes too late.
  func giveUp() { reading.cancel() }

  /// Whether anybody waits for what is read.
  var isWanted: Bool { !reading.isCancelled }

  /// Makes the answer; what it reads of the store ends once nobody waits for it.
  func make(_ body: () -> Void) { reading.run(body) }

  /// Takes the right to answer; false when that was done already.
  private func begin(_ status: Int) -> Bool {
    monitor.withLock { state in
      guard state.status == 0, !state.isClosed else { return false }
      state.status = status
      return true
    }
  }

  /// Sends a whole answer at once, unless one was begun already.
  package func answer(_ head: AnswerHead, _ body: [UInt8]) {
    guard begin(head.status) else { return }
    monitor.withLock { state in
      state.hasEnded = true
      state.byteCount = body.count
    }
    send(.whole(head, body)) {}
  }

  package func begin(_ head: AnswerHead) throws(Refusal) {
    guard begin(head.status) else { throw .gone }
    send(.head(head)) {}
  }

  /// Sends bytes of the body, waiting while the client has too many not taken.
  /// - Throws: `gone` when the client went away, or took nothing for a minute.
  package func write(_ bytes: [UInt8]) throws(Refusal) {
    let most = Self.outstandingCountMax
    guard bytes.count <= most else {
      // What the connection holds for a client that does not read is copied once more there.
      for start in stride(from: 0, to: bytes.count, by: most) {
        try write(Array(bytes[start..<min(start + most, bytes.count)]))
      }
      return
    }
    guard bytes.isEmpty || offer(bytes, within: Self.patience) else {
      abort()
      throw .gone
    }
  }

  /// Sends bytes of the body where there is room for them now, or soon; whether there was.
  package func offer(_ bytes: [UInt8], within patience: Duration = .zero) -> Bool {
    guard bytes.count <= Self.outstandingCountMax else { return false }
    var hasRoom = monitor.withLock { $0.reserve(bytes.count) }
    if hasRoom == nil, patience > .zero {
      let deadline = ContinuousClock.now + patience
      let wait = { self.monitor.wait(until: deadline) { $0.reserve(bytes.count) } }
      let pool = monitor.withLock { $0.pool }
      hasRoom = if let pool { pool.apart(wait) } else { wait() }
    }
    guard hasRoom == true else { return false }
    send(.bytes(bytes)) { [self, count = bytes.count] in
      monitor.withLock { $0.outstandingCount -= count }
    }
    return true
  }

  package func end() { finish(.end) }

  /// Breaks an answer off that was begun and cannot be completed.
  package func abort() { finish(.broken) }

  /// Tells the connection of the end; one that is closed, and may be gone with its loop, knows.
  private func finish(_ part: AnswerPart) {
    let isOpen = monitor.withLock { state in
      state.hasEnded = true
      return !state.isClosed
    }
    if isOpen { send(part) {} }
  }

  package var isUnderWay: Bool { monitor.withLock { $0.status != 0 && !$0.hasEnded } }
}

/// One request and its answer, on their way through the server.
package final class Exchange: Sendable {
  package let request: Request
  package let body: RequestBody
  package let answer: AnswerStream

  package init(request: Request, body: RequestBody, answer: AnswerStream) {
    self.request = request
    self.body = body
    self.answer = answer
  }
}
