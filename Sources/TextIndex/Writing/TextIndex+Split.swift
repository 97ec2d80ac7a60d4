internal import LMDB

/// Keeping the postings of documents that have ended apart from the others.
///
/// A sweep goes through all lists, a bounded step with each fold, once as many documents have ended
/// since the last one as a quarter of those that live: what a search of the present reads is never
/// much more than what lives.
extension TextIndex {
  /// Whether a sweep is under way or had better begin.
  static func isSplitDue(_ state: IndexState, _ pace: MergePace) -> Bool {
    state.isSplitting
      || 4 * unsplitCount(state) >= max(Int(state.liveCount), pace.splitEndCount)
  }

  /// Whether a sweep has fallen so far behind that changes wait for it.
  static func isSplitLate(_ state: IndexState, _ pace: MergePace) -> Bool {
    2 * unsplitCount(state) >= max(Int(state.liveCount), pace.splitEndCount)
  }

  private static func unsplitCount(_ state: IndexState) -> Int {
    Int(state.mergedEndCount) - Int(state.pastCount)
  }

  /// Takes one step of the sweep, bounded in bytes of lists read, and begins it where none is under
  /// way.
  /// - Complexity: O(postings read + merged documents / 64).
  func splitStep(_ state: inout IndexState, in txn: inout WriteTransaction, pace: MergePace)
    throws(CairnError)
  {
    if !state.isSplitting {
      state.pastTarget = state.mergedEndCount
      state.splitTerm = 0
    }
    var split = ListSplit(try endedDocuments(state, txn.reader))
    var byteCount = 0
    while byteCount < pace.splitByteCount {
      guard let found = try split.read(from: state.splitTerm, txn.reader, tables) else {
        state.pastCount = state.pastTarget
        return
      }
      try split.store(&txn, tables)
      byteCount += found.byteCount
      state.splitTerm = found.term + 1
    }
  }

  /// Puts everything apart that is due, in an index that nobody reads yet.
  func splitAll(_ environment: Environment, pace: MergePace) throws(CairnError) {
    var isDue = true
    while isDue {
      isDue = try environment.write { (txn) throws(CairnError) in
        var state = try IndexState(txn.reader, tables)
        guard Self.isSplitDue(state, pace) else { return false }
        try splitStep(&state, in: &txn, pace: pace)
        try state.write(&txn, tables)
        return state.isSplitting
      }
    }
  }

  /// The merged documents of which the columns show that they have ended.
  func endedDocuments(_ state: IndexState, _ txn: borrowing ReadTransaction) throws(CairnError)
    -> DocumentBits
  {
    let blockCount = Int(ColumnBlock.number(of: state.mergedDocument)) + 1
    var words = [UInt64](repeating: 0, count: blockCount * ColumnBlock.wordCount)
    try txn.scan(tables.columns) { (key, row) throws(CairnError) in
      guard key.byteCount == 4, key.loadBigEndian32(at: 0) < UInt32(blockCount) else {
        throw DocumentRecord.damaged
      }
      let first = Int(key.loadBigEndian32(at: 0)) * ColumnBlock.wordCount
      for place in 0..<ColumnBlock.wordCount {
        words[first + place] = ~(try ColumnBlock.liveWord(row, place))
      }
      return true
    }
    return DocumentBits(words, last: state.mergedDocument)
  }
}
