import Catalog
import EventLog
import LMDB
import Projections
import Timeline

/// Making a generation without some events out of one that has them.
///
/// Most of a fold is reading texts anew. Where every item that stays has all the events that made
/// its versions, its rows are those of a history without the others, and are copied; what is summed
/// up over the uses of all items is folded again from ``GenerationReplay``.
extension Generation {
  /// Fills this empty generation with what `old` holds, without some events.
  ///
  /// Events that `old` does not hold yet are left to whoever folds the rest; what search learned is
  /// read from the log.
  /// - Returns: False when only a fold can tell what is left; the generation is worth nothing then.
  /// - Complexity: O(rows).
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  func fill(from old: Generation, without sequences: [UInt64], _ log: EventLog) throws(CairnError)
    -> Bool
  {
    try old.environment.read { (txn) throws(CairnError) in
      var checkpoint = try old.checkpoint(in: txn)
      let lens = try schemas.lens(of: log)
      guard checkpoint.applied > 0, !checkpoint.isOutdated(by: lens) else { return false }
      // What an erased event made of items may be among the versions that are gone.
      let horizon = try txn.get(old.environment[SharedRows.tableName], SharedRows.horizonKey)?
        .array()
      guard horizon == nil || sequences.isEmpty else { return false }
      let (erasure, isUse) = try Self.erasure(of: sequences, old, checkpoint, txn)
      let names = try CatalogNames(old.catalog, in: txn)
      let writer = RowWriter(environment)
      defer { writer.wait() }
      let isCopied = try old.catalog.copy(
        to: catalog, through: writer, without: erasure, names, &checkpoint, from: txn)
      guard isCopied else { return false }
      let replay = GenerationReplay(
        source: old, target: self, erasure: erasure, names: names, log: log,
        applied: checkpoint.applied)
      let copy = GenerationCopy(
        of: old.environment, through: writer, without: erasure, erasesUse: isUse, names: names,
        replay: replay.forEachBatch)
      try Self.fill(projections, copy, &checkpoint, from: txn)
      try environment.write { (txn) throws(CairnError) in
        try setCheckpoint(checkpoint, in: &txn)
        guard let horizon else { return }
        try txn.put(environment[SharedRows.tableName], SharedRows.horizonKey, horizon)
      }
      return true
    }
  }

  /// Fills empty projections with the rows of another generation, and notes their digests.
  static func fill(
    _ projections: [any DerivedProjection], _ copy: GenerationCopy, _ checkpoint: inout Checkpoint,
    from txn: borrowing ReadTransaction
  ) throws(CairnError) {
    var pending: [(name: ProjectionName, fill: PendingFill)] = []
    defer { for pending in pending { pending.fill.end() } }
    for projection in projections {
      if let fill = try projection.fill(copy, &checkpoint, from: txn) {
        pending.append((type(of: projection).name, fill))
      }
    }
    try copy.writer.finish()
    for (name, fill) in pending { checkpoint[name] = try fill.finish(txn) }
  }

  /// What goes with the events, and whether one of them counts for the ranking.
  private static func erasure(
    of sequences: [UInt64], _ old: Generation, _ checkpoint: Checkpoint,
    _ txn: borrowing ReadTransaction
  ) throws(CairnError) -> (Erasure, isUse: Bool) {
    guard !sequences.isEmpty else { return (.none(checkpoint), false) }
    var erasure = Erasure(sequences, checkpoint)
    var isUse = false
    try old.timeline.forEach(from: 1, through: .max, in: txn) { (record) throws(CairnError) in
      guard erasure.contains(record.sequence) else {
        erasure.keep(item: record.item, domain: record.domain)
        return true
      }
      if record.weight > 0 || record.isView || record.startsAfresh || record.mayBeLearnedFrom {
        isUse = true
      }
      return true
    }
    return (erasure, isUse)
  }
}
