import LMDB
import Projections
import Text
import TextIndex

/// The text index copied on a thread of its own while the caller copies the rest: it is the larger
/// half.
struct TextCopy {
  private let source: GenerationCopy
  private let new: TextIndex
  private let writer: RowWriter
  private let copy: LazyTask<RowDigest?>
  private let helper: WriterThread

  init(_ source: GenerationCopy, to new: TextIndex, at applied: UInt64) {
    self.source = source
    self.new = new
    // The caller's writer is busy with the other tables.
    let writer = RowWriter(source.writer.environment)
    self.writer = writer
    copy = LazyTask { () throws(CairnError) in
      try source.source.read { (txn) throws(CairnError) -> RowDigest? in
        // This transaction may be a later one than the caller's.
        guard try SharedRows.checkpoint(source.source, in: txn)?.applied == applied else {
          return nil
        }
        return try Self.copy(source, to: new, through: writer, from: txn)
      }
    }
    helper = WriterThread(name: "cairn-text")
    helper.submit { [copy] in copy.runIfFirst() }
  }

  /// The digest of the copy, once it is complete; copies now, in the caller's transaction, where
  /// the other thread found another state.
  func digest(orFrom txn: borrowing ReadTransaction) throws(CairnError) -> RowDigest {
    if let digest = try copy.value() { return digest }
    return try Self.copy(source, to: new, through: writer, from: txn)
  }

  private static func copy(
    _ source: GenerationCopy, to new: TextIndex, through writer: RowWriter,
    from txn: borrowing ReadTransaction
  ) throws(CairnError) -> RowDigest {
    let old = TextIndex(environment: source.source, analyzer: Analyzer())
    let digest = try old.copy(
      to: new, through: writer, without: source.erasure, from: txn,
      itemKey: { (item) throws(CairnError) in try source.names.itemKey(item) })
    try writer.finish()
    return digest
  }

  /// Stops what is still being copied, and waits until nothing is.
  func end() {
    writer.abandon()
    // Whatever came of it, nobody wants it.
    _ = try? copy.value()
    writer.wait()
    withExtendedLifetime(helper) {}
  }
}
