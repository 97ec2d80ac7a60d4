package import LMDB

/// An append that the writer works on while its caller does something else.
package struct PendingAppend: Sendable {
  let request: AppendRequest

  /// Waits until the events are durable, or refused.
  /// - Throws: What the appending throws.
  package func wait() throws(CairnError) -> AppendReceipt { try request.waitForAnswer() }
}
