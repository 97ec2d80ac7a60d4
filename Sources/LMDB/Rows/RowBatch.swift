/// Rows on their way into a table, in the order of keys, kept in one run of memory.
///
/// What is gathered here can be written again when the map has to grow.
package struct RowBatch: ~Copyable, Sendable {
  private var bytes = ByteWriter()
  private var ends: [(key: Int, value: Int)] = []

  /// Bytes from which on a batch had better be written: about a thousand pages.
  package static let fullByteCount = 4 << 20

  /// An empty batch.
  package init() {}

  /// Bytes of keys and values.
  package var byteCount: Int { bytes.count }

  /// Whether there is enough for a transaction.
  package var isFull: Bool { bytes.count >= Self.fullByteCount }

  package var isEmpty: Bool { ends.isEmpty }

  /// Adds a row.
  package mutating func append(_ key: RawSpan, _ value: RawSpan) {
    bytes.append(key)
    let keyEnd = bytes.count
    bytes.append(value)
    ends.append((keyEnd, bytes.count))
  }

  /// Adds a row.
  package mutating func append(_ key: borrowing ByteWriter, _ value: borrowing ByteWriter) {
    append(key.bytes, value.bytes)
  }

  /// Forgets all rows and keeps the room.
  package mutating func removeAll() {
    bytes.removeAll()
    ends.removeAll(keepingCapacity: true)
  }

  /// Stores the rows in a table; with `append`, behind all others.
  package func write(to table: Table, append: Bool = false, in txn: inout WriteTransaction)
    throws(CairnError)
  {
    guard !isEmpty else { return }
    try txn.run(table, append: append) { (run) throws(CairnError) in
      try forEach { (key, value) throws(CairnError) in try run.put(key, value) }
    }
  }

  /// Visits the rows in the order in which they were added.
  package func forEach(
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(CairnError) -> Void
  ) throws(CairnError) {
    let rows = bytes.bytes
    var start = 0
    for end in ends {
      try body(rows.extracting(start..<end.key), rows.extracting(end.key..<end.value))
      start = end.value
    }
  }
}

extension WriteTransaction {
  /// Fills a table anew with its own rows: LMDB keeps the key of a deleted row as a separator
  /// between pages.
  /// - Complexity: O(rows), some 200 ns each.
  package mutating func rewrite(_ table: Table) throws(CairnError) {
    var rows = RowBatch()
    try reader.scan(table) { (key, value) throws(CairnError) in
      rows.append(key, value)
      return true
    }
    try removeAll(table)
    try rows.write(to: table, append: true, in: &self)
  }
}
