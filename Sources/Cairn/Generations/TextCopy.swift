import LMDB
import Projections
import TextIndex

/// The text index copied on a thread of its own while the caller copies the rest: it is the larger
/// half.
struct TextCopy {
  private let old: Generation
  private let new: Generation
  private let erasure: Erasure
  private let writer: RowWriter
  private let copy: AuditTask<RowDigest?>
  private let helper: WriterThread

  /// Begins.
  ///
  /// - Parameters:
  ///   - old: What is copied.
  ///   - new: What it is copied into.
  ///   - erasure: What is left out.
  ///   - applied: What the caller's transaction has of the log.
  init(from old: Generation, to new: Generation, without erasure: Erasure, at applied: UInt64) {
    self.old = old
    self.new = new
    self.erasure = erasure
    let writer = RowWriter(new.environment)
    self.writer = writer
    copy = AuditTask { () throws(StorageError) in
      try old.environment.read { (txn) throws(StorageError) -> RowDigest? in
        // This transaction may be a later one than the caller's.
        guard try old.checkpoint(in: txn).applied == applied else { return nil }
        return try Self.copy(old, to: new, through: writer, without: erasure, from: txn)
      }
    }
    helper = WriterThread(name: "cairn-text")
    helper.submit { [copy] in copy.runIfFirst() }
  }

  /// The digest of the copy, once it is complete; copies now, in the caller's transaction, where the
  /// other thread found another state.
  func digest(orFrom txn: borrowing ReadTransaction) throws(StorageError) -> RowDigest {
    if let digest = try copy.value() { return digest }
    return try Self.copy(old, to: new, through: writer, without: erasure, from: txn)
  }

  private static func copy(
    _ old: Generation, to new: Generation, through writer: RowWriter, without erasure: Erasure,
    from txn: borrowing ReadTransaction
  ) throws(StorageError) -> RowDigest {
    let digest = try old.text.copy(
      to: new.text, through: writer, without: erasure, from: txn,
      itemKey: { (item) throws(StorageError) in try old.itemKey(item, in: txn) })
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
