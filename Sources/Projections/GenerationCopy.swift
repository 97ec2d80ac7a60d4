package import LMDB

/// One generation made out of another, without what is erased.
package struct GenerationCopy: Sendable {
  package let source: Environment
  package let writer: RowWriter
  package let erasure: Erasure
  /// Whether anything that is erased counted as use, or may have taught search something.
  package let erasesUse: Bool
  package let names: any NameKeys
  /// Gives what is left as batches, for a projection that has to be folded again.
  ///
  /// They hold every event that is left, resolved, and what search learned, but no content. The
  /// catalog is copied by then.
  package let replay: Replay

  /// Reads in a transaction of the source and gives batches to a body, in order.
  package typealias Replay =
    @Sendable (
      _ txn: borrowing ReadTransaction, _ body: (ResolvedBatch) throws(CairnError) -> Void
    ) throws(CairnError) -> Void

  package init(
    of source: Environment, through writer: RowWriter, without erasure: Erasure, erasesUse: Bool,
    names: any NameKeys, replay: @escaping Replay
  ) {
    self.source = source
    self.writer = writer
    self.erasure = erasure
    self.erasesUse = erasesUse
    self.names = names
    self.replay = replay
  }
}

/// A table that is still being filled beside the caller's work.
package struct PendingFill {
  /// Waits for the rest, or does it in the caller's transaction; gives the digest of the rows.
  package let finish: (borrowing ReadTransaction) throws(CairnError) -> RowDigest
  /// Stops what is still under way, and waits until nothing is.
  package let end: () -> Void

  package init(
    finish: @escaping (borrowing ReadTransaction) throws(CairnError) -> RowDigest,
    end: @escaping () -> Void
  ) {
    self.finish = finish
    self.end = end
  }
}
