internal import LMDB

/// Incremental compaction: moves delta postings into their lists, term by term.
///
/// A term's postings are its list with its delta row behind it, wherever the compaction cursor
/// stands, so a reader need not know. The longer a row waits, the more postings go to one place at
/// a time; rows that are hardly worth the pages of their list wait for some rounds.
extension TextIndex {
  /// Makes one step, bounded in rows looked at and in rows moved.
  func compact(_ state: inout IndexState, in txn: inout WriteTransaction, pace: MergePace)
    throws(CairnError)
  {
    let found = try rows(from: state.compactionKey, limit: pace.visitCount, txn.reader)
    let age = IndexLimits.compactionRoundCount * UInt32(pace.roundDocumentCount)
    var sink = TermSink(tables)
    var moved = 0
    var visited: UInt32 = 0
    for (key, row) in found {
      guard moved < pace.rowCount else {
        state.compactionKey = key
        break
      }
      visited += 1
      let isOld = state.mergedDocument - min(try row.firstDocument(), state.mergedDocument) > age
      guard isOld || row.byteCount >= pace.worthByteCount else { continue }
      try move(row, key, &sink, &state, &txn)
      moved += 1
    }
    try sink.finish(&txn)
    if visited == found.count {
      // Behind the last row the next round begins.
      state.compactionKey =
        found.count < pace.visitCount ? [] : (found.last.map { $0.key + [0] } ?? [])
    }
    state.compactionDebt -= min(max(visited, 1), state.compactionDebt)
  }

  /// Moves all rows.
  func compactAll(_ state: inout IndexState, in txn: inout WriteTransaction) throws(CairnError) {
    guard state.deltaCount > 0 else { return }
    var sink = TermSink(tables)
    var start: [UInt8] = []
    while true {
      let found = try rows(from: start, limit: IndexLimits.compactionVisitCount, txn.reader)
      for (key, row) in found { try move(row, key, &sink, &state, &txn) }
      try sink.finish(&txn)
      guard let last = found.last else { break }
      start = last.key + [0]
    }
    guard state.deltaCount == 0 else { throw IndexDamage.postings }
    state.compactionDebt = 0
    state.compactionKey = []
    // What is remembered of the dictionary no longer holds.
    state.stamp = UInt64.random(in: 1 ... .max)
  }

  private func move(
    _ row: DeltaRow, _ key: [UInt8], _ sink: inout TermSink, _ state: inout IndexState,
    _ txn: inout WriteTransaction
  ) throws(CairnError) {
    try sink.add(row, key.rawSpan, &txn)
    try txn.delete(tables.delta, key)
    guard state.deltaCount > 0 else { throw IndexDamage.postings }
    state.deltaCount -= 1
  }

  /// The rows from a key on, at most so many, read before any of them goes.
  private func rows(from start: [UInt8], limit: Int, _ txn: borrowing ReadTransaction)
    throws(CairnError) -> [(key: [UInt8], row: DeltaRow)]
  {
    var found: [(key: [UInt8], row: DeltaRow)] = []
    try txn.scan(tables.delta, from: start) { (key, row) throws(CairnError) in
      guard found.count < limit else { return false }
      found.append((key.array(), try DeltaRow(row)))
      return true
    }
    return found
  }
}
