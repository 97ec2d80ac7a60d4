import Events
import Glibc
package import LMDB
import Synchronization

// Runs on the writer thread, but for `foldWaiting`.
extension EventLog {
  /// Commits what waits, and queues itself again while more comes.
  ///
  /// In between, other work of the writer thread has its turn.
  func drain() {
    pace.wait(for: queue, beside: folds)
    let group = queue.takeGroup(halves: folder != nil && !isHasty)
    if !group.isEmpty { commit(group) }
    if queue.continueDrain() { writer.submit { self.drain() } }
  }

  private func commit(_ group: [AppendRequest]) {
    var group = group
    while let deadline = group.map(\.deadline).min() {
      do throws(StorageError) {
        let last = try withHeldLock(wait: max(.zero, ContinuousClock.now.duration(to: deadline))) {
          () throws(StorageError) in self.writeOverlapping(group)
        }
        // Who appends alone finds the lock free when the append returns.
        for commit in last { commit.answer() }
        if folds.isBehind { foldWhenIdle() }
        return
      } catch {
        // Those that may wait longer go on waiting.
        let late = error.code == .busy ? group.filter { $0.deadline <= .now } : group
        for request in late { request.complete(.failure(error)) }
        group.removeAll { request in late.contains { $0 === request } }
      }
    }
  }

  /// Writes a group under the writer lock, and those that come while it is folded.
  ///
  /// - Returns: What is still to be answered, and folded or to be folded later.
  private func writeOverlapping(_ first: [AppendRequest]) -> [Committed] {
    var group = first
    while !group.isEmpty {
      if folds.isBehind, group.reduce(0, { $0 + $1.events.count }) > LogLimits.laterGroupEventCount
      {
        // Who opens the store need not wait for many events.
        queue.news.wait { !folds.isRunning }
        foldDeferred()
      }
      let start = ContinuousClock.now
      let commits = store(group)
      pace.note(requestCount: group.count, duration: start.duration(to: .now))
      let isForLater = mayFoldLater(commits)
      if isForLater {
        if foldLater(commits) { return commits }
      } else {
        guard let folder, folds.isRunning || queue.count > 0 else {
          foldDeferred()
          for commit in commits { fold(commit) }
          return commits
        }
        if folds.add(commits) { folder.submit { self.foldWaiting() } }
      }
      group = nextGroup()
    }
    return []
  }

  /// The next group as soon as there is one, none when all that is due is folded or others wait for
  /// the lock.
  private func nextGroup() -> [AppendRequest] {
    let mayGoOn = !writer.isAwaited && lock?.isAwaited == false
    queue.news.wait { !folds.isRunning || mayGoOn && queue.count > 0 }
    guard mayGoOn else { return [] }
    if folds.requestCount > 0 || isHasty { pace.wait(for: queue, beside: folds) }
    return queue.takeGroup(folding: folds.requestCount, halves: !isHasty)
  }

  /// Folds what is committed and due, and answers its appends; runs on the folder's thread.
  func foldWaiting() {
    while let commit = folds.next() {
      fold(commit)
      commit.answer()
      folds.noteDone(commit)
      queue.news.tell()
    }
    queue.news.tell()
  }

  /// Writes a group in one transaction, under the writer lock, and answers its appends.
  func write(_ group: [AppendRequest]) {
    for commit in store(group) {
      fold(commit)
      commit.answer()
    }
  }

  /// Writes a group in one transaction, and answers its appends where that fails.
  ///
  /// Then each append is tried by itself, so that one that does not fit on the disk takes no other
  /// along.
  private func store(_ group: [AppendRequest]) -> [Committed] {
    do throws(StorageError) {
      var commit = try transact(group, keepsEvents: afterCommit != nil)
      commit.answerFailures()
      return [commit]
    } catch {
      guard group.count > 1 else {
        group.first?.complete(.failure(error))
        return []
      }
      return group.flatMap { store([$0]) }
    }
  }

  /// Has the events of a commit folded.
  func fold(_ commit: Committed) {
    guard let appended = commit.appended else { return }
    afterCommit?(appended, readable(commit.events))
    if !commit.isForLater { notifyWatchers() }
  }

