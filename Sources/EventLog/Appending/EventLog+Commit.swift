import Events
import Glibc
package import LMDB
import Synchronization

// Runs on the writer thread.
extension EventLog {
  /// Commits what waits, and queues itself again while more comes.
  ///
  /// In between, other work of the writer thread has its turn.
  func drain() {
    let group = queue.takeGroup()
    if !group.isEmpty { commit(group) }
    if queue.continueDrain() { writer.submit { self.drain() } }
  }

  private func commit(_ group: [AppendRequest]) {
    var group = group
    while let deadline = group.map(\.deadline).min() {
      do throws(CairnError) {
        let answers = try withHeldLock(wait: max(.zero, ContinuousClock.now.duration(to: deadline)))
        { () throws(CairnError) in self.write(group) }
        // Who appends alone finds the lock free when the append returns.
        for (request, answer) in zip(group, answers) { request.complete(answer) }
        return
      } catch {
        // Those that may wait longer go on waiting.
        let late = error.code == .busy ? group.filter { $0.deadline <= .now } : group
        for request in late { request.complete(.failure(error)) }
        group.removeAll { request in late.contains { $0 === request } }
      }
    }
  }

  /// Writes a group in one transaction, under the writer lock, and has it folded.
  ///
  /// Where that fails each append is tried by itself, so that one that does not fit on the disk, or
  /// is not whole, takes no other along.
  /// - Returns: An answer for each.
  func write(_ group: [AppendRequest]) -> [AppendRequest.Answer] {
    do throws(CairnError) { return try writeTogether(group, after: [:]) } catch {
      guard group.count > 1 else { return [.failure(error)] }
    }
    var failures: [ObjectIdentifier: CairnError] = [:]
    return group.map { request in
      let answer = Result { () throws(CairnError) in
        try writeTogether([request], after: failures)[0].get()
      }
      if case .failure(let error) = answer { failures[ObjectIdentifier(request)] = error }
      return answer
    }
  }

  private func writeTogether(
    _ group: [AppendRequest], after failures: [ObjectIdentifier: CairnError]
  ) throws(CairnError) -> [AppendRequest.Answer] {
    let admission = try beforeCommit?()
    let committed = try transact(group, after: failures, admission, keepsEvents: afterCommit != nil)
    guard let appended = committed.appended else { return committed.answers }
    let failure = afterCommit?(appended, readable(committed.events))
    notifyWatchers(of: appended.upperBound)
    guard let failure else { return committed.answers }
    return committed.answers.map { answer in
      answer.map { receipt in
        var receipt = receipt
        if receipt.first != nil { receipt.projectionFailure = failure }
        return receipt
      }
    }
  }

  /// Tells who waits in this process of a commit.
  func notifyWatchers(of last: UInt64) {
    committed.withLock { $0 = last }
    // Who is told nothing looks by itself a little later.
    if !watchers.isEmpty, let head = try? head() { watchers.notify(head) }
  }

  /// The events in the current schema, or none when one of them has to be read to say why not.
  private func readable(_ events: [StoredEvent]) -> [StoredEvent] {
    guard events.contains(where: { $0.schema < EventSchema.current }) else { return events }
    return (try? events.map { (event) throws(CairnError) in try current(event) }) ?? []
  }

  private struct Committed {
    var appended: ClosedRange<UInt64>?
    var events: [StoredEvent]
    var answers: [AppendRequest.Answer]
  }

  private func transact(
    _ group: [AppendRequest], after earlier: [ObjectIdentifier: CairnError],
    _ admission: (any EventAdmission)?, keepsEvents: Bool
  ) throws(CairnError) -> Committed {
    try environment.write { (txn) throws(CairnError) in
      var answers: [AppendRequest.Answer] = []
      answers.reserveCapacity(group.count)
      var batch = CommitBatch(
        self, head: try self.reader.head(in: txn.reader),
        eventCount: group.reduce(0) { $0 + $1.events.count }, keepsEvents: keepsEvents)
      batch.admission = admission
      var failures = earlier
      for request in group {
        do throws(CairnError) {
          if let error = request.priorFailure(failures) { throw error }
          do throws(CairnError) { try request.expected.check(batch.head.size) } catch {
            // What is there already may be sent again, whatever came since.
            guard try batch.holds(request.events, in: &txn) else { throw error }
          }
        } catch {
          failures[ObjectIdentifier(request)] = error
          answers.append(.failure(error))
          continue
        }
        let receipt = try batch.append(request.events, knownIDs: request.knownIDs, to: &txn)
        // What was written of it goes with the transaction.
        if request.isWhole { try receipt.checkWhole() }
        answers.append(.success(receipt))
      }
      try batch.finish(&txn)
      return Committed(appended: batch.appended, events: batch.events, answers: answers)
    }
  }

  /// Runs the body on the writer thread while no other process may append.
  ///
  /// Re-entrant. The body may append and write; other appends of this process wait.
  /// - Throws: `.busy` when another process holds the lock longer than `wait`; what `body` throws.
  package func withWriterLock<R>(
    wait: Duration = .seconds(10), _ body: () throws(CairnError) -> R
  ) throws(CairnError) -> R {
    if holdsWriterLock { return try body() }
    return try writer.run { () throws(CairnError) -> R in
      try self.withHeldLock(wait: wait, body)
    }
  }

  /// Whether the calling thread is inside a commit or ``withWriterLock(wait:_:)``.
  var holdsWriterLock: Bool { lockHolder.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func withHeldLock<R>(wait: Duration, _ body: () throws(CairnError) -> R)
    throws(CairnError) -> R
  {
    guard let lock else {
      throw CairnError(.readOnly, "the store is open for reading only", place: "log.mdb")
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
