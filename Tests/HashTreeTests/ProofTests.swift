import HashTree
import TestSupport
import Testing

@Suite struct `Proofs` {
  static let sizes = Array(1...40) + [63, 64, 65, 127, 128, 129]

  private func tree(_ size: Int) -> StoredTree {
    var random = SeededGenerator(seed: UInt64(size))
    return StoredTree((0..<size).map { _ in random.hash() })
  }

  @Test(arguments: sizes) func `every leaf has the proof of the recursive model, and it verifies`(
    size: Int
  ) throws {
    let tree = tree(size)
    let root = TreeModel.root(tree.leaves[...])
    for (index, leaf) in tree.leaves.enumerated() {
      let made = try InclusionProof(
        leafIndex: UInt64(index), treeSize: UInt64(size), node: tree.node)
      let proof = try #require(made)
      #expect(proof.hashes == TreeModel.path(index, tree.leaves[...]))
      #expect(proof.verify(leaf: leaf, root: root))
    }
  }

  @Test(arguments: sizes)
  func `every older size has the proof of the recursive model, and it verifies`(size: Int) throws {
    let tree = tree(size)
    let root = TreeModel.root(tree.leaves[...])
    for old in 1...size {
      let made = try ConsistencyProof(oldSize: UInt64(old), newSize: UInt64(size), node: tree.node)
      let proof = try #require(made)
      #expect(proof.hashes == TreeModel.proof(old, tree.leaves[...]))
      #expect(proof.verify(oldRoot: TreeModel.root(tree.leaves[..<old]), newRoot: root))
    }
  }

  @Test(arguments: [1, 2, 3, 5, 8, 11]) func `a proof with any one bit flipped is refused`(
    size: Int
  ) throws {
    let tree = tree(size)
    let root = tree.compactRange.root
    for (index, leaf) in tree.leaves.enumerated() {
      let made = try InclusionProof(
        leafIndex: UInt64(index), treeSize: UInt64(size), node: tree.node)
      let proof = try #require(made)
      for flipped in flips(proof.hashes) {
        var forged = proof
        forged.hashes = flipped
        #expect(!forged.verify(leaf: leaf, root: root))
      }
      for bit in 0..<256 {
        #expect(!proof.verify(leaf: leaf.flipping(bit), root: root))
        #expect(!proof.verify(leaf: leaf, root: root.flipping(bit)))
      }
      let older = try ConsistencyProof(
        oldSize: UInt64(index + 1), newSize: UInt64(size), node: tree.node)
      let growth = try #require(older)
      let oldRoot = TreeModel.root(tree.leaves[...index])
      for flipped in flips(growth.hashes) {
        var forged = growth
        forged.hashes = flipped
        #expect(!forged.verify(oldRoot: oldRoot, newRoot: root))
      }
      for bit in 0..<256 {
        #expect(!growth.verify(oldRoot: oldRoot.flipping(bit), newRoot: root))
        #expect(!growth.verify(oldRoot: oldRoot, newRoot: root.flipping(bit)))
      }
    }
  }

  private func flips(_ hashes: [Hash32]) -> [[Hash32]] {
    hashes.indices.flatMap { position in
      (0..<256).map { bit in
        var flipped = hashes
        flipped[position] = flipped[position].flipping(bit)
        return flipped
      }
    }
  }

  @Test(arguments: [1, 2, 3, 7, 8, 20]) func `a proof with a hash more or less is refused`(
    size: Int
  ) throws {
    let tree = tree(size)
    let root = tree.compactRange.root
    for index in 0..<size {
      let made = try InclusionProof(
        leafIndex: UInt64(index), treeSize: UInt64(size), node: tree.node)
      var proof = try #require(made)
      proof.hashes.append(root)
      #expect(!proof.verify(leaf: tree.leaves[index], root: root))
      proof.hashes.removeLast()
      guard proof.hashes.popLast() != nil else { continue }
      #expect(!proof.verify(leaf: tree.leaves[index], root: root))
    }
  }

  @Test func `there is no proof of what is not in the tree`() throws {
    let tree = tree(5)
    #expect(try InclusionProof(leafIndex: 5, treeSize: 5, node: tree.node) == nil)
    #expect(try InclusionProof(leafIndex: 0, treeSize: 0, node: tree.node) == nil)
    #expect(try ConsistencyProof(oldSize: 6, newSize: 5, node: tree.node) == nil)
    #expect(try ConsistencyProof(oldSize: 0, newSize: 5, node: tree.node) == nil)
  }

  @Test func `a consistency proof from nothing is refused even when the roots are right`() {
    let nothing = ConsistencyProof(oldSize: 0, newSize: 0, hashes: [])
    #expect(!nothing.verify(oldRoot: HashTree.emptyRoot, newRoot: HashTree.emptyRoot))
  }

  @Test func `sizes at the end of the number range neither trap nor verify`() {
    var random = SeededGenerator(seed: 3)
    let hash = random.hash()
    for count in [0, 1, 63, 64, 65] {
      let hashes = (0..<count).map { _ in random.hash() }
      for size in [UInt64.max, UInt64.max - 1, UInt64(1) << 63, UInt64(1) << 63 + 1] {
        for index in [UInt64(0), 1, size / 2, size - 1] {
          let proof = InclusionProof(leafIndex: index, treeSize: size, hashes: hashes)
          #expect(!proof.verify(leaf: hash, root: hash))
          let growth = ConsistencyProof(oldSize: index, newSize: size, hashes: hashes)
          #expect(!growth.verify(oldRoot: hash, newRoot: random.hash()))
        }
      }
    }
  }

  @Test(arguments: [1, 2, 3, 4, 8])
  func `levels that are not stored are recomputed from those that are`(stride: Int) throws {
    let tree = tree(300)
    for (place, hash) in tree.nodes {
      let found = try HashTree.node(level: place.level, index: place.index, stride: stride) {
        (level, index) throws(StoredTree.Missing) in
        #expect(level.isMultiple(of: stride))
        return try tree.node(level, index)
      }
      #expect(found == hash)
    }
  }

  @Test func `an error of the lookup comes through`() {
    let tree = tree(8)
    #expect(throws: StoredTree.Missing.self) {
      try InclusionProof(leafIndex: 0, treeSize: 9, node: tree.node)
    }
  }
}

extension Hash32 {
  func flipping(_ bit: Int) -> Hash32 {
    var bytes = bytes
    bytes[bit / 8] ^= 1 << UInt8(bit % 8)
    return Hash32(bytes: bytes) ?? self
  }
}
