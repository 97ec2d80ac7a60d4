package import LMDB

extension TextIndex {
  /// Takes one bounded step of merging, when one is due: brings buffered documents into merged
  /// form, ends of documents into the columns, or delta postings of some terms into their lists.
  ///
  /// A step takes some 384 documents or ends, or 128 terms, and a fraction of 50 ms. Forced, it
  /// goes on until nothing is pending and no postings are recent. Results and digests do not
  /// change.
  /// - Returns: whether more must not wait for the next changes.
  @discardableResult package func mergeIfDue(
    in txn: inout WriteTransaction, force: Bool, context: FoldContext
  ) throws(CairnError) -> Bool {
    var state = try IndexState(txn.reader, tables)
    if force {
      try mergeAll(&state, in: &txn, context: context)
      try compactAll(&state, in: &txn)
      if !context.isBuilding, Self.isSplitDue(state, context.pace) {
        repeat { try splitStep(&state, in: &txn, pace: context.pace) } while state.isSplitting
      }
    } else if Self.areDocumentsDue(state, context.pace) {
      try mergeStep(&state, in: &txn, context: context)
    } else if Self.areEndsDue(state, context.pace) {
      // Ends wait for the documents before them.
      if try foldTombstones(&state, &txn) == 0 { try mergeStep(&state, in: &txn, context: context) }
    } else if state.compactionDebt > 0 {
      try compact(&state, in: &txn, pace: context.pace)
    } else if !context.isBuilding, Self.isSplitDue(state, context.pace) {
      try splitStep(&state, in: &txn, pace: context.pace)
    } else {
      return false
    }
    try state.write(&txn, tables)
    // What came due together is done one by one, each with the next changes.
    return Self.areDocumentsDue(state, context.pace)
      || Int(state.tombstoneCount) >= 2 * context.pace.documentCount
      || state.compactionDebt > IndexLimits.compactionDebtMax
      || !context.isBuilding && Self.isSplitLate(state, context.pace)
  }

  /// Whether ``mergeIfDue(in:force:context:)`` would take a step.
  package func isMergeDue(in txn: borrowing ReadTransaction, context: FoldContext)
    throws(CairnError) -> Bool
  {
    let state = try IndexState(txn, tables)
    return Self.areDocumentsDue(state, context.pace) || Self.areEndsDue(state, context.pace)
      || state.compactionDebt > 0
      || !context.isBuilding && Self.isSplitDue(state, context.pace)
  }

  private static func areDocumentsDue(_ state: IndexState, _ pace: MergePace) -> Bool {
    Int(state.pendingCount) >= pace.documentCount
      || state.pendingTokenCount >= UInt64(IndexLimits.mergeTokenCount)
  }

  private static func areEndsDue(_ state: IndexState, _ pace: MergePace) -> Bool {
    Int(state.tombstoneCount) >= pace.documentCount
  }

  /// Merges until nothing is pending.
  func mergeAll(_ state: inout IndexState, in txn: inout WriteTransaction, context: FoldContext)
    throws(CairnError)
  {
    while state.pendingCount > 0 || state.tombstoneCount > 0 {
      try mergeStep(&state, in: &txn, context: context)
      try foldTombstones(&state, &txn)
    }
  }

