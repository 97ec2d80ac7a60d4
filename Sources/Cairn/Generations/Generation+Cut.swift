import Catalog
import EventLog
import LMDB
import Projections

/// Letting go of old versions before a log's horizon.
///
/// Rows go a few thousand at a time, so that nobody waits; what stays is the same however a
/// generation came to be: folded, copied, restored, cut once or many times.
extension Generation {
  /// How far a generation is cut: under way (1) or not (0) ‖ horizon.
  private struct CutState {
    var isUnderWay: Bool
    var horizon: Horizon

    init?(_ row: [UInt8]?) throws(CairnError) {
      guard let row, let first = row.first else { return nil }
      isUnderWay = first == 1
      horizon = try Horizon(decoding: Array(row.dropFirst()))
    }
  }

  private func cutState(in txn: borrowing ReadTransaction) throws(CairnError) -> CutState? {
    try CutState(try txn.get(environment[SharedRows.tableName], SharedRows.horizonKey)?.array())
  }

  /// The horizon before which versions are gone, or are going.
  func horizon(in txn: borrowing ReadTransaction) throws(CairnError) -> Horizon {
    try cutState(in: txn)?.horizon ?? Horizon()
  }

  /// Whether all versions are gone that the log's horizon lets go.
  func isCut(as log: EventLog) throws(CairnError) -> Bool {
    let wanted = try log.horizon()
    guard !wanted.keepsAll else { return true }
    let state = try environment.read { (txn) throws(CairnError) in try self.cutState(in: txn) }
    return state.map { $0.horizon == wanted && !$0.isUnderWay } ?? false
  }

  /// Versions looked at in one transaction.
  private static let cutCount = 16_384

  /// Lets go of the versions that the log's horizon does not keep.
  /// - Complexity: O(versions) where the horizon moved, else O(1).
  /// - Throws: `.corrupt` for a damaged row; `.diskFull`, `.busy` and the like.
  func cut(as log: EventLog) throws(CairnError) {
    guard try !isCut(as: log) else { return }
    let horizon = try log.horizon()
    var next: UInt32? = 0
    while let first = next { next = try cutSome(before: horizon, from: first) }
  }

  /// Lets go of some of the versions before a horizon, of items from an ordinal on.
  /// - Returns: The item to go on with, by the same horizon; nil after the last one.
  func cutSome(before horizon: Horizon, from first: UInt32) throws(CairnError) -> UInt32? {
    try environment.write { (txn) throws(CairnError) in
      var checkpoint = try self.checkpoint(in: txn.reader)
      let next = try self.catalog.cut(
        before: horizon, from: first, count: Self.cutCount, &checkpoint, in: &txn)
      if checkpoint.applied > 0 { try self.setCheckpoint(checkpoint, in: &txn) }
      try txn.put(
        self.environment[SharedRows.tableName], SharedRows.horizonKey,
        [next == nil ? 0 : 1] + horizon.encoded)
      return next
    }
  }
}

extension EventLog {
  /// The horizon that retention rules moved to.
  func horizon() throws(CairnError) -> Horizon {
    guard let row = try metadata(EventLog.horizonKey) else { return Horizon() }
    return try Horizon(decoding: row)
  }
}
