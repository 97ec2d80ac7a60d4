package import LMDB
package import Projections
internal import Text

/// One transaction's worth of folding: state and items, written once at the end.
struct Fold: ~Copyable {
  var state: IndexState
  var items = ItemTable()
  var columns = ColumnWriter()
  let isBulk: Bool
}

extension TextIndex {
  /// Folds changes, in order of their sequences, into the open transaction.
  ///
  /// Few changes cost one pending row per new version, one row per ended version, the rows of the
  /// items and one row of state. From `IndexLimits.bulkPutCount` puts on, documents go straight to
  /// merged form; the larger the batch, the less each document costs. A put whose tokens equal
  /// those of the item's present version makes no new version.
  ///
  /// - Returns: the digest of all versions after the changes.
  /// - Throws: `.corrupt` when rows read back make no sense; the transaction must be aborted then.
  @discardableResult
  package func apply(
    _ changes: [Change],
    in txn: inout WriteTransaction,
    context: FoldContext
  ) throws(StorageError) -> RowDigest {
    var putCount = 0
    for case .put in changes { putCount += 1 }
    let isBulk = putCount >= context.bulkPutCount
    if isBulk { try mergeAll(in: &txn, context: context) }
    var fold = Fold(state: try IndexState(txn.reader, tables), isBulk: isBulk)
    if fold.state.epoch == 0 { fold.state.epoch = UInt64.random(in: 1 ... .max) }
    if isBulk { context.inverter.synchronize(with: fold.state) }
    for change in changes {
      switch change {
      case .put(let item, let itemKey, let sequence, let fields, let buffer):
        analyze(fields, buffer, context, isBulk: isBulk)
        try put(item, itemKey, sequence, &fold, &txn, context)
      case .remove(let item, _, let sequence):
        try end(item, sequence, &fold, &txn)
      }
      if isBulk, context.inverter.postingCount >= IndexLimits.bulkPostingCount {
        try context.inverter.writeBatch(&fold.state, &txn, tables)
      }
    }
    if isBulk {
      try context.inverter.writeBatch(&fold.state, &txn, tables)
      try fold.columns.write(&txn, tables)
      try foldRecentEnds(&fold.state, &txn)
    }
    try fold.items.write(&txn, tables)
    try fold.state.write(&txn, tables)
    return fold.state.digest
  }

  /// Fills `context.tokens` with the tokens of a put, in the vocabulary that fits the path.
  private func analyze(
    _ fields: [Field],
    _ buffer: [UInt8],
    _ context: FoldContext,
    isBulk: Bool
  ) {
    context.tokens.removeAll()
    if !isBulk { context.vocabulary.removeAll() }
    for kind in FieldKind.allCases {
      var start: UInt32 = 0
      for field in fields where field.kind == kind {
        analyzer.analyze(buffer.span.extracting(field.bytes), into: &context.buffer)
        guard let last = context.buffer.tokens.last else { continue }
        // An emoji at the end stands behind the last counted position.
        let length = max(context.buffer.positionCount, last.position + 1)
        if isBulk {
          Self.take(&context.buffer, kind, start, &context.inverter.vocabulary, &context.tokens)
        } else {
          Self.take(&context.buffer, kind, start, &context.vocabulary, &context.tokens)
        }
        if kind == .title {
          context.tokens.titles.append(DocumentTokens.Title(start: start, length: length))
        }
        context.tokens.lengths[Int(kind.rawValue)] += length
        start += length + IndexLimits.valueGap
      }
    }
  }

  private static func take(
    _ buffer: inout TokenBuffer,
    _ kind: FieldKind,
    _ start: UInt32,
    _ vocabulary: inout Vocabulary,
    _ document: inout DocumentTokens
  ) {
    var last: UInt32 = 0
    let bytes = buffer.bytes
    for token in buffer.tokens {
      // Positions never go back, whatever the analyzer does: the record relies on it.
      last = max(last, token.position)
      let term = vocabulary.intern(space: token.space.rawValue, bytes, token.byteRange)
      document.tokens.append(
        DocumentTokens.Token(term: term, position: start + last, kind: kind.rawValue)
      )
    }
  }

