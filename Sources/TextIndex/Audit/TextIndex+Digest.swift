package import LMDB
package import Projections

extension TextIndex {
  /// The digest of all versions: a function of the log alone, whatever is merged or pending.
  ///
  /// - Complexity: O(1).
  package func digest(in txn: borrowing ReadTransaction) throws(CairnError) -> RowDigest {
    try IndexState(txn, tables).digest
  }

  /// The digest recomputed from every row, checking on the way that all tables agree: documents,
  /// postings, columns, ends and items.
  ///
  /// `itemKey` hashes the identifier of an item.
  ///
  /// - Complexity: O(tokens); memory of about 16 bytes a term and 80 a document.
  /// - Throws: `.corrupt` naming a row that disagrees.
  package func recomputedDigest(
    in txn: borrowing ReadTransaction, itemKey: (UInt32) throws(CairnError) -> NameKey
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
    try audit.readPostings(txn)
    try audit.readEnds(view, txn)
    var facts = try DocumentVisibility(tables, state, view, asOf: nil, txn)
    for document in 1..<max(state.nextDocument, 1) {
      try audit.check(document, view, &facts, txn, itemKey: itemKey)
    }
    return try audit.finish()
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
