/// Rows on their way into a table, in the order of keys, kept in one run of memory.
///
/// For copying tables from file to file: what is gathered here can be written again when the
/// target's map has to grow.
package struct RowBatch: ~Copyable {
  private var bytes = ByteWriter(capacity: 1 << 20)
  private var ends: [(key: Int, value: Int)] = []

  /// Bytes from which on a batch had better be written: about four thousand pages.
  private static let fullByteCount = 16 << 20

  /// An empty batch.
  package init() {}

  /// Whether there is enough for a transaction.
  package var isFull: Bool { bytes.count >= Self.fullByteCount }

  /// Whether there is no row.
  package var isEmpty: Bool { ends.isEmpty }

  /// Adds a row; keys must rise.
  package mutating func append(_ key: RawSpan, _ value: RawSpan) {
    bytes.append(key)
    let keyEnd = bytes.count
    bytes.append(value)
    ends.append((keyEnd, bytes.count))
  }

  /// Forgets all rows and keeps the room.
  package mutating func removeAll() {
    bytes.removeAll()
    ends.removeAll(keepingCapacity: true)
  }

  /// Stores the rows behind those of a table.
  func write(to table: Table, in txn: inout WriteTransaction) throws(StorageError) {
    var start = 0
    for end in ends {
      let row = bytes.bytes
      try txn.append(
        table,
        row.extracting(start..<end.key),
        row.extracting(end.key..<end.value)
      )
      start = end.value
    }
  }
}

extension Environment {
  /// Stores rows behind those of a table, in a transaction of their own, and empties the batch.
  ///
  /// - Throws: `.diskFull` and the like; `.badArgument` when keys do not rise.
  package func append(_ batch: inout RowBatch, to table: Table) throws(StorageError) {
    guard !batch.isEmpty else { return }
    try write { (txn) throws(StorageError) in try batch.write(to: table, in: &txn) }
    batch.removeAll()
  }

  /// Copies rows of a table of another file into an empty table of this one, in the order of keys.
  ///
  /// `edit` gets each row and adds to the batch what becomes of it: itself, something else with a key
  /// that comes after those before, or nothing.
  /// - Complexity: O(rows), some 200 ns each.
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like; what `edit` throws.
  package func copyRows(
    of source: Table,
    in reader: borrowing ReadTransaction,
    to table: Table,
    _ edit: (RawSpan, RawSpan, inout RowBatch) throws(StorageError) -> Void
  ) throws(StorageError) {
    var batch = RowBatch()
    var cursor = try reader.cursor(source)
    while let row = try cursor.next() {
      try edit(row.key, row.value, &batch)
      if batch.isFull { try append(&batch, to: table) }
    }
    try append(&batch, to: table)
  }
}
