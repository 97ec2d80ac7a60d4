import Synchronization

/// Stores batches of rows behind those of tables, on the writer's thread, while the caller gathers
/// the next batch.
///
/// For filling a new file: each batch is a transaction of its own. What fails is thrown by the call
/// after it, ``finish()`` at the latest.
package final class RowWriter: Sendable {
  /// The file that is filled.
  package let environment: Environment
  private let waiting = Mutex(RowBatch())
  private let outcome = Mutex<Result<Void, CairnError>>(.success(()))

  /// Writes into a file that nobody else writes.
  package init(_ environment: Environment) { self.environment = environment }

  /// Bytes of rows copied before what is mapped of their file is given back: where its pages lie
  /// scattered, the system maps many times as much.
  private static let releasedByteCount = 2 << 20

  /// Stores the rows behind those of a table, on the writer's thread, and empties the batch.
  /// - Throws: What storing the batch before came to: `.diskFull` and the like; `.badArgument` when
  ///   keys do not rise.
  package func append(_ batch: inout RowBatch, to table: Table) throws(CairnError) {
    guard !batch.isEmpty else { return }
    // What is queued behind the caller would never come to its turn.
    if environment.isOnWriter { return try store(&batch, in: table) }
    try finish()
    waiting.withLock { swap(&$0, &batch) }
    environment.writer.submit { [self] in
      do throws(CairnError) {
        try waiting.withLock { (rows) throws(CairnError) in try store(&rows, in: table) }
      } catch { outcome.withLock { $0 = .failure(error) } }
    }
  }

  private func store(_ rows: inout RowBatch, in table: Table) throws(CairnError) {
    try environment.write { (txn) throws(CairnError) in
      try rows.write(to: table, append: true, in: &txn)
    }
    rows.removeAll()
    environment.beginWriteBack()
  }

  /// Throws away what comes next: the file is of no use any more.
  package func abandon() {
    outcome.withLock { $0 = .failure(CairnError(.aborted, "the copy is not wanted any more")) }
  }

  /// Waits until everything is stored.
  /// - Throws: What storing came to.
  package func finish() throws(CairnError) {
    // Queued behind the work, so that it ends after it.
    try environment.writer.run { () throws(CairnError) in }
    try outcome.withLock { $0 }.get()
  }

  /// Waits until nothing is being stored, whatever it came to: before the file is closed.
  package func wait() { environment.writer.wait() }

  /// Copies rows of a table of another file into an empty table, in the order of keys.
  ///
  /// `edit` gets each row and adds to the batch what becomes of it: itself, something else with a
  /// key that comes after those before, or nothing.
  /// - Complexity: O(rows), some 200 ns each.
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like; what `edit` throws.
  package func copyRows(
    of source: Table, in reader: borrowing ReadTransaction, to table: Table,
    _ edit: (RawSpan, RawSpan, inout RowBatch) throws(CairnError) -> Void
  ) throws(CairnError) {
    var batch = RowBatch()
    var cursor = try reader.cursor(source)
    var passed = 0
    while let row = try cursor.next() {
      passed += row.key.byteCount + row.value.byteCount
      try edit(row.key, row.value, &batch)
      if passed >= Self.releasedByteCount {
        reader.environment.releaseMemory()
        passed = 0
      }
      if batch.isFull { try append(&batch, to: table) }
    }
    try append(&batch, to: table)
  }
}
