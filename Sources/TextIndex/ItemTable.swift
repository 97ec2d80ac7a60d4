internal import LMDB
internal import Projections

/// What the index knows of an item.
struct ItemEntry: Hashable, Sendable {
  /// Its present version, 0 when it has none.
  var document: UInt32 = 0
  /// How many versions it has had.
  var versionCount: UInt32 = 0
  /// Hash of the tokens of the present version.
  var content: UInt64 = 0

  static let byteCount = 16

  /// The entry of no item.
  init() {}

  /// The entry of an item whose present version is the document.
  init(_ document: UInt32, _ version: DocumentRecord.Version) {
    self.document = document
    versionCount = version.number
    content = version.content
  }

  /// Reads an entry of a row.
  fileprivate init(_ row: RawSpan, at offset: Int) {
    document = row.loadLittleEndian32(at: offset)
    versionCount = row.loadLittleEndian32(at: offset + 4)
    content = row.loadLittleEndian64(at: offset + 8)
  }

  /// The digest row of one version of the item whose identifier has that hash.
  static func row(
    _ key: NameKey,
    version: UInt32,
    content: UInt64,
    isLive: Bool
  ) -> RowHasher {
    var row = RowHasher(kind: 0x7465_7874)
    row.add(key.low)
    row.add(key.high)
    row.add(UInt64(version))
    row.add(content)
    row.add(isLive ? 1 : 0)
    return row
  }

  /// Appends the entry's bytes.
  func write(to row: inout ByteWriter) {
    row.appendLittleEndian(document)
    row.appendLittleEndian(versionCount)
    row.appendLittleEndian(content)
  }

  /// The digest row of the present version.
  func row(_ key: NameKey, isLive: Bool) -> RowHasher {
    Self.row(key, version: versionCount, content: content, isLive: isLive)
  }
}

/// The items of one transaction: blocks are read once, changed in memory and written sorted.
///
/// The table has what merged documents and folded ends made of them; what later ones did is in
/// `RecentItems`.
struct ItemTable: Sendable {
  private var blocks: [UInt32: Int] = [:]
  private var numbers: [UInt32] = []
  private var isChanged: [Bool] = []
  /// Whether the table lacks the block.
  private var isNew: [Bool] = []
  private var entries: [ItemEntry] = []
  private var lastBlock: (number: UInt32, index: Int)?

  /// The entry of an item.
  mutating func entry(
    _ item: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> ItemEntry {
    entries[try index(item, txn, tables)]
  }

  /// Replaces the entry of an item.
  mutating func set(
    _ item: UInt32,
    _ entry: ItemEntry,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    let index = try index(item, txn, tables)
    entries[index] = entry
    isChanged[index / IndexLimits.itemRowCount] = true
  }

  /// Writes the changed blocks in key order.
  mutating func write(
    _ txn: inout WriteTransaction,
    _ tables: IndexTables
  ) throws(StorageError) {
    var row = ByteWriter(capacity: IndexLimits.itemRowCount * ItemEntry.byteCount)
    var last = isNew.contains(true) ? try Self.lastBlock(txn.reader, tables) : nil
    for index in numbers.indices.sorted(by: { numbers[$0] < numbers[$1] }) where isChanged[index] {
      row.removeAll()
      let start = index * IndexLimits.itemRowCount
      for entry in entries[start..<start + IndexLimits.itemRowCount] {
        entry.write(to: &row)
      }
      let key = IndexTables.key(numbers[index])
      if isNew[index], last.map({ $0 < numbers[index] }) ?? true {
        // Two of these rows fill a page; put among others each would have one for itself.
        try txn.append(tables.items, key.rawSpan, row.bytes)
        last = numbers[index]
      } else {
        try txn.put(tables.items, key.rawSpan, row.bytes)
      }
      isChanged[index] = false
      isNew[index] = false
    }
  }

  /// Number of the last block of the table, nil for an empty one.
  private static func lastBlock(
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> UInt32? {
    var cursor = try txn.cursor(tables.items)
    guard let last = try cursor.last() else { return nil }
    guard last.key.byteCount == 4 else { throw DocumentRecord.damaged }
    return last.key.loadBigEndian32(at: 0)
  }

  private mutating func index(
    _ item: UInt32,
    _ txn: borrowing ReadTransaction,
    _ tables: IndexTables
  ) throws(StorageError) -> Int {
    let number = item / UInt32(IndexLimits.itemRowCount)
    let offset = Int(item % UInt32(IndexLimits.itemRowCount))
    if let lastBlock, lastBlock.number == number {
      return lastBlock.index * IndexLimits.itemRowCount + offset
    }
    if let known = blocks[number] {
      lastBlock = (number, known)
      return known * IndexLimits.itemRowCount + offset
    }
    let index = numbers.count
    if let row = try txn.get(tables.items, IndexTables.key(number)) {
      try Self.read(row, into: &entries)
      isNew.append(false)
    } else {
      isNew.append(true)
      entries.append(contentsOf: repeatElement(ItemEntry(), count: IndexLimits.itemRowCount))
    }
    numbers.append(number)
    isChanged.append(false)
    blocks[number] = index
    lastBlock = (number, index)
    return index * IndexLimits.itemRowCount + offset
  }

  /// Adds the entries of a row to an array.
  ///
  /// - Throws: `.corrupt` when the row has another size.
  static func read(_ row: RawSpan, into entries: inout [ItemEntry]) throws(StorageError) {
    guard row.byteCount == IndexLimits.itemRowCount * ItemEntry.byteCount else {
      throw StorageError(
        .corrupt,
        "an item row of the text index is damaged; rebuild the text index"
      )
    }
    for offset in stride(from: 0, to: row.byteCount, by: ItemEntry.byteCount) {
      entries.append(ItemEntry(row, at: offset))
    }
  }
}
