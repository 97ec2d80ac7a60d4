package import LMDB
package import Projections

extension TextIndex {
  /// The digest recomputed from every row, checking on the way that all tables agree: documents,
  /// postings, columns, ends and items.
  ///
  /// `itemKey` hashes the identifier of an item; `visit` gets every version, by document.
  /// - Complexity: O(tokens); memory of about 16 bytes a term and 80 a document.
  /// - Throws: `.corrupt` naming a row that disagrees.
  package func recomputedDigest(
    in txn: borrowing ReadTransaction, itemKey: (UInt32) throws(CairnError) -> NameKey,
    visit: (IndexedVersion) -> Void = { _ in }
  ) throws(CairnError) -> RowDigest {
    let state = try IndexState(txn, tables)
    // Memory is taken by these counts, so they are held against the rows first.
    let room = try txn.count(tables.documents) * DocumentBlock.countMax
    guard room >= Int(state.mergedDocument),
      try txn.count(tables.pending) >= Int(state.pendingCount) + Int(state.tombstoneCount)
    else { throw DocumentRecord.damaged }
    let view = try WriteBuffer(complete: state, txn, tables)
    var audit = IndexAudit(tables: tables, state: state)
    try audit.readItems(txn)
    try audit.readDocuments(txn)
    try audit.readPostings(ended: try endedDocuments(state, txn), txn)
    try audit.readEnds(view, txn)
    var facts = try DocumentVisibility(tables, state, view, asOf: nil, txn)
    for document in 1..<max(state.nextDocument, 1) {
      try audit.check(document, view, &facts, txn, itemKey: itemKey, visit: visit)
    }
    return try audit.finish()
  }
}

package struct IndexedVersion: Hashable, Sendable {
  /// Its number in the index.
  package var document: UInt32
  /// The item's ordinal.
  package var item: UInt32
  /// Which of the item's versions it is, from 1.
  package var version: UInt32
  /// Hash of its words and where they stand.
  package var content: UInt64
  /// Whether it is the present one.
  package var isLive: Bool
}

extension TextIndex {
  /// The event that made a document: the first sequence at which the index had it.
  /// - Complexity: O(log² documents).
  package func sequence(
    of document: UInt32, through last: UInt64, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt64 {
    let state = try IndexState(txn, tables)
    let view = try WriteBuffer(complete: state, txn, tables)
    return try (1..<max(last, 1)).partitioningIndex { (point) throws(CairnError) in
      try DocumentVisibility(tables, state, view, asOf: point, txn).lastDocument >= document
    }
  }
}

extension WriteBuffer {
  /// A view with all buffered documents, read now.
  init(complete state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError)
  {
    self.init(state)
    try extend(to: state, txn, tables)
  }
}
