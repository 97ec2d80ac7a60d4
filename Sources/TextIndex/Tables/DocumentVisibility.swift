internal import LMDB

struct DocumentVisibility {
  let tables: IndexTables
  let state: IndexState
  let pending: WriteBuffer
  /// The point, nil for the present.
  let asOf: UInt64?
  /// Which texts are shown; nil where all are.
  var standing: TextIndex.Standing?
  /// Documents after this one did not exist at the point.
  private(set) var lastDocument: UInt32
  private var block = ColumnBlock()
  private var blockNumber: UInt32?
  /// The block that titles were read from last, and its documents: the next ones are often there.
  private var titles: [UInt8] = []
  private var titled: ClosedRange<UInt32>?

  init(
    _ tables: IndexTables, _ state: IndexState, _ pending: WriteBuffer, asOf: UInt64?,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    self.tables = tables
    self.state = state
    self.pending = pending
    self.asOf = asOf
    lastDocument = state.nextDocument - 1
    if let asOf { lastDocument = try lastDocument(at: asOf, txn) }
  }

  /// The item a document is a version of.
  mutating func item(_ document: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> UInt32
  {
    if let pending = pending.document(document) { return pending.header.item }
    try load(document, txn)
    return try block.item(ColumnBlock.slot(of: document))
  }

  /// The documents of a point as a question meets them; nil where there are none.
  init?(
    _ index: TextIndex, asOf: UInt64?, standing: TextIndex.Standing? = nil,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let state = try IndexState(txn, index.tables)
    guard state.documentCount > 0 else { return nil }
    let pending = try index.bufferCache.view(state, txn, index.tables)
    try self.init(index.tables, state, pending, asOf: asOf, txn)
    guard lastDocument > 0 else { return nil }
    self.standing = standing
  }

  /// Whether a document was the present version of its item at the point.
  mutating func isVisible(_ document: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> Bool
  {
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
    guard state.tombstoneCount > 0 else { return true }
    guard let end = pending.end(of: document, in: state) else { return true }
    return asOf.map { end > $0 } ?? false
  }

  /// Whether a document was the present version of an item that was there at the point.
  mutating func isFound(_ document: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> Bool
  {
    guard try isVisible(document, txn) else { return false }
    guard let standing else { return true }
    return try standing.item(try item(document, txn), txn) != nil
  }

  /// The item that shows the text which stands under one; nil where it shows another.
  ///
  /// Where all texts stand under their own items, it is not asked whether they are there. Changes
  /// nothing; `mutating` has it called in place, where else all of this would be copied.
  mutating func shownItem(of text: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> UInt32?
  {
    guard let standing, standing.text != nil else { return text }
    return try standing.item(text, txn)
  }

  /// The first document from one on that is not known to have ended: where many have, there is
  /// nothing to be found between.
  /// - Complexity: O(documents passed over), a fraction of a nanosecond for each.
  /// - Throws: `.corrupt` for a damaged row.
  func firstLive(from document: UInt32, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> UInt32
  {
    guard asOf == nil, document <= state.mergedDocument else { return document }
    var number = ColumnBlock.number(of: document)
    var slot = ColumnBlock.slot(of: document)
    let last = ColumnBlock.number(of: state.mergedDocument)
    var found: UInt32?
    try txn.scan(tables.columns, from: IndexTables.key(number)) { (key, row) throws(CairnError) in
      guard key.byteCount == 4, key.loadBigEndian32(at: 0) == number else {
        throw DocumentRecord.damaged
      }
      found = try ColumnBlock.firstLive(row, from: slot).map { ColumnBlock.document(number, $0) }
      number += 1
      slot = 0
      return found == nil && number <= last
    }
    if let found { return found }
    guard number > last else { throw DocumentRecord.damaged }
    return state.mergedDocument + 1
  }

  /// Whether every document is visible, so that counting needs no look.
  var areAllVisible: Bool {
    asOf == nil && standing == nil && state.liveCount == state.documentCount
  }

  /// Reads the tokens of a buffered document, whose terms are numbered by the pending vocabulary,
  /// or those of the titles of a merged one, by their ids.
  mutating func tokens(
    _ document: UInt32, into tokens: inout DocumentTokens, _ txn: borrowing ReadTransaction
  ) throws(CairnError) {
    if let found = pending.document(document) {
      tokens.removeAll()
      tokens.tokens.append(contentsOf: pending.tokens[found.tokens])
      tokens.titles.append(contentsOf: pending.titles[found.titles])
      tokens.lengths = found.lengths
      tokens.weights = found.weights
      return
    }
    let documents = try loadTitles(of: document, txn)
    var isFound = false
    try DocumentBlock.visit(titles.rawSpan, through: documents.upperBound) {
      (found, _, record) throws(CairnError) in
      guard found == document else { return true }
      isFound = true
      try DocumentRecord.readMerged(record, into: &tokens)
      return false
    }
    guard isFound else { throw DocumentRecord.damaged }
  }

  private mutating func loadTitles(of document: UInt32, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> ClosedRange<UInt32>
  {
    if let titled, titled.contains(document) { return titled }
    titled = nil
    var value = ByteWriter(capacity: 2_048)
    let last = try readBlock(of: document, into: &value, txn)
    titles.removeAll(keepingCapacity: true)
    titles.append(value.bytes)
    let documents = try DocumentBlock.documents(value.bytes, through: last)
    titled = documents
    return documents
  }

  /// Reads the block that a merged document stands in, and tells its last document.
  private func readBlock(
    of document: UInt32, into value: inout ByteWriter, _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt32 {
    var cursor = try txn.cursor(tables.documents)
    guard let last = try Parted.nextNumbered(&cursor, from: document, into: &value) else {
      throw DocumentRecord.damaged
    }
    return last
  }

  private mutating func load(_ document: UInt32, _ txn: borrowing ReadTransaction)
    throws(CairnError)
  {
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
  private func lastDocument(at sequence: UInt64, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> UInt32
  {
    var low: UInt32 = 0
    var high = state.nextDocument - 1
    var value = ByteWriter(capacity: 2_048)
    while low < high {
      let middle = low + (high - low + 1) / 2
      if let pending = pending.document(middle) {
        if pending.header.from <= sequence { low = middle } else { high = middle - 1 }
        continue
      }
      let last = try readBlock(of: middle, into: &value, txn)
      let known = try Self.lastDocument(at: sequence, value.bytes, through: last)
      // The block tells of all its documents at once.
      if known.first > middle || last > high { throw DocumentRecord.damaged }
      if known.found == last {
        low = last
      } else if known.found == 0 {
        high = known.first - 1
      } else {
        return known.found
      }
    }
    return low
  }

  /// The first document of a block, and the last one that begins at the sequence or before; 0 for
  /// none.
  private static func lastDocument(
    at sequence: UInt64, _ block: borrowing RawSpan, through last: UInt32
  ) throws(CairnError) -> (first: UInt32, found: UInt32) {
    var first: UInt32 = 0
    var found: UInt32 = 0
    try DocumentBlock.visit(block, through: last) { (document, from, _) throws(CairnError) in
      if first == 0 { first = document }
      guard from <= sequence else { return false }
      found = document
      return true
    }
    return (first, found)
  }
}
