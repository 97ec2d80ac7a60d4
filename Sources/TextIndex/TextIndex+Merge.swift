package import LMDB

extension TextIndex {
  /// Brings pending documents into merged form, when enough have gathered or when forced.
  ///
  /// One call takes a bounded step (1,024 documents, about 49,000 tokens, below 50 ms) and may have
  /// to be called again; forced, it goes on until nothing is pending. Results and digests do not
  /// change.
  ///
  /// - Returns: whether more is due.
  @discardableResult
  package func mergeIfDue(
    in txn: inout WriteTransaction,
    force: Bool,
    context: FoldContext
  ) throws(StorageError) -> Bool {
    if force {
      try mergeAll(in: &txn, context: context)
      return false
    }
    let state = try IndexState(txn.reader, tables)
    guard Self.isMergeDue(state) else { return false }
    try mergeStep(state, in: &txn, context: context)
    return Self.isMergeDue(try IndexState(txn.reader, tables))
  }

  private static func isMergeDue(_ state: IndexState) -> Bool {
    Int(state.pendingCount) >= IndexLimits.mergeDocumentCount
      || state.pendingTokenCount >= UInt64(IndexLimits.mergeTokenCount)
      || Int(state.recentEndCount) >= IndexLimits.mergeDocumentCount
  }

  /// Merges until nothing is pending.
  func mergeAll(
    in txn: inout WriteTransaction,
    context: FoldContext
  ) throws(StorageError) {
    while true {
      let state = try IndexState(txn.reader, tables)
      guard state.pendingCount > 0 || state.recentEndCount > 0 else { return }
      try mergeStep(state, in: &txn, context: context)
    }
  }

  /// Merges the oldest pending documents.
  private func mergeStep(
    _ start: IndexState,
    in txn: inout WriteTransaction,
    context: FoldContext
  ) throws(StorageError) {
    var state = start
    var columns = ColumnWriter()
    var documentCount = 0
    var tokenCount = 0
    context.synchronize(with: state)
    while state.pendingCount > 0, documentCount < IndexLimits.mergeStepDocumentCount,
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
    if documentCount > 0 { try context.inverter.writeBatch(&state, &txn, tables) }
    try columns.write(&txn, tables)
    try foldRecentEnds(&state, &txn)
    try state.write(&txn, tables)
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
