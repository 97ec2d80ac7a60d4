/// Shows that a leaf is in a tree: the hashes beside its path, from the leaf upwards.
///
/// Source: RFC 6962 §2.1.1 (made), RFC 9162 §2.1.3.2 (checked).
package struct InclusionProof: Hashable, Sendable {
  /// The place of the leaf, counted from 0.
  package var leafIndex: UInt64
  /// How many leaves the tree has.
  package var treeSize: UInt64
  /// The sibling hashes, leaf side first.
  package var hashes: [Hash32]

  /// A proof as received; nothing is checked yet.
  package init(leafIndex: UInt64, treeSize: UInt64, hashes: [Hash32]) {
    self.leafIndex = leafIndex
    self.treeSize = treeSize
    self.hashes = hashes
  }

  /// Makes the proof, or gives `nil` when the tree does not have that leaf.
  /// - Complexity: O(log n) lookups.
  package init?<E: Error>(
    leafIndex: UInt64, treeSize: UInt64, node: (_ level: Int, _ index: UInt64) throws(E) -> Hash32
  ) throws(E) {
    guard leafIndex < treeSize else { return nil }
    var hashes: [Hash32] = []
    var tree = 0..<treeSize
    while tree.upperBound - tree.lowerBound > 1 {
      let split = HashTree.split(tree)
      let (left, right) = (tree.lowerBound..<split, split..<tree.upperBound)
      hashes.append(try HashTree.root(of: leafIndex < split ? right : left, node: node))
      tree = leafIndex < split ? left : right
    }
    hashes.reverse()
    self.init(leafIndex: leafIndex, treeSize: treeSize, hashes: hashes)
  }

  /// Whether the leaf is in the tree with this root.
  /// - Complexity: one hash per hash of the proof.
  package func verify(leaf: Hash32, root: Hash32) -> Bool { self.root(leaf: leaf) == root }

  /// The root of the only tree in which this proof shows the leaf, or `nil` when the number of
  /// hashes does not fit the place and the size.
  package func root(leaf: Hash32) -> Hash32? {
    guard leafIndex < treeSize else { return nil }
    var (place, last) = (leafIndex, treeSize - 1)
    var root = leaf
    for hash in hashes {
      guard last != 0 else { return nil }
      if place & 1 == 1 || place == last {
        root = HashTree.node(hash, root)
        // On the right edge the levels without a sibling have no hash in the proof.
        while place & 1 == 0, place != 0 { (place, last) = (place >> 1, last >> 1) }
      } else {
        root = HashTree.node(root, hash)
      }
      (place, last) = (place >> 1, last >> 1)
    }
    return last == 0 ? root : nil
  }
}
