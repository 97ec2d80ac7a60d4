package import LMDB

/// The name of a projection: reports call it so, and its digest is kept under it.
package struct ProjectionName: Hashable, Sendable {
  /// The name, at most 255 bytes.
  package let text: String

  package init(_ text: String) { self.text = text }
}

/// Rows that follow from the log alone: they can be deleted and folded anew at any time.
///
/// A generation holds one of each projection in one environment and folds them in one transaction.
/// The catalog comes first: it makes a ``ResolvedBatch`` of the events, and all others are a
/// ``DerivedProjection`` of that.
package protocol Projection: Sendable {
  static var name: ProjectionName { get }
  /// The version of its rows, which ``addVersion(to:)`` adds too.
  static var formatVersion: UInt64 { get }
  /// The tables it owns. The shared table is nobody's.
  static var tables: [TableName] { get }
  /// The tables of which an audit reads every row.
  static var auditedTables: [TableName] { get }

  /// Adds everything that decides what the rows look like: format, constants, analysis.
  ///
  /// A generation with another version is folded anew.
  static func addVersion(to hasher: inout RowHasher)

  /// Binds to the tables of a generation.
  init(_ environment: Environment)
}

/// A projection of resolved events.
///
/// Adding one is a folder with the type that conforms, a line in `Generation.derived`, and its
/// tests. The digest of its rows is `checkpoint[Self.name]`: a sum over logical rows that depends
/// neither on how the log is numbered nor on how events were cut into batches.
package protocol DerivedProjection: Projection {
  /// Whether a rebuild of others copies its rows in the end: no fold of another one reads them, and
  /// ``fill(_:_:from:)`` does without `copy.replay` where nothing is erased.
  static var isCopiedByRebuild: Bool { get }

  /// Folds a batch and brings the digest up to date.
  ///
  /// Events of kind `purge` stay out of rows and digest: what was purged is to be as if it had
  /// never been there. `checkpoint.applied` is the batch's last event already.
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  func fold(
    _ batch: ResolvedBatch, _ checkpoint: inout Checkpoint, in txn: inout WriteTransaction
  ) throws(CairnError)

  /// The digest of the rows as they are stored; checks what the digest does not cover.
  /// - Throws: `.corrupt` for a damaged row.
  func audit(_ names: any NameKeys, in txn: borrowing ReadTransaction) throws(CairnError)
    -> RowDigest

  /// Fills these empty tables with the rows of another generation, without what is erased.
  ///
  /// Rows that say which events made them are copied through `copy.writer`. Else finish that
  /// writer, begin with `RowDigest()` as the digest, and fold `copy.replay` in writes of your own.
  /// - Parameters:
  ///   - copy: Where rows come from and go to, and what is erased.
  ///   - checkpoint: That of the other generation; it has to leave with the digest of these rows.
  ///   - txn: Reads the other generation.
  /// - Returns: The end of the work where it goes on beside the caller's, else nil.
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  func fill(
    _ copy: GenerationCopy, _ checkpoint: inout Checkpoint, from txn: borrowing ReadTransaction
  ) throws(CairnError) -> PendingFill?
}

extension DerivedProjection {
  package static var isCopiedByRebuild: Bool { false }
}

/// The hashes of names, by ordinal.
package protocol NameKeys: Sendable {
  /// The hash of an item's identifier; that of the absent name for no item.
  func itemKey(_ item: UInt32) throws(CairnError) -> NameKey
  /// The hash of a domain's name; that of the absent name for no domain.
  func domainKey(_ domain: UInt32) throws(CairnError) -> NameKey
}

/// What earlier batches left, where a fold has to know more than its batch and its own tables.
package protocol FoldedPast: Sendable {
  /// The sequence from which an item's counters counted, as of a sequence.
  func since(
    of item: UInt32, asOf sequence: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt64

  /// Visits the uses in a range of sequences, in order; only sequence, times, weight and whether it
  /// is a view are given.
  func forEachUse(
    from first: UInt64, through last: UInt64, in txn: borrowing ReadTransaction,
    _ body: (ResolvedEvent) -> Void
  ) throws(CairnError)
}
