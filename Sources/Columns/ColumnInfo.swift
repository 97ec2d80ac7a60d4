import LMDB
import Projections

/// What a column is; one row.
///
/// Little-endian: whether its values are texts (8 bits), how often it changed (64), how many texts
/// were numbered (32), the Unicode scalars of the longest that ever was (32), the hash of its
/// attribute's name (128).
struct ColumnInfo: Equatable {
  var hasTexts = false
  /// Rises with each batch that changes the column.
  var stamp: UInt64 = 0
  var textCount: UInt32 = 0
  /// Unicode scalars that no text has more of.
  var scalarCountMax: UInt32 = 0
  var name = NameKey.none

  private static let byteCount = 33

  init() {}

  /// Reads it; that of an empty column where nothing is stored.
  init(_ columns: Columns, _ column: Int, in txn: borrowing ReadTransaction) throws(CairnError) {
    if let row = try txn.get(columns.values, Self.key(column)) {
      try self.init(row)
    } else {
      self.init()
    }
  }

  init(_ row: RawSpan) throws(CairnError) {
    guard row.byteCount == Self.byteCount, row.byte(at: 0) <= 1 else { throw Columns.damaged }
    hasTexts = row.byte(at: 0) == 1
    stamp = row.loadLittleEndian64(at: 1)
    textCount = row.loadLittleEndian32(at: 9)
    scalarCountMax = row.loadLittleEndian32(at: 13)
    name = NameKey(low: row.loadLittleEndian64(at: 17), high: row.loadLittleEndian64(at: 25))
  }

  func write(_ column: Int, _ columns: Columns, in txn: inout WriteTransaction) throws(CairnError) {
    var row = ByteWriter(capacity: Self.byteCount)
    row.append(hasTexts ? 1 : 0)
    row.appendLittleEndian(stamp)
    row.appendLittleEndian(textCount)
    row.appendLittleEndian(scalarCountMax)
    row.appendLittleEndian(name.low)
    row.appendLittleEndian(name.high)
    try txn.put(columns.values, Self.key(column).rawSpan, row.bytes)
  }

  static func key(_ column: Int) -> [UInt8] { prefix(column) + [0] }

  static func prefix(_ column: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: column >> 8), UInt8(truncatingIfNeeded: column)]
  }

  // MARK: Rows of the digest

  /// What stands for texts, by their hashes: in the order of these, whatever their numbers.
  static func words(_ hashes: [NameKey]) -> [UInt64] {
    hashes.sorted { ($0.high, $0.low) < ($1.high, $1.low) }.flatMap { [$0.low, $0.high] }
  }

  /// What an item has in the column, codes of numbers or what stands for texts, as a row of the
  /// digest.
  func row(of item: NameKey, _ words: some Sequence<UInt64>, isElsewhere: Bool) -> RowHasher {
    var hasher = RowHasher(kind: 5)
    hasher.add(item)
    hasher.add(name)
    hasher.add(isElsewhere ? 1 : 0)
    for word in words { hasher.add(word) }
    return hasher
  }
}
