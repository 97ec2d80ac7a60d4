package import LMDB

/// The table of the rows that nearly every fold rewrites: the main one, which holds the roots of
/// all others.
///
/// LMDB writes every page that a transaction touches, and the pages above it. The page of the roots
/// is written anyway: rows of three projections there cost none, in tables of their own up to five.
/// All of them together fit it.
package enum SharedRows {
  package static let tableName = TableName.main
  package static let checkpointKey: [UInt8] = [0]
  package static let textStateKey: [UInt8] = [1]
  package static let timelineKey: [UInt8] = [2]
  /// The key of a text index that is being built and has no lists yet.
  package static let textBuildKey: [UInt8] = [3]
  package static let kindCountsKey: [UInt8] = [4]
  /// The key of the horizon that old versions were let go by.
  package static let horizonKey: [UInt8] = [5]

  /// How far a generation is; nil where no row says so.
  /// - Throws: `.unsupportedFormat`, `.corrupt`.
  package static func checkpoint(_ environment: Environment, in txn: borrowing ReadTransaction)
    throws(CairnError) -> Checkpoint?
  {
    guard let row = try txn.get(environment[tableName], checkpointKey) else { return nil }
    return try Checkpoint(decoding: row.array())
  }

  /// The format that the checkpoint names, whether it can be read or not; 0 where there is none.
  package static func checkpointFormat(
    _ environment: Environment, in txn: borrowing ReadTransaction
  ) throws(CairnError) -> UInt8 {
    try txn.get(environment[tableName], checkpointKey)?.array().first ?? 0
  }
}
