/// One file of a tiled log: 256 hashes of one level, or 256 entries; fewer at the right edge.
///
/// Source: C2SP tlog-tiles. A hash of tile level l stands for 256^l leaves, that is, for a node of
/// tree level 8·l.
package struct Tile: Hashable, Sendable {
  /// What the tile holds.
  package enum Content: Hashable, Sendable {
    /// Hashes of one tile level, 0 to 63.
    case hashes(level: Int)
    /// The entries themselves.
    case entries
  }

  /// How many hashes or entries a full tile has.
  package static let fullWidth = 256
  /// Levels of the tree between one tile level and the next.
  package static let height = 8
  /// The highest tile level that a path may name.
  package static let levelMax = 63

  package let content: Content
  /// Its place, from the left, among the tiles of its level.
  package let index: UInt64
  /// How many hashes or entries it has, 1 to 256.
  package let width: Int

  /// The tile, or `nil` when the level or the width is out of bounds.
  package init?(_ content: Content, index: UInt64, width: Int = Tile.fullWidth) {
    if case .hashes(let level) = content, !(0...Tile.levelMax).contains(level) { return nil }
    guard (1...Tile.fullWidth).contains(width) else { return nil }
    self.content = content
    self.index = index
    self.width = width
  }

  private init(unchecked content: Content, index: UInt64, width: Int) {
    self.content = content
    self.index = index
    self.width = width
  }

  /// How many hashes a level of tiles has in a tree: floor(size / 256^level).
  package static func hashCount(level: Int, treeSize: UInt64) -> UInt64 {
    level < UInt64.bitWidth / height ? treeSize >> UInt64(level * height) : 0
  }

  /// The tiles that a tree has and its older self did not: what to publish after it grew.
  ///
  /// Entry tiles come first, then hashes, level by level, each from left to right.
  /// - Complexity: O(leaves added / 256 + levels).
  package static func added(from oldSize: UInt64, to newSize: UInt64) -> [Tile] {
    var result: [Tile] = []
    for level in -1..<UInt64.bitWidth / height {
      let content: Content = level < 0 ? .entries : .hashes(level: level)
      let old = hashCount(level: max(level, 0), treeSize: oldSize)
      let new = hashCount(level: max(level, 0), treeSize: newSize)
      guard new > old else { continue }
      let partialWidth = Int(new % UInt64(fullWidth))
      for index in old / UInt64(fullWidth)..<new / UInt64(fullWidth) {
        result.append(Tile(unchecked: content, index: index, width: fullWidth))
      }
      guard partialWidth > 0 else { continue }
      result.append(Tile(unchecked: content, index: new / UInt64(fullWidth), width: partialWidth))
    }
    return result
  }
}
