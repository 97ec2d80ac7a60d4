package import LMDB
package import Projections

extension Columns {
  /// The digest of the rows as they are stored; checks that texts and their numbers lead to each
  /// other.
  /// - Complexity: O(values), some 50 ns each.
  /// - Throws: `.corrupt` for a damaged row.
  package func digest(_ names: any NameKeys, in txn: borrowing ReadTransaction) throws(CairnError)
    -> RowDigest
  {
    let known = try NumberedTexts(self, in: txn)
    var digest = RowDigest()
    try forEachValue(known, in: txn) { (column, item, words, isElsewhere) throws(CairnError) in
      guard let info = known.infos[column] else { throw Self.damaged }
      digest.add(info.row(of: try names.itemKey(item), words, isElsewhere: isElsewhere))
    }
    return digest
  }

  /// Visits what items have, column by column, in order of items: the codes of numbers, hashes of
  /// texts.
  /// - Complexity: O(values), some 50 ns each.
  /// - Throws: `.corrupt` for a damaged row.
  package func forEachValue(
    in txn: borrowing ReadTransaction,
    _ body: (
      _ column: Int, _ item: UInt32, _ words: [UInt64], _ isElsewhere: Bool
    ) throws(CairnError) -> Void
  ) throws(CairnError) {
    try forEachValue(try NumberedTexts(self, in: txn), in: txn, body)
  }

  private func forEachValue(
    _ known: NumberedTexts, in txn: borrowing ReadTransaction,
    _ body: (Int, UInt32, [UInt64], Bool) throws(CairnError) -> Void
  ) throws(CairnError) {
    try forEachBlock(in: txn) { (number, block) throws(CairnError) in
      let (column, first) = Self.place(of: number)
      guard let info = known.infos[column] else { throw Self.damaged }
      try block.forEach { (slot, codes, isElsewhere) throws(CairnError) in
        let words = try known.words(codes, info, column)
        try body(column, first + UInt32(slot), words, isElsewhere)
      }
    }
  }

  func forEachBlock(
    in txn: borrowing ReadTransaction,
    _ body: (_ number: UInt32, _ block: ColumnBlock) throws(CairnError) -> Void
  ) throws(CairnError) {
    var value = ByteWriter(capacity: 1 << 14)
    var cursor = try txn.cursor(blocks)
    while let number = try Parted.nextNumbered(&cursor, into: &value) {
      try body(number, try ColumnBlock(value.bytes))
    }
  }
}

/// The numbered texts of all columns, read from end to end.
struct NumberedTexts {
  private(set) var infos: [Int: ColumnInfo] = [:]
  private var hashes: [Int: [NameKey]] = [:]

  init(_ columns: Columns, in txn: borrowing ReadTransaction) throws(CairnError) {
    var numbers: [Int: [UInt32: NameKey]] = [:]
    try txn.scan(columns.values) { (key, row) throws(CairnError) in
      guard key.byteCount >= 3 else { throw Columns.damaged }
      let column = Int(key.loadBigEndian16(at: 0))
      switch (key.byte(at: 2), key.byteCount) {
      case (0, 3): infos[column] = try ColumnInfo(row)
      case (1, 19):
        guard row.byteCount == 4 else { throw Columns.damaged }
        let hash = NameKey(low: key.loadBigEndian64(at: 3), high: key.loadBigEndian64(at: 11))
        numbers[column, default: [:]][row.loadLittleEndian32(at: 0)] = hash
      case (2, 7):
        let text = try Columns.text(row)
        let number = key.loadBigEndian32(at: 3)
        guard numbers[column]?.removeValue(forKey: number) == text.hash,
          NameKey(text.bytes, text.bytes.indices) == text.hash
        else { throw Self.astray }
        let gap = Int(number) - (hashes[column]?.count ?? 0)
        guard gap >= 0 else { throw Columns.damaged }
        hashes[column, default: []].append(
          contentsOf: repeatElement(NameKey.none, count: gap) + [text.hash])
      default: throw Columns.damaged
      }
      return true
    }
    guard numbers.allSatisfy({ $0.value.isEmpty }) else { throw Self.astray }
  }

  private static let astray = CairnError(
    .corrupt, "a text of a column leads elsewhere", place: "table column-values",
    remedy: .rebuild)

  /// What stands for codes in the digest.
  func words(_ codes: ArraySlice<UInt64>, _ info: ColumnInfo, _ column: Int) throws(CairnError)
    -> [UInt64]
  {
    guard info.hasTexts else { return Array(codes) }
    var found: [NameKey] = []
    for code in codes {
      let number = Int(try Columns.textNumber(code))
      guard let list = hashes[column], number < list.count, list[number] != .none else {
        throw Columns.damaged
      }
      found.append(list[number])
    }
    return ColumnInfo.words(found)
  }
}
