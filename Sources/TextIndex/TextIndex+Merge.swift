package import LMDB

extension TextIndex {
  /// Takes one bounded step of merging, when one is due: brings pending documents into merged form,
  /// or recent postings of some terms into their lists.
  ///
  /// A step takes some 512 documents, or 512 terms, and a fraction of 50 ms. Forced, it goes on until
  /// nothing is pending and no postings are recent. Results and digests do not change.
  ///
  /// - Returns: whether more must not wait for the next changes.
  @discardableResult
  package func mergeIfDue(
    in txn: inout WriteTransaction,
    force: Bool,
    context: FoldContext
  ) throws(StorageError) -> Bool {
    var state = try IndexState(txn.reader, tables)
    if force {
      try mergeAll(&state, in: &txn, context: context)
      try sweepAll(&state, in: &txn)
    } else if Self.isMergeDue(state, context.pace) {
      try mergeStep(&state, in: &txn, context: context)
    } else if state.sweepDebt > 0 {
      try sweepStep(&state, in: &txn, pace: context.pace)
    } else {
      return false
    }
    try state.write(&txn, tables)
    return Self.isMergeDue(state, context.pace) || state.sweepDebt > IndexLimits.sweepDebtMax
  }

  private static func isMergeDue(_ state: IndexState, _ pace: MergePace) -> Bool {
    Int(state.pendingCount) >= pace.documentCount
      || state.pendingTokenCount >= UInt64(IndexLimits.mergeTokenCount)
      || Int(state.recentEndCount) >= pace.documentCount
  }

  /// Merges until nothing is pending.
  func mergeAll(
    _ state: inout IndexState,
    in txn: inout WriteTransaction,
    context: FoldContext
  ) throws(StorageError) {
    while state.pendingCount > 0 || state.recentEndCount > 0 {
      try mergeStep(&state, in: &txn, context: context)
    }
  }

  /// Merges the oldest pending documents.
  private func mergeStep(
    _ state: inout IndexState,
    in txn: inout WriteTransaction,
    context: FoldContext
  ) throws(StorageError) {
    var columns = ColumnWriter()
    var documentCount = 0
    var tokenCount = 0
    context.synchronize(with: state)
    while state.pendingCount > 0, documentCount < context.pace.documentCount,
      tokenCount < IndexLimits.mergeStepTokenCount
    {
      let document = state.mergedDocument + 1
      let header = try readPending(document, txn.reader, context)
      try context.inverter.resolve(
        context.document.terms,
        &state,
        txn.reader,
        tables,
        &context.key
      )
      try writeDocument(document, header, &columns, &txn, context)
      try Parted.delete(&txn, tables.pending, key: IndexTables.key(document))
      documentCount += 1
      tokenCount += context.document.tokens.tokens.count
      state.mergedDocument = document
    }
    guard state.pendingTokenCount >= UInt64(tokenCount) else { throw DocumentRecord.damaged }
    state.pendingTokenCount -= UInt64(tokenCount)
    if documentCount > 0 { try context.inverter.writeRecent(&state, &txn, tables, context.pace) }
    try columns.write(&txn, tables)
    try foldRecentEnds(&state, &txn)
  }

  /// Reads a pending document into the context, its terms as numbers of the analyst's vocabulary.
  private func readPending(
    _ document: UInt32,
    _ txn: borrowing ReadTransaction,
    _ context: FoldContext
  ) throws(StorageError) -> DocumentRecord.Header {
    guard let bytes = try Parted.get(txn, tables.pending, key: IndexTables.key(document)) else {
      throw DocumentRecord.damaged
    }
    var reader = ByteReader(bytes.rawSpan)
    let header = try DocumentRecord.readHeader(&reader)
    let ranges = try DocumentRecord.readTerms(&reader)
    try DocumentRecord.readBody(&reader, into: &context.document.tokens)
    var numbers: [UInt32] = []
    numbers.reserveCapacity(ranges.count)
    for range in ranges {
      numbers.append(context.analyst.intern(bytes, range))
    }
    for index in context.document.tokens.tokens.indices {
      let local = Int(context.document.tokens.tokens[index].term)
      guard local < numbers.count else { throw DocumentRecord.damaged }
      context.document.tokens.tokens[index].term = numbers[local]
    }
    context.inverter.learn(context.analyst.vocabulary.keys)
    context.analyst.weigh(&context.document)
    return header
  }

  /// Enters recent ends of merged documents into the columns.
  func foldRecentEnds(
    _ state: inout IndexState,
    _ txn: inout WriteTransaction
  ) throws(StorageError) {
    guard state.recentEndCount > 0 else { return }
    let ends = try recentEnds(through: state.mergedDocument, txn.reader)
    var columns = ColumnWriter()
    var row = ByteWriter(capacity: 24)
    for (document, end) in ends {
      try columns.clear(document, &txn, tables)
      try txn.delete(tables.ends, IndexTables.endKey(document, inColumns: false))
      row.removeAll()
      end.write(to: &row)
      try txn.put(tables.ends, IndexTables.endKey(document, inColumns: true).rawSpan, row.bytes)
    }
    try columns.write(&txn, tables)
    guard ends.count <= Int(state.recentEndCount) else { throw DocumentRecord.damaged }
    state.recentEndCount -= UInt32(ends.count)
  }

  private func recentEnds(
    through last: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> [(document: UInt32, end: DocumentEnd)] {
    var ends: [(document: UInt32, end: DocumentEnd)] = []
    var cursor = try txn.cursor(tables.ends)
    while let entry = try cursor.next() {
      guard entry.key.byteCount == 5 else { throw DocumentRecord.damaged }
      let document = entry.key.loadBigEndian32(at: 1)
      guard entry.key.byte(at: 0) == 0, document <= last else { break }
      ends.append((document, try DocumentEnd(entry.value)))
    }
    return ends
  }
}
