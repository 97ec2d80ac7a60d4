package import LMDB

extension Ranking {
  /// Copies every row of this ranking into an empty one.
  ///
  /// - Complexity: O(rows).
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  package func copy(
    to copy: Ranking, through writer: RowWriter, from txn: borrowing ReadTransaction
  ) throws(StorageError) {
    let pairs = [
      (ranks, copy.ranks), (trails, copy.trails), (order.order, copy.order.order),
      (order.classes, copy.order.classes), (history.table, copy.history.table),
      (leaders.table, copy.leaders.table), (totals.table, copy.totals.table),
      (choices.table, copy.choices.table), (engagement.table, copy.engagement.table),
    ]
    for (source, target) in pairs {
      try writer.copyRows(of: source, in: txn, to: target) { (key, row, batch) in
        batch.append(key, row)
      }
    }
  }

  /// Whether search never learned anything.
  package func hasLearnedNothing(in txn: borrowing ReadTransaction) throws(StorageError) -> Bool {
    guard try engagement.isEmpty(in: txn) else { return false }
    return try txn.count(choices.table) == 0
  }
}
