import Events
import Glibc
package import LMDB
import Synchronization

// Everything here runs on the writer thread.
extension EventLog {
  /// Commits groups of waiting appends until this one is answered.
  ///
  /// Each append brings its own call, so whichever runs first commits for all that wait, and the
  /// others find their answer there.
  func commit(until request: AppendRequest) {
    while request.answer == nil {
      let count = commitNextGroup()
      precondition(count > 0, "an unanswered append is in the queue")
    }
  }

  /// Commits one group for asynchronous appends, and queues itself again while any wait.
  ///
  /// In between, other work of the writer thread has its turn.
  func drain() {
    _ = commitNextGroup()
    if queue.continueDrain() { writer.submit { self.drain() } }
  }

  private func commitNextGroup() -> Int {
    pace.wait(for: queue)
    let group = queue.takeGroup()
    guard !group.isEmpty else { return 0 }
    let start = ContinuousClock.now
    commit(group)
    pace.note(requestCount: group.count, duration: start.duration(to: .now))
    return group.count
  }

  private func commit(_ group: [AppendRequest]) {
    var group = group
    while let deadline = group.map(\.deadline).min() {
      do throws(StorageError) {
        try withHeldLock(wait: max(.zero, ContinuousClock.now.duration(to: deadline))) {
          () throws(StorageError) in
          self.write(group)
        }
        return
      } catch {
        // Those that may wait longer go on waiting.
        let late = error.code == .busy ? group.filter { $0.deadline <= .now } : group
        for request in late { request.complete(.failure(error)) }
        group.removeAll { request in late.contains { $0 === request } }
      }
    }
  }

  /// Writes a group in one transaction, under the writer lock, and answers its appends.
  ///
  /// When the transaction fails, each append is tried by itself, so that one that does not fit on
  /// the disk takes no other along.
  func write(_ group: [AppendRequest]) {
    do throws(StorageError) {
      let hook = afterCommit
      let (answers, appended, events) = try transact(group, keepsEvents: hook != nil)
      if let appended {
        hook?(appended, readable(events))
        if !watchers.isEmpty, let head = try? head() { watchers.notify(head) }
      }
      for (request, answer) in zip(group, answers) { request.complete(answer) }
    } catch {
      guard group.count > 1 else {
        group.first?.complete(.failure(error))
        return
      }
      for request in group { write([request]) }
    }
  }

  /// The events in the current schema, or none when one of them has to be read to say why not.
  private func readable(_ events: [StoredEvent]) -> [StoredEvent] {
    guard events.contains(where: { $0.schema < EventSchema.current }) else { return events }
    return (try? events.map { (event) throws(StorageError) in try current(event) }) ?? []
  }

  private typealias Outcome = (
    answers: [AppendRequest.Answer], appended: ClosedRange<UInt64>?, events: [StoredEvent]
  )

  private func transact(
    _ group: [AppendRequest],
    keepsEvents: Bool
  ) throws(StorageError) -> Outcome {
    let (tables, entropy, reader, upcasters) = (tables, entropy, reader, upcasters)
    return try environment.write { (txn) throws(StorageError) in
      var answers: [AppendRequest.Answer] = []
      answers.reserveCapacity(group.count)
      let head = try reader.head(in: txn.reader)
      var batch = CommitBatch(
        tables: tables,
        entropy: entropy,
        reader: reader,
        upcasters: upcasters,
        head: head,
        eventCount: group.reduce(0) { $0 + $1.events.count },
        keepsEvents: keepsEvents
      )
      for request in group {
        do throws(StorageError) {
          try request.expected.check(batch.head.size)
        } catch {
          answers.append(.failure(error))
          continue
        }
        answers.append(.success(try batch.append(request.events, to: &txn)))
      }
      try batch.finish(&txn)
      return (answers, batch.appended, batch.events)
    }
  }
}

extension EventLog {
  /// Runs the body on the writer thread while no other process may append.
  ///
  /// Re-entrant. The body may append and write; other appends of this process wait.
  ///
  /// - Throws: `.busy` when another process holds the lock longer than `wait`; what `body` throws.
  package func withWriterLock<R>(
    wait: Duration = .seconds(10),
    _ body: () throws(StorageError) -> R
  ) throws(StorageError) -> R {
    if holdsWriterLock { return try body() }
    return try writer.run { () throws(StorageError) -> R in
      try self.withHeldLock(wait: wait, body)
    }
  }

  /// Whether the calling thread is inside a commit or ``withWriterLock(wait:_:)``.
  var holdsWriterLock: Bool {
    lockHolder.load(ordering: .relaxed) == UInt(pthread_self())
  }

  private func withHeldLock<R>(
    wait: Duration,
    _ body: () throws(StorageError) -> R
  ) throws(StorageError) -> R {
    guard let lock else {
      throw StorageError(.readOnly, "the store is open for reading only", place: "log.mdb")
    }
    try lock.lock(wait: wait)
    lockHolder.store(UInt(pthread_self()), ordering: .relaxed)
    defer {
      lockHolder.store(0, ordering: .relaxed)
      lock.unlock()
    }
    try forgetErasedPages()
    return try body()
  }
}
