package import LMDB
import Projections

/// The numbered texts of a column, while a batch is folded.
struct ColumnTexts {
  private let columns: Columns
  private let column: Int
  private var numbers: [NameKey: UInt32] = [:]
  private var hashes: [UInt32: NameKey] = [:]

  init(_ columns: Columns, _ column: Int) {
    self.columns = columns
    self.column = column
  }

  static func hashKey(_ column: Int, _ hash: NameKey) -> [UInt8] {
    var key = ColumnInfo.prefix(column)
    key.append(1)
    key.appendBigEndian(hash.low)
    key.appendBigEndian(hash.high)
    return key
  }

  static func numberKey(_ column: Int, _ number: UInt32) -> [UInt8] {
    var key = ColumnInfo.prefix(column)
    key.append(2)
    key.appendBigEndian(number)
    return key
  }

  /// The number of a text, a new one where it has none.
  mutating func number(
    of text: [UInt8], _ info: inout ColumnInfo, in txn: inout WriteTransaction
  ) throws(CairnError) -> UInt32 {
    let hash = NameKey(text, text.indices)
    if let known = numbers[hash] { return known }
    let key = Self.hashKey(column, hash)
    if let row = try txn.reader.get(columns.values, key) {
      guard row.byteCount == 4 else { throw Columns.damaged }
      let number = row.loadLittleEndian32(at: 0)
      note(hash, number)
      return number
    }
    let number = info.textCount
    guard number < .max - 2 else {
      throw CairnError(.badArgument, "a column has too many texts", place: "table column-values")
    }
    info.textCount += 1
    let scalarCount = text.count { $0 & 0xC0 != 0x80 }
    info.scalarCountMax = max(info.scalarCountMax, UInt32(clamping: scalarCount))
    var row = ByteWriter(capacity: text.count + 16)
    row.appendLittleEndian(number)
    try txn.put(columns.values, key.rawSpan, row.bytes)
    row.removeAll()
    row.appendLittleEndian(hash.low)
    row.appendLittleEndian(hash.high)
    row.append(text)
    try txn.put(columns.values, Self.numberKey(column, number).rawSpan, row.bytes)
    note(hash, number)
    return number
  }

  mutating func hash(of number: UInt32, in txn: borrowing ReadTransaction) throws(CairnError)
    -> NameKey
  {
    if let known = hashes[number] { return known }
    let hash = try columns.text(number, of: column, in: txn).hash
    note(hash, number)
    return hash
  }

  private mutating func note(_ hash: NameKey, _ number: UInt32) {
    numbers[hash] = number
    hashes[number] = hash
  }

  /// What stands for codes in the digest.
  mutating func words(
    _ codes: ArraySlice<UInt64>, _ info: ColumnInfo, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> [UInt64] {
    guard info.hasTexts else { return Array(codes) }
    var hashes: [NameKey] = []
    for code in codes { hashes.append(try hash(of: try Columns.textNumber(code), in: txn)) }
    return ColumnInfo.words(hashes)
  }
}

extension Columns {
  static func textNumber(_ code: UInt64) throws(CairnError) -> UInt32 {
    guard code >= ColumnCode.first, let number = UInt32(exactly: code - ColumnCode.first) else {
      throw damaged
    }
    return number
  }

  func text(_ number: UInt32, of column: Int, in txn: borrowing ReadTransaction)
    throws(CairnError) -> (hash: NameKey, bytes: [UInt8])
  {
    guard let row = try txn.get(values, ColumnTexts.numberKey(column, number)) else {
      throw Self.damaged
    }
    return try Self.text(row)
  }

  static func text(_ row: RawSpan) throws(CairnError) -> (hash: NameKey, bytes: [UInt8]) {
    guard row.byteCount >= 16 else { throw damaged }
    let hash = NameKey(low: row.loadLittleEndian64(at: 0), high: row.loadLittleEndian64(at: 8))
    return (hash, row.extracting(16...).array())
  }

  /// The text of a code, in UTF-8.
  /// - Complexity: O(log texts).
  /// - Throws: `.corrupt` for a damaged row.
  package func text(_ code: UInt64, of column: Int, in txn: borrowing ReadTransaction)
    throws(CairnError) -> [UInt8]
  { try text(try Self.textNumber(code), of: column, in: txn).bytes }

  /// Visits the texts of a column with their codes.
  /// - Complexity: O(texts), some 50 ns each.
  /// - Throws: `.corrupt` for a damaged row.
  package func forEachText(
    of column: Int, in txn: borrowing ReadTransaction, _ body: (UInt64, Span<UInt8>) -> Void
  ) throws(CairnError) {
    try txn.scan(values, prefix: ColumnInfo.prefix(column) + [2]) { (key, row) throws(CairnError) in
      guard key.byteCount == 7 else { throw Self.damaged }
      let text = try Self.text(row).bytes
      body(ColumnCode.first + UInt64(key.loadBigEndian32(at: 3)), text.span)
    }
  }
}
