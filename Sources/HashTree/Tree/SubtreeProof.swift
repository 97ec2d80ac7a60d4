/// Shows that a range of leaves with a known root is part of a larger tree.
///
/// A consistency proof is the case of a range that starts at 0.
/// Source: draft-ietf-plants-merkle-tree-certs, "Subtree Consistency Proofs", which makes and
/// checks, for a range from 0, exactly what RFC 9162 §2.1.4 does.
package struct SubtreeProof: Hashable, Sendable {
  /// The leaf indexes of the range.
  package var range: Range<UInt64>
  /// How many leaves the larger tree has.
  package var treeSize: UInt64
  /// The hashes, narrowest subtree first.
  package var hashes: [Hash32]

  /// A proof as received; nothing is checked yet.
  package init(range: Range<UInt64>, treeSize: UInt64, hashes: [Hash32]) {
    self.range = range
    self.treeSize = treeSize
    self.hashes = hashes
  }

  /// Makes the proof, or gives `nil` when the range is no subtree of that tree.
  /// - Parameters:
  ///   - range: Leaf indexes for which ``HashTree/isSubtree(_:)`` holds.
  ///   - treeSize: How many leaves the larger tree has.
  ///   - node: Gives the hash of the complete subtree at (level, index).
  /// - Throws: What `node` throws.
  /// - Complexity: O(log n) lookups.
  package init?<E: Error>(
    range: Range<UInt64>, treeSize: UInt64,
    node: (_ level: Int, _ index: UInt64) throws(E) -> Hash32
  ) throws(E) {
    guard range.upperBound <= treeSize, HashTree.isSubtree(range) else { return nil }
    var hashes: [Hash32] = []
    var tree = 0..<treeSize
    var start = range.lowerBound
    // While true, the part still looked for is the whole range, whose root the verifier knows.
    var isKnown = true
    while tree != start..<range.upperBound {
      let split = HashTree.split(tree)
      let (left, right) = (tree.lowerBound..<split, split..<tree.upperBound)
      if range.upperBound <= split {
        hashes.append(try HashTree.root(of: right, node: node))
        tree = left
      } else {
        hashes.append(try HashTree.root(of: left, node: node))
        tree = right
        if start < split { (start, isKnown) = (split, false) }
      }
    }
    if !isKnown { hashes.append(try HashTree.root(of: tree, node: node)) }
    hashes.reverse()
    self.init(range: range, treeSize: treeSize, hashes: hashes)
  }

  /// Whether the range has the first root in the tree with the second.
  ///
  /// An empty range has the empty root in every tree that reaches it, by an empty proof.
  /// - Complexity: two hashes per hash of the proof.
  package func verify(subtreeRoot: Hash32, treeRoot: Hash32) -> Bool {
    guard range.upperBound <= treeSize else { return false }
    if range.isEmpty { return hashes.isEmpty && subtreeRoot == HashTree.emptyRoot }
    guard HashTree.isSubtree(range) else { return false }
    var edges = Edges(first: range.lowerBound, last: range.upperBound - 1, end: treeSize - 1)
    while edges.first != edges.last, edges.last == edges.end || edges.last & 1 == 1 {
      edges.ascend()
    }
    var rest = hashes[...]
    var small = subtreeRoot
    if edges.first != edges.last {
      guard let first = rest.popFirst() else { return false }
      small = first
    }
    var large = small
    for hash in rest {
      guard edges.end != 0 else { return false }
      if edges.last & 1 == 1 || edges.last == edges.end {
        if edges.first < edges.last { small = HashTree.node(hash, small) }
        large = HashTree.node(hash, large)
        // On the right edge the levels without a sibling have no hash in the proof.
        while edges.last & 1 == 0, edges.last != 0 { edges.ascend() }
      } else {
        large = HashTree.node(large, hash)
      }
      edges.ascend()
    }
    return edges.end == 0 && small == subtreeRoot && large == treeRoot
  }

  /// The indexes, within one level, of the range's first and last node and of the tree's last.
  private struct Edges {
    var first: UInt64
    var last: UInt64
    var end: UInt64

    mutating func ascend() {
      first >>= 1
      last >>= 1
      end >>= 1
    }
  }
}
