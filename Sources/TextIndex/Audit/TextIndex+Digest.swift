package import LMDB
package import Projections

extension TextIndex {
  /// The digest of all versions: a function of the log alone, whatever is merged or pending.
  ///
  /// - Complexity: O(1).
  package func digest(in txn: borrowing ReadTransaction) throws(StorageError) -> RowDigest {
    try IndexState(txn, tables).digest
  }

  /// The digest recomputed from every row, checking on the way that all tables agree: documents,
  /// postings, columns, ends and items; threads that have the recount may help.
  ///
  /// `itemKey` hashes the identifier of an item.
  ///
  /// - Complexity: O(tokens); memory of about 16 bytes a term, 64 a document, and 16 a
  ///   document more for each thread.
  /// - Throws: `.corrupt` naming a row that disagrees.
  package func recomputedDigest(
    in txn: borrowing ReadTransaction, sharing recount: SharedRecount = SharedRecount(),
    itemKey: (UInt32) throws(StorageError) -> NameKey
  ) throws(StorageError) -> RowDigest {
    defer { recount.end() }
    let state = try IndexState(txn, tables)
    // Memory is taken by these counts, so they are held against the rows first.
    let room = try txn.count(tables.documents) * DocumentBlock.countMax
    guard room >= Int(state.mergedDocument),
      try txn.count(tables.pending) >= Int(state.pendingCount) + Int(state.recentEndCount)
    else { throw DocumentRecord.damaged }
    let view = try PendingView(complete: state, txn, tables)
    var audit = IndexAudit(tables: tables, state: state)
    try audit.readItems(txn)
    try audit.readDocuments(txn)
    let postings = try audit.readTerms(txn)
    try audit.readPostings(postings, txn, sharing: recount)
    try audit.readEnds(view, txn)
    var facts = try DocumentFacts(tables, state, view, asOf: nil, txn)
    for document in 1..<max(state.nextDocument, 1) {
      try audit.check(document, view, &facts, txn, itemKey: itemKey)
    }
    return try audit.finish()
  }
}

extension PendingView {
  /// A view with all pending documents, read now.
  init(complete state: IndexState, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(StorageError)
  {
    self.init(state)
    try extend(to: state, txn, tables)
  }
}
