package import LMDB

/// The table of the rows that nearly every fold rewrites.
///
/// LMDB writes every page that a transaction touches, and the pages above it: rows of three
/// projections in one small page cost one, in tables of their own up to five.
package enum SharedRows {
  /// Its name.
  package static let tableName: TableName = "checkpoint"
  /// The key of a generation's `Checkpoint`.
  package static let checkpointKey: [UInt8] = [0]
  /// The key of the text index's numbers.
  package static let textStateKey: [UInt8] = [1]
  /// The key of the timeline's last block.
  package static let timelineKey: [UInt8] = [2]
}
