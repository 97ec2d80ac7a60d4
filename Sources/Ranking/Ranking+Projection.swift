package import LMDB
package import Projections

extension Ranking {
  /// Folds a batch: uses, the sums of all uses, and what search learns.
  package func fold(
    _ batch: ResolvedBatch, _ checkpoint: inout Checkpoint, in txn: inout WriteTransaction
  ) throws(CairnError) {
    checkpoint.applied = batch.through
    try fold(batch.resolved, &checkpoint, in: &txn)
    let before = (batch.resolved.first?.sequence ?? 0) &- 1
    try totals.fold(batch.resolved, through: batch.through, in: &txn) {
      (first, txn, body) throws(CairnError) in
      try batch.past.forEachUse(from: first, through: before, in: txn) {
        body($0.sequence, Use($0))
      }
    }
    guard !batch.learning.isEmpty else { return }
    try learn(batch.learning, &checkpoint, in: &txn) {
      (item, sequence, txn) throws(CairnError) in
      try batch.past.since(of: item, asOf: sequence, in: txn)
    }
  }

  /// Fills this empty ranking: with copies of all rows, or, where a use is erased, by folding again
  /// what is left.
  /// - Complexity: O(rows), or O(uses).
  package func fill(
    _ copy: GenerationCopy, _ checkpoint: inout Checkpoint, from txn: borrowing ReadTransaction
  ) throws(CairnError) -> PendingFill? {
    guard copy.erasesUse else {
      try copyRows(of: Ranking(copy.source), through: copy.writer, from: txn)
      return nil
    }
    try copy.writer.finish()
    var state = checkpoint
    state.greatestUse = 0
    state.latestUseMicroseconds = 0
    state[Self.name] = RowDigest()
    state.applied = 0
    try copy.replay(txn) { (batch) throws(CairnError) in
      let before = state
      state = try copy.writer.environment.write { (txn) throws(CairnError) in
        var after = before
        try fold(batch, &after, in: &txn)
        return after
      }
    }
    state.applied = checkpoint.applied
    checkpoint = state
    return nil
  }

  private func copyRows(
    of source: Ranking, through writer: RowWriter, from txn: borrowing ReadTransaction
  ) throws(CairnError) {
    let pairs = [
      (source.ranks, ranks), (source.trails, trails), (source.order.order, order.order),
      (source.order.classes, order.classes), (source.history.table, history.table),
      (source.leaders.table, leaders.table), (source.totals.table, totals.table),
      (source.choices.table, choices.table), (source.engagement.table, engagement.table),
    ]
    for (from, to) in pairs {
      try writer.copyRows(of: from, in: txn, to: to) { (key, row, batch) in batch.append(key, row) }
    }
  }

  /// Whether search never learned anything.
  package func hasLearnedNothing(in txn: borrowing ReadTransaction) throws(CairnError) -> Bool {
    guard try engagement.isEmpty(in: txn) else { return false }
    return try txn.count(choices.table) == 0
  }
}