  /// Merges the oldest buffered documents.
  private func mergeStep(
    _ state: inout IndexState, in txn: inout WriteTransaction, context: FoldContext
  ) throws(CairnError) {
    var columns = ColumnWriter()
    var documents = DocumentWriter()
    var items = ItemTable()
    var documentCount = 0
    var tokenCount = 0
    context.synchronize(with: state)
    while state.pendingCount > 0, documentCount < context.pace.documentCount,
      tokenCount < IndexLimits.mergeStepTokenCount
    {
      let document = state.mergedDocument + 1
      let (header, version) = try readPending(document, txn.reader, context)
      try context.inverter.resolve(context.document.terms, &state, txn.reader, tables, &context.key)
      try writeDocument(document, header, &columns, &documents, &txn, context)
      try items.set(header.item, ItemEntry(document, version), txn.reader, tables)
      try Parted.delete(&txn, tables.pending, key: IndexTables.key(document))
      documentCount += 1
      tokenCount += context.document.tokens.tokens.count
      state.mergedDocument = document
    }
    guard state.pendingTokenCount >= UInt64(tokenCount) else { throw DocumentRecord.damaged }
    state.pendingTokenCount -= UInt64(tokenCount)
    if documentCount > 0 {
      try context.inverter.write(
        &state, &txn, tables, context.pace, deltaByteCountMax: context.pace.rowByteCount)
    }
    try columns.write(&txn, tables)
    try documents.finish(&txn, tables)
    try items.write(&txn, tables)
  }

  /// Reads a buffered document into the context, its terms as numbers of the analyst's vocabulary.
  private func readPending(
    _ document: UInt32, _ txn: borrowing ReadTransaction, _ context: FoldContext
  ) throws(CairnError) -> (DocumentRecord.Header, DocumentRecord.Version) {
    guard let bytes = try Parted.get(txn, tables.pending, key: IndexTables.key(document)) else {
      throw DocumentRecord.damaged
    }
    var reader = ByteReader(bytes.rawSpan)
    let header = try DocumentRecord.readHeader(&reader)
    let version = try DocumentRecord.readVersion(&reader)
    let ranges = try DocumentRecord.readTerms(&reader)
    try DocumentRecord.readBody(&reader, into: &context.document.tokens)
    var numbers: [UInt32] = []
    numbers.reserveCapacity(ranges.count)
    for range in ranges { numbers.append(context.analyst.intern(bytes, range)) }
    for index in context.document.tokens.tokens.indices {
      let local = Int(context.document.tokens.tokens[index].term)
      guard local < numbers.count else { throw DocumentRecord.damaged }
      context.document.tokens.tokens[index].term = numbers[local]
    }
    context.inverter.learn(context.analyst.vocabulary.keys)
    context.analyst.weigh(&context.document)
    return (header, version)
  }

  /// Enters delta tombstones into the columns and the items, all that no buffered document comes
  /// before.
  /// - Returns: how many.
  @discardableResult func foldTombstones(_ state: inout IndexState, _ txn: inout WriteTransaction)
    throws(CairnError) -> Int
  {
    guard state.tombstoneCount > 0 else { return 0 }
    let ends = try tombstones(of: state, txn.reader)
    var columns = ColumnWriter()
    var items = ItemTable()
    var row = ByteWriter(capacity: 24)
    for end in ends.sorted(by: { $0.document < $1.document }) {
      try columns.clear(end.document, &txn, tables)
      row.removeAll()
      end.end.write(to: &row)
      try txn.put(tables.ends, IndexTables.key(end.document).rawSpan, row.bytes)
      var entry = try items.entry(end.item, txn.reader, tables)
      // A later version may be merged already.
      guard entry.document == end.document else { continue }
      entry.document = 0
      try items.set(end.item, entry, txn.reader, tables)
    }
    try columns.write(&txn, tables)
    try items.write(&txn, tables)
    for end in ends { try txn.delete(tables.pending, end.key) }
    state.foldedTombstoneCount += UInt32(ends.count)
    return ends.count
  }

  /// The delta tombstones behind merged documents: the first rows of their table.
  private func tombstones(of state: IndexState, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [Tombstone]
  {
    var ends: [Tombstone] = []
    var cursor = try txn.cursor(tables.pending)
    while let row = try cursor.next(), Tombstone.isKey(row.key) {
      let end = try Tombstone(row.key, row.value)
      guard end.anchor <= state.mergedDocument else { break }
      guard end.number == state.foldedTombstoneCount + UInt32(ends.count),
        end.number < state.endCount
      else { throw DocumentRecord.damaged }
      ends.append(end)
    }
    return ends
  }
}
