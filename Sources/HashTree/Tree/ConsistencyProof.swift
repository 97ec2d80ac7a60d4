/// Shows that a tree grew out of an older one by appending alone.
///
/// Source: RFC 6962 §2.1.2 (made), RFC 9162 §2.1.4.2 (checked).
package struct ConsistencyProof: Hashable, Sendable {
  package var oldSize: UInt64
  /// How many leaves the newer tree has.
  package var newSize: UInt64
  /// The hashes, narrowest subtree first.
  package var hashes: [Hash32]

  /// A proof as received; nothing is checked yet.
  package init(oldSize: UInt64, newSize: UInt64, hashes: [Hash32]) {
    self.oldSize = oldSize
    self.newSize = newSize
    self.hashes = hashes
  }

  /// Makes the proof, or gives `nil` when the older tree is empty or larger than the newer.
  /// - Complexity: O(log n) lookups.
  package init?<E: Error>(
    oldSize: UInt64, newSize: UInt64, node: (_ level: Int, _ index: UInt64) throws(E) -> Hash32
  ) throws(E) {
    guard oldSize > 0, oldSize <= newSize else { return nil }
    var hashes: [Hash32] = []
    var tree = 0..<newSize
    // While the older tree is its left part the verifier knows its root.
    while tree.upperBound != oldSize {
      let split = HashTree.split(tree)
      let (left, right) = (tree.lowerBound..<split, split..<tree.upperBound)
      hashes.append(try HashTree.root(of: oldSize <= split ? right : left, node: node))
      tree = oldSize <= split ? left : right
    }
    if tree.lowerBound > 0 { hashes.append(try HashTree.root(of: tree, node: node)) }
    hashes.reverse()
    self.init(oldSize: oldSize, newSize: newSize, hashes: hashes)
  }

  /// Whether the tree with the second root grew out of the tree with the first.
  ///
  /// Never true for an empty older tree: everything grows out of nothing, so that such a proof
  /// would show nothing and is taken for a mistake or an attack.
  /// - Complexity: two hashes per hash of the proof.
  package func verify(oldRoot: Hash32, newRoot: Hash32) -> Bool {
    guard oldSize > 0, oldSize <= newSize else { return false }
    if oldSize == newSize { return hashes.isEmpty && oldRoot == newRoot }
    var (old, new) = (oldSize - 1, newSize - 1)
    while old & 1 == 1 { (old, new) = (old >> 1, new >> 1) }
    var rest = hashes[...]
    // The root of a complete older tree is a node of the newer one, which the proof leaves out.
    guard let first = old == 0 ? oldRoot : rest.popFirst() else { return false }
    var (small, large) = (first, first)
    for hash in rest {
      guard new != 0 else { return false }
      if old & 1 == 1 || old == new {
        (small, large) = (HashTree.node(hash, small), HashTree.node(hash, large))
        // On the right edge the levels without a sibling have no hash in the proof.
        while old & 1 == 0, old != 0 { (old, new) = (old >> 1, new >> 1) }
      } else {
        large = HashTree.node(large, hash)
      }
      (old, new) = (old >> 1, new >> 1)
    }
    return new == 0 && small == oldRoot && large == newRoot
  }
}
