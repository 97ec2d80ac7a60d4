internal import LMDB

/// Item and liveness of 448 neighbouring merged documents; one row.
///
/// 56 bytes of liveness bits, then 4 bytes a document: its item, little-endian.
struct ColumnBlock: Sendable {
  static let bitByteCount = IndexLimits.columnDocumentCount / 8
  static let byteCount = bitByteCount + 4 * IndexLimits.columnDocumentCount

  private(set) var bytes: [UInt8]

  /// A block of no documents.
  init() { bytes = Array(repeating: 0, count: Self.byteCount) }

  /// Replaces the content by a stored row.
  ///
  /// - Throws: `.corrupt` when the row has another size.
  mutating func load(_ row: borrowing RawSpan) throws(StorageError) {
    guard row.byteCount == Self.byteCount else {
      throw StorageError(
        .corrupt,
        "a column row of the text index is damaged; rebuild the text index"
      )
    }
    bytes.removeAll(keepingCapacity: true)
    // SAFETY: the buffer is read before the closure ends.
    unsafe row.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }

  func isLive(_ slot: Int) -> Bool { bytes[slot >> 3] >> UInt8(slot & 7) & 1 == 1 }

  func item(_ slot: Int) -> UInt32 {
    bytes.rawSpan.loadLittleEndian32(at: Self.bitByteCount + 4 * slot)
  }

  /// Enters a live document.
  mutating func set(_ slot: Int, item: UInt32) {
    bytes[slot >> 3] |= 1 << UInt8(slot & 7)
    let at = Self.bitByteCount + 4 * slot
    for byte in 0..<4 { bytes[at + byte] = UInt8(truncatingIfNeeded: item >> UInt32(8 * byte)) }
  }

  /// Marks a document ended.
  mutating func clear(_ slot: Int) { bytes[slot >> 3] &= ~(1 << UInt8(slot & 7)) }

  static func number(of document: UInt32) -> UInt32 {
    document / UInt32(IndexLimits.columnDocumentCount)
  }

  static func slot(of document: UInt32) -> Int {
    Int(document % UInt32(IndexLimits.columnDocumentCount))
  }
}

/// Writes columns block by block, keeping the present block in memory.
struct ColumnWriter: Sendable {
  private var block = ColumnBlock()
  private var number: UInt32?
  private var isChanged = false
  /// Whether the table ends before the present block.
  private var isLast = false

  /// Makes a block the present one.
  private mutating func move(
    to target: UInt32,
    _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    guard number != target else { return }
    try write(&txn, tables)
    if let row = try txn.reader.get(tables.columns, IndexTables.key(target)) {
      try block.load(row)
      isLast = false
    } else {
      block = ColumnBlock()
      isLast = try Self.ends(before: target, txn.reader, tables)
    }
    number = target
  }

  /// Enters a live document.
  mutating func set(
    _ document: UInt32,
    item: UInt32,
    _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    try move(to: ColumnBlock.number(of: document), &txn, tables)
    block.set(ColumnBlock.slot(of: document), item: item)
    isChanged = true
  }

  /// Marks a document ended.
  mutating func clear(
    _ document: UInt32,
    _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    try move(to: ColumnBlock.number(of: document), &txn, tables)
    block.clear(ColumnBlock.slot(of: document))
    isChanged = true
  }

  /// Writes the present block.
  mutating func write(
    _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    guard isChanged, let number else { return }
    let key = IndexTables.key(number)
    if isLast {
      // Two of these rows fill a page; put among others each would have one for itself.
      try txn.append(tables.columns, key.rawSpan, block.bytes.rawSpan)
      isLast = false
    } else {
      try txn.put(tables.columns, key.rawSpan, block.bytes.rawSpan)
    }
    isChanged = false
  }

  private static func ends(
    before target: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Bool {
    var cursor = try txn.cursor(tables.columns)
    guard let last = try cursor.last() else { return true }
    guard last.key.byteCount == 4 else { throw DocumentRecord.damaged }
    return last.key.loadBigEndian32(at: 0) < target
  }
}
