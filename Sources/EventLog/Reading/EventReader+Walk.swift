import LMDB

extension EventReader {
  /// Visits the rows of a table in key order, from a key on, until the body returns false.
  static func walk(
    _ table: Table, from start: [UInt8] = [], in txn: borrowing ReadTransaction,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var cursor = try txn.cursor(table)
    guard try visit(cursor.seek(start), body) else { return }
    while try visit(cursor.next(), body) {}
  }

  private static func visit(
    _ entry: Entry?, _ body: (_ key: RawSpan, _ value: RawSpan) throws(CairnError) -> Bool
  ) throws(CairnError) -> Bool {
    guard let entry else { return false }
    return try body(entry.key, entry.value)
  }
}