  /// Makes the tokens in the context the present version of an item.
  private func put(
    _ item: UInt32,
    _ itemKey: (UInt64, UInt64),
    _ sequence: UInt64,
    _ fold: inout Fold,
    _ txn: inout WriteTransaction,
    _ context: FoldContext
  ) throws(StorageError) {
    guard !context.tokens.tokens.isEmpty else { return try end(item, sequence, &fold, &txn) }
    let vocabulary = fold.isBulk ? context.inverter.vocabulary : context.vocabulary
    let content = ContentHash.hash(context.tokens, vocabulary)
    let known = try fold.items.entry(item, txn.reader, tables)
    if known.document != 0, known.content == content { return }
    try end(item, sequence, &fold, &txn)
    let document = fold.state.nextDocument
    guard document < UInt32.max - 1 else {
      throw StorageError(
        .internal,
        "the text index has run out of document numbers; rebuild it"
      )
    }
    let header = DocumentRecord.Header(item: item, from: sequence)
    if fold.isBulk {
      try writeMerged(document, header, &fold, &txn, context)
    } else {
      try writePending(document, header, &fold, &txn, context)
    }
    fold.state.nextDocument += 1
    fold.state.liveCount += 1
    let entry = ItemEntry(
      keyLow: itemKey.0,
      keyHigh: itemKey.1,
      document: document,
      versionCount: known.versionCount + 1,
      content: content
    )
    fold.state.digest.add(entry.row(isLive: true))
    try fold.items.set(item, entry, txn.reader, tables)
  }

  /// Ends the present version of an item, when it has one.
  private func end(
    _ item: UInt32,
    _ sequence: UInt64,
    _ fold: inout Fold,
    _ txn: inout WriteTransaction
  ) throws(StorageError) {
    var entry = try fold.items.entry(item, txn.reader, tables)
    guard entry.document != 0 else { return }
    let key = IndexTables.endKey(entry.document, inColumns: false)
    var row = ByteWriter(capacity: 16)
    row.appendVarint(sequence)
    try txn.put(tables.ends, key.rawSpan, row.bytes)
    fold.state.recentEndCount += 1
    fold.state.liveCount -= 1
    fold.state.digest.remove(entry.row(isLive: true))
    fold.state.digest.add(entry.row(isLive: false))
    entry.document = 0
    try fold.items.set(item, entry, txn.reader, tables)
  }

  private func writePending(
    _ document: UInt32,
    _ header: DocumentRecord.Header,
    _ fold: inout Fold,
    _ txn: inout WriteTransaction,
    _ context: FoldContext
  ) throws(StorageError) {
    context.row.removeAll()
    DocumentRecord.writeHeader(header, to: &context.row)
    DocumentRecord.writeTerms(context.vocabulary, to: &context.row)
    DocumentRecord.writeBody(context.tokens, names: nil, to: &context.row)
    try Self.append(context.row, to: tables.pending, document, &txn)
    fold.state.pendingTokenCount += UInt64(context.tokens.tokens.count)
  }

  private func writeMerged(
    _ document: UInt32,
    _ header: DocumentRecord.Header,
    _ fold: inout Fold,
    _ txn: inout WriteTransaction,
    _ context: FoldContext
  ) throws(StorageError) {
    try context.inverter.resolve(context.tokens, &fold.state, txn.reader, tables, &context.key)
    try writeDocument(document, header, &fold.columns, &txn, context)
    fold.state.mergedDocument = document
  }

  /// Writes the merged form of the tokens in the context, whose terms are resolved, and adds its
  /// postings to the batch.
  func writeDocument(
    _ document: UInt32,
    _ header: DocumentRecord.Header,
    _ columns: inout ColumnWriter,
    _ txn: inout WriteTransaction,
    _ context: FoldContext
  ) throws(StorageError) {
    context.row.removeAll()
    DocumentRecord.writeHeader(header, to: &context.row)
    DocumentRecord.writeBody(context.tokens, names: context.inverter.terms, to: &context.row)
    try Self.append(context.row, to: tables.documents, document, &txn)
    try columns.set(document, item: header.item, &txn, tables)
    context.inverter.add(document, context.tokens)
  }

  private static func append(
    _ row: borrowing ByteWriter,
    to table: Table,
    _ document: UInt32,
    _ txn: inout WriteTransaction
  ) throws(StorageError) {
    try Parted.put(
      &txn,
      table,
      key: IndexTables.key(document),
      value: row.bytes,
      append: true
    )
  }
}
