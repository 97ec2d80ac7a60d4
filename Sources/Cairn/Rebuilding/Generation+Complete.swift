import Catalog
import EventLog
import LMDB
import Projections
import Ranking

/// Making some projections anew and taking the others over.
extension Generation {
  /// Projections whose rows another generation's can stand for.
  static let copiedNames = Set(derived.lazy.filter { $0.isCopiedByRebuild }.map { $0.name })

  /// Whether rows can be copied out of this generation into one that is folded: both number items
  /// alike, which a purge changes.
  func canBeCopied(_ log: EventLog) throws(CairnError) -> Bool {
    guard try log.lastErasure() == 0 else { return false }
    let checkpoint = try checkpoint()
    let lens = try lens(of: log)
    return checkpoint.applied > 0 && !checkpoint.isOutdated(by: lens)
  }

  /// Copies what was left out of a build from the generation that serves.
  /// - Returns: False where the two differ in what was folded; the build is worth nothing then.
  /// - Complexity: O(rows copied).
  /// - Throws: `.corrupt` for a damaged row; `.diskFull` and the like.
  func complete(from current: Generation, _ log: EventLog) throws(CairnError) -> Bool {
    try clearLeftOut()
    let lens = try lens(of: log)
    return try current.environment.read { (txn) throws(CairnError) in
      let old = try current.checkpoint(in: txn)
      guard !old.isOutdated(by: lens) else { return false }
      try advance(log, through: old.applied)
      var checkpoint = try self.checkpoint()
      guard checkpoint.applied == old.applied, checkpoint.itemCount == old.itemCount,
        checkpoint.domainCount == old.domainCount, checkpoint[Catalog.name] == old[Catalog.name]
      else { return false }
      let names = try CatalogNames(current.catalog, in: txn)
      let writer = RowWriter(environment)
      defer { writer.wait() }
      let copy = GenerationCopy(
        of: current.environment, through: writer, without: .none(old), erasesUse: false,
        names: names, replay: { (_, _) in })
      for name in leftOut { checkpoint[name] = old[name] }
      let missing = projections.filter { leftOut.contains(type(of: $0).name) }
      try Self.fill(missing, copy, &checkpoint, from: txn)
      if leftOut.contains(Ranking.name) {
        checkpoint.greatestUse = old.greatestUse
        checkpoint.latestUseMicroseconds = old.latestUseMicroseconds
      }
      checkpoint.definition = Self.definition(by: lens)
      try environment.write { (txn) throws(CairnError) in try setCheckpoint(checkpoint, in: &txn) }
      return true
    }
  }

  /// Removes what a copy that was killed has written.
  private func clearLeftOut() throws(CairnError) {
    try environment.write { (txn) throws(CairnError) in
      for projection in Self.projections where self.leftOut.contains(projection.name) {
        for table in projection.tables where try txn.reader.count(self.environment[table]) > 0 {
          try txn.removeAll(self.environment[table])
        }
        if projection == TextProjection.self {
          for key in [SharedRows.textStateKey, SharedRows.textBuildKey] {
            try txn.delete(self.environment[SharedRows.tableName], key)
          }
        }
      }
    }
  }
}
