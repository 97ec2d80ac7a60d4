internal import LMDB

/// The hand that goes round through the terms and brings their recent postings into their lists.
///
/// A term's postings are its list with its recent row behind it, wherever the hand stands, so that a
/// reader need not know. The longer a row waits, the more postings go to one place at a time; rows
/// that are hardly worth the pages of their list wait for some rounds.
extension TextIndex {
  /// Makes one step, bounded in rows looked at and in rows moved.
  func sweepStep(_ state: inout IndexState, in txn: inout WriteTransaction, pace: MergePace)
    throws(StorageError)
  {
    let found = try rows(from: state.sweepKey, limit: pace.visitCount, txn.reader)
    let age = IndexLimits.sweepRoundCount * UInt32(pace.roundDocumentCount)
    var mover = try TermMover(txn.reader, tables)
    var moved = 0
    var visited: UInt32 = 0
    for (key, row) in found {
      guard moved < pace.rowCount else {
        state.sweepKey = key
        break
      }
      visited += 1
      let isOld = state.mergedDocument - min(try row.firstDocument(), state.mergedDocument) > age
      guard isOld || row.byteCount >= pace.worthByteCount else { continue }
      try move(row, key, &mover, &state, &txn)
      moved += 1
    }
    if visited == found.count {
      // Behind the last row the next round begins.
      state.sweepKey = found.count < pace.visitCount ? [] : (found.last.map { $0.key + [0] } ?? [])
    }
    state.sweepDebt -= min(max(visited, 1), state.sweepDebt)
  }

  /// Moves all rows.
  func sweepAll(_ state: inout IndexState, in txn: inout WriteTransaction) throws(StorageError) {
    guard state.recentCount > 0 else { return }
    var mover = try TermMover(txn.reader, tables)
    var start: [UInt8] = []
    while true {
      let found = try rows(from: start, limit: IndexLimits.sweepVisitCount, txn.reader)
      for (key, row) in found { try move(row, key, &mover, &state, &txn) }
      guard let last = found.last else { break }
      start = last.key + [0]
    }
    guard state.recentCount == 0 else { throw PostingCode.damaged }
    state.sweepDebt = 0
    state.sweepKey = []
    // What is remembered of the dictionary no longer holds.
    state.stamp = UInt64.random(in: 1 ... .max)
  }

  private func move(
    _ row: RecentRow, _ key: [UInt8], _ mover: inout TermMover, _ state: inout IndexState,
    _ txn: inout WriteTransaction
  ) throws(StorageError) {
    try mover.move(row, key.rawSpan, &txn)
    try txn.delete(tables.recent, key)
    guard state.recentCount > 0 else { throw PostingCode.damaged }
    state.recentCount -= 1
  }

  /// The rows from a key on, at most so many, read before any of them goes.
  private func rows(from start: [UInt8], limit: Int, _ txn: borrowing ReadTransaction)
    throws(StorageError) -> [(key: [UInt8], row: RecentRow)]
  {
    var found: [(key: [UInt8], row: RecentRow)] = []
    try txn.scan(tables.recent, from: start) { (key, row) throws(StorageError) in
      guard found.count < limit else { return false }
      found.append((key.array(), try RecentRow(row)))
      return true
    }
    return found
  }
}