  func notifyWatchers() { if !watchers.isEmpty, let head = try? head() { watchers.notify(head) } }

  /// The events in the current schema, or none when one of them has to be read to say why not.
  private func readable(_ events: [StoredEvent]) -> [StoredEvent] {
    guard events.contains(where: { $0.schema < EventSchema.current }) else { return events }
    return (try? events.map { (event) throws(StorageError) in try current(event) }) ?? []
  }

  private func transact(_ group: [AppendRequest], keepsEvents: Bool) throws(StorageError)
    -> Committed
  {
    let (tables, entropy, reader, upcasters) = (tables, entropy, reader, upcasters)
    return try environment.write { (txn) throws(StorageError) in
      var answers: [AppendRequest.Answer] = []
      answers.reserveCapacity(group.count)
      let head = try reader.head(in: txn.reader)
      var batch = CommitBatch(
        tables: tables, entropy: entropy, reader: reader, upcasters: upcasters, head: head,
        eventCount: group.reduce(0) { $0 + $1.events.count }, keepsEvents: keepsEvents)
      var failures: [ObjectIdentifier: StorageError] = [:]
      for request in group {
        do throws(StorageError) {
          if let error = request.priorFailure(failures) { throw error }
          try request.expected.check(batch.head.size)
        } catch {
          failures[ObjectIdentifier(request)] = error
          answers.append(.failure(error))
          continue
        }
        answers.append(.success(try batch.append(request.events, to: &txn)))
      }
      try batch.finish(&txn)
      return Committed(
        appended: batch.appended, events: batch.events, requests: group, answers: answers)
    }
  }
}

extension EventLog {
  /// Runs the body on the writer thread while no other process may append.
  ///
  /// Re-entrant. The body may append and write; other appends of this process wait. What was
  /// answered before it was folded is folded first, and ``beforeExclusive`` called.
  ///
  /// - Throws: `.busy` when another process holds the lock longer than `wait`; what `body` throws.
  package func withWriterLock<R>(
    wait: Duration = .seconds(10), _ body: () throws(StorageError) -> R
  ) throws(StorageError) -> R {
    if holdsWriterLock { return try body() }
    return try writer.run { () throws(StorageError) -> R in
      try self.withHeldLock(wait: wait) { () throws(StorageError) -> R in
        self.foldDeferred()
        self.commitHook.withLock { $0.beforeExclusive }?()
        self.isExclusive.store(true, ordering: .relaxed)
        defer { self.isExclusive.store(false, ordering: .relaxed) }
        return try body()
      }
    }
  }

  /// Whether the calling thread is inside a commit or ``withWriterLock(wait:_:)``.
  var holdsWriterLock: Bool { lockHolder.load(ordering: .relaxed) == UInt(pthread_self()) }

  func withHeldLock<R>(wait: Duration, _ body: () throws(StorageError) -> R) throws(StorageError)
    -> R
  {
    guard let lock else {
      throw StorageError(.readOnly, "the store is open for reading only", place: "log.mdb")
    }
    let isKept = isLockKept.load(ordering: .relaxed)
    if !isKept { try lock.lock(wait: wait) }
    lockHolder.store(UInt(pthread_self()), ordering: .relaxed)
    defer {
      lockHolder.store(0, ordering: .relaxed)
      let keeps = keepsLock.load(ordering: .relaxed)
      isLockKept.store(keeps, ordering: .relaxed)
      if !keeps { lock.unlock() }
    }
    if !isKept { try forgetErasedPages() }
    return try body()
  }

  /// Keeps the writer lock when what runs under it ends, until ``giveLockBack()``; within ``afterCommit``
  /// on the writer thread.
  package func keepLock() { keepsLock.store(true, ordering: .relaxed) }

  /// Gives the writer lock back as soon as nothing runs under it; on the writer thread.
  package func giveLockBack() {
    keepsLock.store(false, ordering: .relaxed)
    guard !holdsWriterLock, isLockKept.exchange(false, ordering: .relaxed) else { return }
    lock?.unlock()
  }
}
