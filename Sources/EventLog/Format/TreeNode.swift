import HashTree

/// A row of table `tree`: key level (1) ‖ index (8), big-endian; value hash (32).
///
/// Only every fourth level is stored, one row for 16 events; the levels between are recomputed from
/// at most 8 rows, those below level 4 from at most 8 headers.
struct TreeNode: Sendable, Equatable {
  var level: UInt8
  var index: UInt64
  var hash: Hash32

  /// Levels from one stored level to the next.
  static let levelStride = 4

  static func isStored(_ level: Int) -> Bool { level > 0 && level % levelStride == 0 }

  /// Appends a leaf to a compact range, and gives the nodes that it completes and that have rows.
  static func completed(by leaf: Hash32, in compactRange: inout CompactRange) -> [TreeNode] {
    var completed: [TreeNode] = []
    compactRange.append(leaf) { (level, index, hash) throws(Never) in
      guard isStored(level) else { return }
      completed.append(TreeNode(level: UInt8(level), index: index, hash: hash))
    }
    return completed
  }

  static func appendKey(level: UInt8, index: UInt64, to writer: inout ByteWriter) {
    writer.append(level)
    writer.appendBigEndian(index)
  }
}
