internal import LMDB

/// The items of one transaction: blocks are read once, changed in memory and written sorted.
///
/// The table has what merged documents and folded ends made of them; what later ones did is in
/// `BufferedItems`.
struct ItemTable: Sendable {
  private var blocks: [UInt32: Int] = [:]
  private var numbers: [UInt32] = []
  private var isChanged: [Bool] = []
  /// Whether the table lacks the block.
  private var isNew: [Bool] = []
  private var entries: [ItemEntry] = []
  private var lastBlock: (number: UInt32, index: Int)?

  mutating func entry(_ item: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError) -> ItemEntry
  {
    entries[try index(item, txn, tables)]
  }

  mutating func set(
    _ item: UInt32, _ entry: ItemEntry, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) {
    let index = try index(item, txn, tables)
    entries[index] = entry
    isChanged[index / IndexLimits.itemRowCount] = true
  }

  /// Writes the changed blocks in key order.
  mutating func write(_ txn: inout WriteTransaction, _ tables: IndexTables) throws(CairnError) {
    var row = ByteWriter(capacity: ItemBlock.byteCount)
    var last = isNew.contains(true) ? try Self.lastBlock(txn.reader, tables) : nil
    for index in numbers.indices.sorted(by: { numbers[$0] < numbers[$1] }) where isChanged[index] {
      let start = index * IndexLimits.itemRowCount
      ItemBlock.write(entries[start..<start + IndexLimits.itemRowCount], to: &row)
      let key = IndexTables.key(numbers[index])
      if isNew[index], last.map({ $0 < numbers[index] }) ?? true {
        // Four of these rows fill a page; put among others each would have one for itself.
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
  private static func lastBlock(_ txn: borrowing ReadTransaction, _ tables: IndexTables)
    throws(CairnError) -> UInt32?
  {
    var cursor = try txn.cursor(tables.items)
    guard let last = try cursor.last() else { return nil }
    guard last.key.byteCount == 4 else { throw DocumentRecord.damaged }
    return last.key.loadBigEndian32(at: 0)
  }

  private mutating func index(
    _ item: UInt32, _ txn: borrowing ReadTransaction, _ tables: IndexTables
  ) throws(CairnError) -> Int {
    let number = ItemBlock.number(of: item)
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
      try ItemBlock.read(row, into: &entries)
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
}
