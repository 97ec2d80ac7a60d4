internal import LMDB

/// Item and visibility of documents at one point, for one query.
struct DocumentFacts {
  let tables: IndexTables
  let state: IndexState
  let pending: PendingView
  /// The point, nil for the present.
  let asOf: UInt64?
  /// Documents after this one did not exist at the point.
  private(set) var lastDocument: UInt32
  private var block = ColumnBlock()
  private var blockNumber: UInt32?

  init(
    _ tables: IndexTables,
    _ state: IndexState,
    _ pending: PendingView,
    asOf: UInt64?,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    self.tables = tables
    self.state = state
    self.pending = pending
    self.asOf = asOf
    lastDocument = state.nextDocument - 1
    if let asOf { lastDocument = try lastDocument(at: asOf, txn) }
  }

  /// The item a document is a version of.
  mutating func item(
    _ document: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> UInt32 {
    if let pending = pending.document(document) { return pending.header.item }
    try load(document, txn)
    return block.item(ColumnBlock.slot(of: document))
  }

  /// Whether a document was the present version of its item at the point.
  mutating func isVisible(
    _ document: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> Bool {
    guard document <= lastDocument else { return false }
    if pending.document(document) == nil {
      try load(document, txn)
      if !block.isLive(ColumnBlock.slot(of: document)) {
        guard let asOf else { return false }
        guard let row = try txn.get(tables.ends, IndexTables.key(document)) else {
          throw DocumentRecord.damaged
        }
        return try DocumentEnd(row).sequence > asOf
      }
    }
    guard state.recentEndCount > 0 else { return true }
    guard let end = pending.end(of: document, in: state) else { return true }
    return asOf.map { end > $0 } ?? false
  }

  /// Whether every document is visible, so that counting needs no look.
  var areAllVisible: Bool { asOf == nil && state.liveCount == state.documentCount }

  /// Reads the tokens of a pending document, whose terms are numbered by the pending vocabulary, or
  /// those of the titles of a merged one, by their ids.
  func tokens(
    _ document: UInt32,
    into tokens: inout DocumentTokens,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    if let found = pending.document(document) {
      tokens.removeAll()
      tokens.tokens.append(contentsOf: pending.tokens[found.tokens])
      tokens.titles.append(contentsOf: pending.titles[found.titles])
      tokens.lengths = found.lengths
      return
    }
    var value = ByteWriter(capacity: 2_048)
    guard
      try Parted.get(txn, tables.documents, key: IndexTables.key(document), into: &value)
    else { throw DocumentRecord.damaged }
    var reader = ByteReader(value.bytes)
    _ = try DocumentRecord.readHeader(&reader)
    try DocumentRecord.readBody(&reader, into: &tokens)
  }

  private mutating func load(
    _ document: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) {
    let number = ColumnBlock.number(of: document)
    guard blockNumber != number else { return }
    blockNumber = nil
    guard let row = try txn.get(tables.columns, IndexTables.key(number)) else {
      throw DocumentRecord.damaged
    }
    try block.load(row)
    blockNumber = number
  }

  /// The last document that begins at the sequence or before: beginnings rise with the numbers.
  private func lastDocument(
    at sequence: UInt64,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> UInt32 {
    var low: UInt32 = 0
    var high = state.nextDocument - 1
    while low < high {
      let middle = low + (high - low + 1) / 2
      if try from(middle, txn) <= sequence { low = middle } else { high = middle - 1 }
    }
    return low
  }

  private func from(
    _ document: UInt32,
    _ txn: borrowing ReadTransaction
  ) throws(StorageError) -> UInt64 {
    if let pending = pending.document(document) { return pending.header.from }
    let key = IndexTables.key(document) + [0, 0]
    guard let row = try txn.get(tables.documents, key) else { throw DocumentRecord.damaged }
    var reader = ByteReader(row)
    // The byte count of the whole record comes before its header.
    _ = try reader.readBigEndian32()
    return try DocumentRecord.readHeader(&reader).from
  }
}
