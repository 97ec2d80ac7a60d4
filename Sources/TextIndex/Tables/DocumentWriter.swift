internal import LMDB

/// Writes merged documents behind those there are, one block after the other.
struct DocumentWriter: ~Copyable {
  private var block = DocumentBlock.Builder()
  private var record = ByteWriter()
  private var row = ByteWriter()
  private var isOpen = false
  /// The last document of a stored block that the present one takes the place of.
  private var replaced: UInt32?

  /// Adds the document after the last one, terms renamed through the table given.
  /// - Throws: `.corrupt` when the rows end with another document than the one before.
  mutating func append(
    _ document: UInt32, from sequence: UInt64, _ tokens: DocumentTokens, names: [UInt32],
    _ txn: inout WriteTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    if !isOpen { try open(txn.reader, tables) }
    guard block.last &+ 1 == document else { throw DocumentRecord.damaged }
    record.removeAll()
    DocumentRecord.writeMerged(tokens, names: names, to: &record)
    if !block.hasRoom(for: record.count) {
      try store(&txn, tables)
      block.begin(after: document - 1)
    }
    try block.append(from: sequence, record)
  }

  /// Goes on with the last block, unless it is a long one.
  private mutating func open(_ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError)
  {
    isOpen = true
    var cursor = try txn.cursor(tables.documents)
    guard let found = try cursor.last() else { return block.begin(after: 0) }
    guard found.key.byteCount == 6 else { throw DocumentRecord.damaged }
    let last = found.key.loadBigEndian32(at: 0)
    guard found.key.loadBigEndian16(at: 4) == 0, found.value.byteCount > 4,
      Int(found.value.loadBigEndian32(at: 0)) == found.value.byteCount - 4
    else { return block.begin(after: last) }
    try block.resume(found.value.extracting(4...), last: last)
    replaced = last
  }

  /// Writes the last block.
  mutating func finish(_ txn: inout WriteTransaction, _ tables: IndexTables) throws(CairnError) {
    guard isOpen else { return }
    try store(&txn, tables)
    isOpen = false
  }

  private mutating func store(_ txn: inout WriteTransaction, _ tables: IndexTables)
    throws(CairnError)
  {
    let stored = replaced
    replaced = nil
    guard !block.isEmpty, block.last != stored else { return }
    // Behind all others it fills its page to the brim, which in place of itself it would not.
    if let stored { try Parted.delete(&txn, tables.documents, key: IndexTables.key(stored)) }
    block.write(to: &row)
    let key = IndexTables.key(block.last)
    try Parted.put(&txn, tables.documents, key: key, value: row.bytes, append: true)
  }
}

/// Gathers merged documents as rows for a table that is filled in the order of its keys.
struct DocumentRows: ~Copyable {
  private var block = DocumentBlock.Builder()
  private var row = ByteWriter()
  private var key = ByteWriter(capacity: 4)
  /// Blocks that are complete.
  var rows = RowBatch()

  /// Adds the document after the last one, from 1 on.
  /// - Throws: `.corrupt` for another document, or one from before the last one.
  mutating func append(_ document: UInt32, from sequence: UInt64, _ record: RawSpan)
    throws(CairnError)
  {
    guard block.last &+ 1 == document else { throw DocumentRecord.damaged }
    if !block.hasRoom(for: record.byteCount) {
      try finish()
      block.begin(after: document - 1)
    }
    try block.append(from: sequence, record)
  }

  /// The same for a record in a writer.
  mutating func append(_ document: UInt32, from sequence: UInt64, _ record: borrowing ByteWriter)
    throws(CairnError)
  { try append(document, from: sequence, record.bytes) }

  /// Adds the last block to the rows.
  mutating func finish() throws(CairnError) {
    guard !block.isEmpty else { return }
    block.write(to: &row)
    key.removeAll()
    key.appendBigEndian(block.last)
    try rows.appendParted(key, row)
    let last = block.last
    block.begin(after: last)
  }
}
