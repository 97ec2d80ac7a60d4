extension ReadTransaction {
  /// Visits the rows of a table in the order of keys, from the first key at or above `start`
  /// (empty: from the beginning), until the body returns false.
  ///
  /// The spans are only valid inside the body.
  /// - Complexity: O(log *n*) to get there, then about 30 ns a row.
  /// - Throws: `.corrupt` for a damaged row, also right before `start`; what `body` throws.
  package func scan(
    _ table: Table, from start: [UInt8] = [],
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(CairnError) -> Bool
  ) throws(CairnError) {
    var cursor = try cursor(table)
    if let first = try cursor.find(start) { guard try body(first.key, first.value) else { return } }
    while let row = try cursor.next() {
      guard try body(row.key, row.value) else { return }
    }
  }

  /// Visits the rows whose keys begin with `prefix`, as ``scan(_:from:_:)`` does.
  package func scan(
    _ table: Table, prefix: [UInt8],
    _ body: (_ key: RawSpan, _ value: RawSpan) throws(CairnError) -> Void
  ) throws(CairnError) {
    try scan(table, from: prefix) { (key, value) throws(CairnError) in
      guard key.hasPrefix(prefix.rawSpan) else { return false }
      try body(key, value)
      return true
    }
  }

  /// The value stored under `key`; nil only where the rows beside its place are sound.
  ///
  /// A row whose key is damaged, but still in order, is not found either, and that is no answer.
  /// - Complexity: O(log n), for nil twice that.
  /// - Throws: `.corrupt` when the row, or one beside its place, is damaged.
  @_lifetime(borrow self) package func find(_ table: Table, _ key: [UInt8]) throws(CairnError)
    -> RawSpan?
  {
    if let value = try get(table, key) { return value }
    try checkMiss(table, key)
    return nil
  }

  /// Checks the rows beside the place of a key that was not found, see ``find(_:_:)``.
  package func checkMiss(_ table: Table, _ key: [UInt8]) throws(CairnError) {
    var cursor = try cursor(table)
    _ = try cursor.find(key)
  }
}
