package import LMDB
package import Projections

/// The values of declared attributes by item, so that items are counted, sorted and compared
/// without being read.
///
/// | table | key | value |
/// |---|---|---|
/// | `columns` | column (10 bits) ‖ item / 1,024 (22 bits) | `ColumnBlock`, in parts |
/// | `column-values` | column (2) ‖ 0 | `ColumnInfo`: what the column is |
/// | | column (2) ‖ 1 ‖ hash of a text (16) | number of the text (4) |
/// | | column (2) ‖ 2 ‖ number of a text (4) | hash (16) ‖ the text |
///
/// They hold what items have now. A value is a whole number that orders as the value does; texts
/// are numbered as they come.
package struct Columns: Sendable {
  package static let formatVersion: UInt64 = 2
  private static let blocksName: TableName = "columns"
  private static let valuesName: TableName = "column-values"
  package static let tables: [TableName] = [blocksName, valuesName]
  package static let countMax = 1 << 10
  /// Bytes of the longest text that is kept; columns say of longer ones that they cannot tell.
  package static let textByteCountMax = 1_024

  let blocks: Table
  let values: Table
  let cache = ColumnCache()

  /// Binds to the tables of a generation.
  package init(_ environment: Environment) {
    blocks = environment[Self.blocksName]
    values = environment[Self.valuesName]
  }

  /// The number under which a block stands.
  static func number(_ column: Int, block: UInt32) -> UInt32 {
    UInt32(truncatingIfNeeded: column) << 22 | block
  }

  /// The column and the first item of the block with a number.
  static func place(of number: UInt32) -> (column: Int, first: UInt32) {
    (Int(number >> 22), (number & (1 << 22 - 1)) * UInt32(ColumnBlock.itemCount))
  }

  /// A column, read from its blocks or as it was read before.
  /// - Complexity: O(items) where the column changed since, a fraction of a nanosecond each.
  /// - Throws: `.corrupt` for a damaged row.
  package func column(_ column: Int, in txn: borrowing ReadTransaction) throws(CairnError)
    -> ColumnData
  {
    let info = try ColumnInfo(self, column, in: txn)
    if let known = cache.column(column, stamp: info.stamp) { return known }
    let read = try ColumnData(self, column, info, in: txn)
    cache.note(read, as: column)
    return read
  }

  static var damaged: CairnError {
    CairnError(.corrupt, "a column is damaged", place: "table columns", remedy: .rebuild)
  }
}

package enum ColumnContent: Hashable, Sendable {
  case none
  /// Something that a column cannot hold: who asks has to look at the item.
  case elsewhere
  /// Codes of numbers, times or truth values, ascending.
  case numbers([UInt64])
  /// Texts in UTF-8, each once.
  case texts([[UInt8]])
}

package struct ColumnChange: Sendable {
  package var item: UInt32
  package var itemKey: NameKey
  /// By column; empty for an item that is gone.
  package var contents: [ColumnContent]

  package init(item: UInt32, itemKey: NameKey, contents: [ColumnContent]) {
    self.item = item
    self.itemKey = itemKey
    self.contents = contents
  }
}
