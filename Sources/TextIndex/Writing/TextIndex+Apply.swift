package import LMDB
package import Projections

/// One transaction's worth of folding: state and items, written once at the end.
struct Fold: ~Copyable {
  var state: IndexState
  var items = ItemTable()
  var bufferedItems: BufferedItems
  var columns = ColumnWriter()
  var documents = DocumentWriter()
  /// Whether nothing is pending: documents, items and columns are written at once.
  let isBulk: Bool

  mutating func entry(_ item: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError) -> ItemEntry
  {
    if !isBulk, let entry = bufferedItems[item] { return entry }
    return try items.entry(item, txn, tables)
  }

  mutating func set(
    _ item: UInt32, _ entry: ItemEntry, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    if isBulk { try items.set(item, entry, txn, tables) } else { bufferedItems[item] = entry }
  }
}

extension TextIndex {
  /// Folds changes, in order of their sequences, into the open transaction.
  ///
  /// Few changes cost one pending row per new version and one beside it per ended version, and one
  /// row of state. From `IndexLimits.bulkPutCount` puts on, documents go straight to merged form,
  /// and many more straight to the postings lists. A put whose tokens equal those of the item's
  /// present version makes no new version.
  /// - Returns: the digest of all versions after the changes.
  /// - Throws: `.corrupt` when rows read back make no sense; the transaction must be aborted then.
  @discardableResult package func apply(
    _ changes: [Change], in txn: inout WriteTransaction, context: FoldContext
  ) throws(CairnError) -> RowDigest {
    defer { context.endCall() }
    if !context.isAhead { try analyseAhead(changes, in: &txn, context: context) }
    let isBulk = context.isAhead
    var state = try IndexState(txn.reader, tables)
    // Bulk folds ask the table for the items.
    if isBulk { try foldTombstones(&state, &txn) }
    var fold = Fold(
      state: state,
      bufferedItems: isBulk ? BufferedItems() : try bufferedItems(state, txn.reader, context),
      isBulk: isBulk)
    if fold.state.epoch == 0 { fold.state.epoch = UInt64.random(in: 1 ... .max) }
    for change in changes {
      switch change {
      case .put(let item, let itemKey, let sequence, let fields, let buffer):
        if isBulk { try context.takeDocument() } else { analyse(fields, buffer, context) }
        try put(item, NameKey(low: itemKey.0, high: itemKey.1), sequence, &fold, &txn, context)
      case .remove(let item, let itemKey, let sequence):
        try end(item, NameKey(low: itemKey.0, high: itemKey.1), sequence, &fold, &txn)
      }
      if isBulk, context.inverter.postingCount >= IndexLimits.bulkPostingCount {
        try writePostings(&fold.state, &txn, context)
      }
    }
    if isBulk {
      try writePostings(&fold.state, &txn, context)
      try fold.columns.write(&txn, tables)
      try fold.documents.finish(&txn, tables)
      try foldTombstones(&fold.state, &txn)
    }
    try fold.items.write(&txn, tables)
    try fold.state.write(&txn, tables)
    if !isBulk {
      fold.bufferedItems.settle(at: fold.state)
      context.bufferedItems = fold.bufferedItems
    }
    return fold.state.digest
  }

  /// The items that buffered documents and delta tombstones changed, taken from the context when it
  /// has those of this state.
  private func bufferedItems(
    _ state: IndexState, _ txn: borrowing ReadTransaction, _ context: FoldContext
  ) throws(CairnError) -> BufferedItems {
    let known = context.bufferedItems
    // A fold that fails leaves none behind.
    context.bufferedItems = BufferedItems()
    return known.areSettled(at: state) ? known : try BufferedItems(state, txn, tables)
  }

  private func writePostings(
    _ state: inout IndexState, _ txn: inout WriteTransaction, _ context: FoldContext
  ) throws(CairnError) {
    if let build = context.build {
      try build.writeRuns(&txn, tables)
    } else {
      try context.inverter.write(
        &state, &txn, tables, context.pace, deltaByteCountMax: context.deltaByteCountMax)
    }
  }

  /// Has a second thread analyse the documents of an `apply` that is about to come, when they are
  /// so many that they go straight to merged form.
  ///
  /// Between the two calls the transaction may change other tables than those of the index. The
  /// `apply` must put as many documents, in the order given here, and leaves out their fields.
  /// Should it not come, call ``FoldContext/endCall()``.
  /// - Parameters:
  ///   - count: How many documents will be put.
  ///   - name: What ``FoldContext/prepare(_:count:source:)`` called them, if it was told of them.
  ///   - txn: The transaction in which they will be put.
  ///   - context: The context that the `apply` gets.
  ///   - source: The fields of a document by its place, and the bytes they are ranges of.
  /// - Returns: Whether they are analysed ahead; false when they are too few.
  /// - Throws: `.corrupt` when rows read back make no sense; the transaction must be aborted then.
  @discardableResult package func analyseAhead(
    count: Int, named name: UInt64? = nil, in txn: inout WriteTransaction, context: FoldContext,
    source: @escaping @Sendable (Int) -> (fields: [Field], bytes: [UInt8])
  ) throws(CairnError) -> Bool {
    if let build = context.build {
      guard count > 0 else { return false }
      build.begin(count: count, named: name, source: source)
      return true
    }
    guard count >= context.bulkPutCount else { return false }
    var state = try IndexState(txn.reader, tables)
    let isDirect = state.stamp == 0 || count >= context.directPutCount
    try mergeAll(&state, in: &txn, context: context)
    try state.write(&txn, tables)
    context.synchronize(with: state)
    context.analyseAhead(
      count: count, deltaByteCountMax: isDirect ? 0 : context.pace.rowByteCount, analyzer,
      source: source)
    return true
  }

