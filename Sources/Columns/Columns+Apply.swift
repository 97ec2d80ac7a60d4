package import LMDB
package import Projections

extension Columns {
  /// Brings the columns up to date.
  ///
  /// Of several changes of an item the last one counts.
  /// - Complexity: O(changes), and a read and a write of each block that one of them lies in.
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  package func apply(
    _ changes: [ColumnChange], names: [NameKey], _ digest: inout RowDigest,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    var latest: [UInt32: Int] = [:]
    for (index, change) in changes.enumerated() { latest[change.item] = index }
    let places = latest.sorted { $0.key < $1.key }.map(\.value)
    for column in names.indices {
      var fold = try ColumnFold(self, column, names[column], in: txn.reader)
      var start = 0
      while start < places.count {
        let block = changes[places[start]].item / UInt32(ColumnBlock.itemCount)
        var end = start + 1
        while end < places.count, changes[places[end]].item / UInt32(ColumnBlock.itemCount) == block
        { end += 1 }
        try fold.fold(block, places[start..<end].map { changes[$0] }, &digest, in: &txn)
        start = end
      }
      try fold.finish(in: &txn)
    }
  }
}

/// Folds changes of one column, block by block.
private struct ColumnFold: ~Copyable {
  private let columns: Columns
  private let column: Int
  private var info: ColumnInfo
  private var texts: ColumnTexts
  private var isChanged = false
  private var row = ByteWriter(capacity: 4_096)

  init(_ columns: Columns, _ column: Int, _ name: NameKey, in txn: borrowing ReadTransaction)
    throws(CairnError)
  {
    self.columns = columns
    self.column = column
    info = try ColumnInfo(columns, column, in: txn)
    info.name = name
    texts = ColumnTexts(columns, column)
  }

  /// Folds changes of items of one block, in the order of items.
  mutating func fold(
    _ block: UInt32, _ changes: [ColumnChange], _ digest: inout RowDigest,
    in txn: inout WriteTransaction
  ) throws(CairnError) {
    let key = [UInt8](bigEndian: Columns.number(column, block: block))
    row.removeAll()
    let isStored = try Parted.get(txn.reader, columns.blocks, key: key, into: &row)
    guard isStored || changes.contains(where: { content($0) != .none }) else { return }
    let before = isStored ? try ColumnBlock(row.bytes) : ColumnBlock()
    var after = ColumnBlock()
    var next = changes.startIndex
    try before.forEach { (slot, codes, isElsewhere) throws(CairnError) in
      while next < changes.endIndex, Self.slot(changes[next]) < slot {
        try enter(changes[next], in: &after, &digest, &txn)
        next += 1
      }
      guard next < changes.endIndex, Self.slot(changes[next]) == slot else {
        return after.append(slot, codes, isElsewhere: isElsewhere)
      }
      let words = try texts.words(codes, info, in: txn.reader)
      digest.remove(info.row(of: changes[next].itemKey, words, isElsewhere: isElsewhere))
      try enter(changes[next], in: &after, &digest, &txn)
      next += 1
    }
    for change in changes[next...] { try enter(change, in: &after, &digest, &txn) }
    guard after != before else { return }
    isChanged = true
    if after.isEmpty {
      try Parted.delete(&txn, columns.blocks, key: key)
    } else {
      after.write(to: &row)
      try Parted.put(&txn, columns.blocks, key: key, value: row.bytes)
    }
  }

  private static func slot(_ change: ColumnChange) -> Int {
    Int(change.item) % ColumnBlock.itemCount
  }

  private func content(_ change: ColumnChange) -> ColumnContent {
    column < change.contents.count ? change.contents[column] : .none
  }

  /// Adds what an item has.
  private mutating func enter(
    _ change: ColumnChange, in block: inout ColumnBlock, _ digest: inout RowDigest,
    _ txn: inout WriteTransaction
  ) throws(CairnError) {
    var codes: [UInt64] = []
    var isElsewhere = false
    switch content(change) {
    case .none: return
    case .elsewhere: isElsewhere = true
    case .numbers(let numbers): codes = numbers
    // Texts that no block holds would be numbered in vain.
    case .texts(let list) where list.count > ColumnBlock.valueCountMax: isElsewhere = true
    case .texts(let list):
      info.hasTexts = true
      for text in list {
        codes.append(ColumnCode.first + UInt64(try texts.number(of: text, &info, in: &txn)))
      }
      codes.sort()
    }
    if codes.count > ColumnBlock.valueCountMax { (codes, isElsewhere) = ([], true) }
    guard isElsewhere || !codes.isEmpty else { return }
    let words = try texts.words(codes[...], info, in: txn.reader)
    digest.add(info.row(of: change.itemKey, words, isElsewhere: isElsewhere))
    block.append(Self.slot(change), codes, isElsewhere: isElsewhere)
  }

  mutating func finish(in txn: inout WriteTransaction) throws(CairnError) {
    guard isChanged else { return }
    info.stamp += 1
    try info.write(column, columns, in: &txn)
  }
}
