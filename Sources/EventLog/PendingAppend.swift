package import LMDB

/// An append that the writer works on while its caller does something else.
package struct PendingAppend: Sendable {
  let log: EventLog
  let request: AppendRequest

  /// Waits until the events are durable, or refused.
  ///
  /// - Returns: What became of each event.
  /// - Throws: What the appending throws.
  package func wait() throws(StorageError) -> AppendReceipt {
    if request.answer == nil {
      // Queued behind the writer's own turn, so that it finds the answer there.
      try log.writer.run { () throws(StorageError) in log.commit(until: request) }
    }
    guard let answer = request.answer else { preconditionFailure("a committed append is answered") }
    return try answer.get()
  }
}