  private func analyseAhead(
    _ changes: [Change], in txn: inout WriteTransaction, context: FoldContext
  ) throws(CairnError) {
    var puts: [Int] = []
    for index in changes.indices { if case .put = changes[index] { puts.append(index) } }
    let places = puts
    try analyseAhead(count: places.count, in: &txn, context: context) { place in
      guard case .put(_, _, _, let fields, let buffer) = changes[places[place]] else {
        return ([], [])
      }
      return (fields, buffer)
    }
  }

  /// Makes the document in the context that of a put on its way to a pending row, which has a
  /// vocabulary of its own.
  private func analyse(_ fields: [Field], _ bytes: [UInt8], _ context: FoldContext) {
    context.vocabulary.removeAll()
    context.document.tokens.read(fields, bytes, analyzer, &context.buffer, &context.vocabulary)
    context.document.content = ContentHash.hash(context.document.tokens, context.vocabulary)
  }

  /// Makes the document in the context the present version of an item.
  private func put(
    _ item: UInt32, _ itemKey: NameKey, _ sequence: UInt64, _ fold: inout Fold,
    _ txn: inout WriteTransaction, _ context: FoldContext
  ) throws(CairnError) {
    guard !context.document.tokens.isEmpty else {
      return try end(item, itemKey, sequence, &fold, &txn)
    }
    let content = context.document.content
    let known = try fold.entry(item, txn.reader, tables)
    if known.document != 0, known.content == content { return }
    try end(item, itemKey, sequence, &fold, &txn)
    let document = fold.state.nextDocument
    guard document < UInt32.max - 1 else {
      throw CairnError(.internal, "the text index has run out of document numbers; rebuild it")
    }
    let header = DocumentRecord.Header(item: item, from: sequence)
    let version = DocumentRecord.Version(number: known.versionCount &+ 1, content: content)
    if fold.isBulk {
      try writeMerged(document, header, &fold, &txn, context)
    } else {
      try writePending(document, header, version, &fold, &txn, context)
    }
    fold.state.nextDocument += 1
    fold.state.liveCount += 1
    let entry = ItemEntry(document, version)
    fold.state.digest.add(entry.row(itemKey, isLive: true))
    try fold.set(item, entry, txn.reader, tables)
  }

  /// Ends the present version of an item, when it has one.
  private func end(
    _ item: UInt32, _ itemKey: NameKey, _ sequence: UInt64, _ fold: inout Fold,
    _ txn: inout WriteTransaction
  ) throws(CairnError) {
    var entry = try fold.entry(item, txn.reader, tables)
    guard entry.document != 0 else { return }
    let end = Tombstone(
      anchor: fold.state.documentCount, number: fold.state.endCount, document: entry.document,
      item: item, end: DocumentEnd(sequence: sequence, content: entry.content))
    var row = ByteWriter(capacity: 24)
    end.write(to: &row)
    let key = end.key
    try txn.append(tables.pending, key.rawSpan, row.bytes)
    fold.state.endCount += 1
    fold.state.liveCount -= 1
    fold.state.digest.remove(entry.row(itemKey, isLive: true))
    fold.state.digest.add(entry.row(itemKey, isLive: false))
    entry.document = 0
    try fold.set(item, entry, txn.reader, tables)
  }

  private func writePending(
    _ document: UInt32, _ header: DocumentRecord.Header, _ version: DocumentRecord.Version,
    _ fold: inout Fold, _ txn: inout WriteTransaction, _ context: FoldContext
  ) throws(CairnError) {
    context.row.removeAll()
    DocumentRecord.writeHeader(header, to: &context.row)
    DocumentRecord.writeVersion(version, to: &context.row)
    DocumentRecord.writeTerms(context.vocabulary, to: &context.row)
    DocumentRecord.writeBody(context.document.tokens, to: &context.row)
    try Self.append(context.row, to: tables.pending, document, &txn)
    fold.state.pendingTokenCount += UInt64(context.document.tokens.tokens.count)
  }

  private func writeMerged(
    _ document: UInt32, _ header: DocumentRecord.Header, _ fold: inout Fold,
    _ txn: inout WriteTransaction, _ context: FoldContext
  ) throws(CairnError) {
    if let build = context.build {
      build.keep(document, header)
      try fold.columns.set(document, item: header.item, &txn, tables)
    } else {
      try context.inverter.resolve(
        context.document.terms, &fold.state, txn.reader, tables, &context.key)
      try writeDocument(document, header, &fold.columns, &fold.documents, &txn, context)
    }
    fold.state.mergedDocument = document
  }

  /// Writes the merged form of the document in the context, whose terms are resolved, and adds its
  /// postings to the batch.
  func writeDocument(
    _ document: UInt32, _ header: DocumentRecord.Header, _ columns: inout ColumnWriter,
    _ documents: inout DocumentWriter, _ txn: inout WriteTransaction, _ context: FoldContext
  ) throws(CairnError) {
    try documents.append(
      document, from: header.from, context.document.tokens, names: context.inverter.terms, &txn,
      tables)
    try columns.set(document, item: header.item, &txn, tables)
    context.inverter.add(document, context.document)
  }

  // The bytes of a class's property do not outlive their reading; those of a parameter do.
  private static func append(
    _ row: borrowing ByteWriter, to table: Table, _ document: UInt32, _ txn: inout WriteTransaction
  ) throws(CairnError) {
    try Parted.put(&txn, table, key: IndexTables.key(document), value: row.bytes, append: true)
  }
}
