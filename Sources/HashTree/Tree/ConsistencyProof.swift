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
  /// - Parameters:
  ///   - oldSize: How many leaves the older tree has, at least 1.
  ///   - newSize: How many leaves the newer tree has, at least `oldSize`.
  ///   - node: Gives the hash of the complete subtree at (level, index) of the newer tree.
  /// - Throws: What `node` throws.
  /// - Complexity: O(log n) lookups.
  package init?<E: Error>(
    oldSize: UInt64, newSize: UInt64, node: (_ level: Int, _ index: UInt64) throws(E) -> Hash32
  ) throws(E) {
    let proof = try SubtreeProof(range: 0..<oldSize, treeSize: newSize, node: node)
    guard let proof else { return nil }
    self.init(oldSize: oldSize, newSize: newSize, hashes: proof.hashes)
  }

  /// Whether the tree with the second root grew out of the tree with the first.
  ///
  /// Never true for an empty older tree: everything grows out of nothing, so that such a proof
  /// would show nothing and is taken for a mistake or an attack.
  /// - Complexity: two hashes per hash of the proof.
  package func verify(oldRoot: Hash32, newRoot: Hash32) -> Bool {
    guard oldSize > 0, oldSize <= newSize else { return false }
    return SubtreeProof(range: 0..<oldSize, treeSize: newSize, hashes: hashes).verify(
      subtreeRoot: oldRoot, treeRoot: newRoot)
  }
}
