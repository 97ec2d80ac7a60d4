package import LMDB

extension EventLog {
  /// The heads of the log as they are committed, by this process or another.
  ///
  /// Begins at once when the log is past `sequence`, else with the first commit that gets it there.
  /// Heads are cumulative: a slow reader gets the newest only. Commits of this process are told
  /// right after the fsync, those of others within 25 ms. Ends when the task is cancelled, and when
  /// the log is closed or cannot be read.
  package func changes(after sequence: UInt64) -> HeadSequence {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Head.self, bufferingPolicy: .bufferingNewest(1))
    let (token, startsPolling) = watchers.add(continuation)
    continuation.onTermination = { [watchers] _ in watchers.remove(token) }
    // What fails here fails for whoever then reads.
    do { continuation.yield(try head()) } catch { continuation.finish() }
    if startsPolling { startPolling() }
    return HeadSequence(base: stream, after: sequence)
  }

  /// Blocks until the log is past a sequence.
  ///
  /// Notices commits of this process at once, those of others within 10 ms.
  /// - Returns: The head; `nil` when the timeout passed first.
  package func waitForHead(after sequence: UInt64, timeout: Duration) throws(CairnError) -> Head? {
    let deadline = ContinuousClock.now + timeout
    while true {
      let head = try head()
      if head.sequence > sequence { return head }
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return nil }
      // Commits of other processes are looked for.
      let look = ContinuousClock.now + min(left, EventLog.blockingPollInterval)
      _ = committed.wait(until: look) { $0 > sequence ? () : nil }
    }
  }

  private func startPolling() {
    Task { [weak self] in
      while true {
        // The task is never cancelled; a head that cannot be read now may be next time.
        try? await Task.sleep(for: EventLog.pollInterval)
        guard let self, self.watchers.continuePolling() else { return }
        if let head = try? self.head() { self.watchers.notify(head) }
      }
    }
  }

  private static let pollInterval = Duration.milliseconds(25)
  private static let blockingPollInterval = Duration.milliseconds(10)
}

/// Heads that grow: repeats and those not past the start are left out.
package struct HeadSequence: AsyncSequence, Sendable {
  package typealias Element = EventLog.Head
  package typealias Failure = Never

  let base: AsyncStream<EventLog.Head>
  let after: UInt64

  package func makeAsyncIterator() -> Iterator {
    Iterator(base: base.makeAsyncIterator(), last: after)
  }

  package struct Iterator: AsyncIteratorProtocol {
    package typealias Element = EventLog.Head
    package typealias Failure = Never

    var base: AsyncStream<EventLog.Head>.Iterator
    var last: UInt64

    package mutating func next() async -> EventLog.Head? { await next(isolation: nil) }

    package mutating func next(isolation actor: isolated (any Actor)?) async throws(Never)
      -> EventLog.Head?
    {
      while let head = await base.next(isolation: actor) {
        guard head.sequence > last else { continue }
        last = head.sequence
        return head
      }
      return nil
    }
  }
}
