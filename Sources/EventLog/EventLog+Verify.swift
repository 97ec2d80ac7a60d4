package import LMDB
import Synchronization

extension EventLog {
  /// Checks events against their headers, headers against the tree, and the tree against the head.
  ///
  /// For each event of the range: checksum, header fields, commitment over the live content, leaf
  /// hash; for the tree: every stored node that the range completes, and the root at its end. A
  /// range that is the whole log adds the ids, the checksums of all other rows, and the roots that
  /// were signed or named, each of which has to lie on this tree. Goes on after a
  /// problem and names every one. Events appended meanwhile are left out. A long range is looked at
  /// by two threads.
  ///
  /// - Parameters:
  ///   - first: The first sequence to look at.
  ///   - last: The last sequence to look at, or anything beyond the head.
  ///   - progress: Gets how many events were looked at, from time to time, on the calling thread;
  ///     returns whether to go on.
  /// - Returns: What was looked at and what is wrong.
  /// - Throws: `.io` and the like; damage is reported, not thrown.
  /// - Complexity: O(bytes), about a microsecond for a small event.
  package func verify(
    from first: UInt64 = 1,
    through last: UInt64 = .max,
    progress: (UInt64) -> Bool = { _ in true }
  ) throws(StorageError) -> VerifyReport {
    let row: HeadRow
    do throws(StorageError) {
      // Pages first: reading rows through a damaged one may end the process.
      if first <= 1, last == .max { try environment.checkStructure() }
      row = try headRow()
    } catch {
      guard error.isDamage else { throw error }
      var report = VerifyReport(head: Head(sequence: 0, recorded: nil, root: HeadRow().root))
      report.add(error.message, table: "head")
      return report
    }
    let first = max(1, first)
    let last = min(last, row.size)
    var result = try verify(first, last, of: row, progress)
    guard first == 1, last == row.size else { return result.report }
    try environment.read { (txn) throws(StorageError) in
      let now = try self.reader.head(in: txn)
      let isUnchanged = now.size == row.size
      var others = OtherTablesVerifier(tables: self.tables, result: result)
      try others.check(isUnchanged: isUnchanged, in: txn)
      var roots = RememberedRootsVerifier(reader: self.reader, head: now, result: others.result)
      try roots.check(in: txn)
      result = roots.result
    }
    return result.report
  }

  /// Splits a long range between the calling thread and another.
  private func verify(
    _ first: UInt64,
    _ last: UInt64,
    of head: HeadRow,
    _ progress: (UInt64) -> Bool
  ) throws(StorageError) -> RangeResult {
    let state = VerifyState()
    guard last >= first, last - first >= LogLimits.parallelEventCount else {
      return try verifyRange(first, last, of: head, state, progress)
    }
    let middle = first + (last - first) / 2
    let worker = WriterThread(name: "verify")
    worker.submit { [self] in
      do throws(StorageError) {
        let result = try verifyRange(first, middle, of: head, state) { _ in true }
        state.left.withLock { $0 = .success(result) }
      } catch {
        state.left.withLock { $0 = .failure(error) }
      }
    }
    let right: Result<RangeResult, StorageError>
    do throws(StorageError) {
      right = .success(try verifyRange(middle + 1, last, of: head, state, progress))
    } catch {
      state.isCancelled.store(true, ordering: .relaxed)
      right = .failure(error)
    }
    // Queued behind the range, so that it ends after it.
    try worker.run { () throws(StorageError) in }
    guard let left = state.left.withLock({ $0 }) else {
      throw StorageError(.internal, "half of the verification did not run")
    }
    var result = try left.get()
    result.append(try right.get(), from: middle + 1)
    return result
  }

  private func verifyRange(
    _ first: UInt64,
    _ last: UInt64,
    of head: HeadRow,
    _ state: VerifyState,
    _ progress: (UInt64) -> Bool
  ) throws(StorageError) -> RangeResult {
    var verifier = Verifier(reader: reader, head: head)
    try environment.read { (txn) throws(StorageError) in
      try verifier.begin(at: first, in: txn)
    }
    while verifier.next <= last {
      let start = verifier.next
      try environment.read { (txn) throws(StorageError) in
        try verifier.advance(through: last, in: txn)
      }
      let count = state.count.wrappingAdd(verifier.next - start, ordering: .relaxed).newValue
      if !progress(count) { state.isCancelled.store(true, ordering: .relaxed) }
      if state.isCancelled.load(ordering: .relaxed) { return verifier.result }
    }
    try environment.read { (txn) throws(StorageError) in
      try verifier.checkEnd(in: txn)
    }
    return verifier.result
  }
}

/// What the threads of one verification share.
private final class VerifyState: Sendable {
  let count = Atomic<UInt64>(0)
  let isCancelled = Atomic<Bool>(false)
  let left = Mutex<Result<RangeResult, StorageError>?>(nil)
}
